import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test, type ProductFixture } from './support/product';
import type { Words } from './support/words';

const PAUSE_MS = 15_000;

/**
 * A page that takes files by a button and by dropping anywhere in its window, and that offers one to download. Its
 * title says which it got.
 */
const DESK = `<script>
  const field = Object.assign(document.createElement('input'), { type: 'file', accept: 'image/*,.pdf' });
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['the report'])), download: '../re?port.txt', textContent: 'Report', id: 'report' });
  const button = Object.assign(document.createElement('button'), { textContent: 'Choose', id: 'choose', onclick: () => field.click() });
  const show = async (files) => { document.title = (await Promise.all(Array.from(files, async (file) => file.name + '=' + await file.text()))).join(); };
  field.onchange = () => show(field.files);
  document.ondragover = (event) => event.preventDefault();
  document.ondrop = (event) => { event.preventDefault(); void show(event.dataTransfer.files); };
  document.body.replaceChildren(button, link);
</script>`;

test.describe('files', () => {
  test('[DI2] a file chooser of the page is answered from this computer, a hostile name comes in as a plain one; the next by keyboard with a file of the session, and Escape closes one without a file; files that are dropped on the picture reach that place of the page', async ({
    product,
    person,
    serve,
    t,
  }) => {
    await desk(product, person, serve, 'Takes files');
    await person
      .getByRole('button', { name: t('cockpit.lease.take') })
      .first()
      .click();
    await act(person, t, { kind: 'click', selector: '#choose' });
    const asks = person.getByRole('dialog', { name: t('files.chooser.title', { many: 'no' }) });
    await expect(asks).toContainText('.pdf', { timeout: PAUSE_MS });
    const choosing = person.waitForEvent('filechooser');
    await asks.getByRole('button', { name: t('files.chooser.computer') }).click();
    await (await choosing).setFiles({ name: '../../é "x".png', mimeType: 'image/png', buffer: Buffer.from('picture') });
    await expect(asks).toHaveCount(0, { timeout: PAUSE_MS });
    await expect(person.getByRole('tab', { name: /^é _x_\.png=picture/ })).toBeVisible({ timeout: PAUSE_MS });

    await person.evaluate(
      async (session) => fetch(`/api/v1/sessions/${session}/files/scan.png`, { method: 'PUT', body: 'scan' }),
      sessionIn(person),
    );
    await act(person, t, { kind: 'click', selector: '#choose' });
    await expect(asks.getByRole('button', { name: t('files.chooser.computer') })).toBeFocused({ timeout: PAUSE_MS });
    await asks.getByRole('radio', { name: 'scan.png' }).focus();
    await person.keyboard.press('Space');
    await asks.getByRole('button', { name: t('files.chooser.give', { n: 1 }) }).focus();
    await person.keyboard.press('Enter');
    await expect(person.getByRole('tab', { name: /^scan\.png=scan/ })).toBeVisible({ timeout: PAUSE_MS });
    await act(person, t, { kind: 'click', selector: '#choose' });
    await expect(asks).toBeVisible({ timeout: PAUSE_MS });
    await expect(asks.getByRole('button', { name: t('files.chooser.computer') })).toBeFocused({ timeout: PAUSE_MS });
    await person.keyboard.press('Escape');
    await expect(asks).toHaveCount(0, { timeout: PAUSE_MS });

    await expect(async () => {
      await dropOnPicture(person, 'dropped.txt', 'from outside');
      await expect(person.getByRole('tab', { name: /^dropped.*\.txt=from outside/ })).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: PAUSE_MS });
    await person.getByRole('tab', { name: t('cockpit.panels.files') }).click();
    await expect(person.getByRole('list', { name: t('files.list') })).toContainText(
      t('files.added', { self: 'yes', name: '' }),
    );
  });

  test('[DI2] what an agent downloads is told, listed, saved on this computer and deleted', async ({
    product,
    person,
    serve,
    t,
  }) => {
    const id = await desk(product, person, serve, 'Downloads');
    await product.act(id, { kind: 'click', selector: '#report' });
    await person.getByRole('button', { name: t('files.show'), exact: true }).click();
    const list = person.getByRole('list', { name: t('files.list') });
    await expect(list).toContainText(t('files.downloaded', { self: 'no', name: 'story-bot' }), { timeout: PAUSE_MS });
    const saving = person.waitForEvent('download');
    await list.getByRole('link', { name: new RegExp(t('files.save', { name: '.*' })) }).click();
    const saved = await saving;
    expect([saved.suggestedFilename(), readFileSync(await saved.path(), 'utf8')]).toEqual([
      expect.stringMatching(/^[^/\\?]*port\.txt$/),
      'the report',
    ]);
    await list.getByRole('button', { name: new RegExp(t('files.remove', { name: '.*' })) }).click();
    await list.getByRole('button', { name: t('files.removeYes'), exact: true }).click();
    await expect(person.getByText(t('files.empty'))).toBeVisible({ timeout: PAUSE_MS });
  });
});

async function desk(
  product: ProductFixture,
  person: Page,
  serve: (body: string) => string,
  name: string,
): Promise<string> {
  const id = await product.session(serve(DESK), name);
  await person.goto(`${product.origin}/sessions/${id}`);
  await expect(person.locator('canvas').first()).toBeVisible({ timeout: PAUSE_MS });
  return id;
}

function sessionIn(person: Page): string {
  return new URL(person.url()).pathname.split('/').at(-1) ?? '';
}

/** Acts as the person, who holds the lease. */
async function act(person: Page, t: Words, action: object): Promise<void> {
  await expect(person.getByRole('contentinfo', { name: t('cockpit.lease.label') })).toContainText(
    t('cockpit.lease.youHave'),
    { timeout: PAUSE_MS },
  );
  await person.evaluate(
    async ({ session, body }) =>
      fetch(`/api/v1/sessions/${session}/tabs/active/act`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    { session: sessionIn(person), body: JSON.stringify(action) },
  );
}

async function dropOnPicture(person: Page, name: string, text: string): Promise<void> {
  const box = await person.locator('canvas').first().boundingBox();
  if (!box) throw new Error('There is no picture.');
  const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
  const dataTransfer = await person.evaluateHandle(
    ([file, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content], file));
      return data;
    },
    [name, text] as const,
  );
  const picture = person.locator('canvas').first().locator('..');
  for (const type of ['dragenter', 'dragover', 'drop'])
    await picture.dispatchEvent(type, { dataTransfer, clientX, clientY });
}
