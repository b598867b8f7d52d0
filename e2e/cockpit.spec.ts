import type { Locator, Page } from '@playwright/test';
import { lightLoop } from '@/server/testing/light-loop';
import { expect, test, textField } from './support/product';

const PAUSE_MS = 15_000;

/** A page with a small box that changes its colour 20 times a second. */
const MOVING = `<script>
  document.body.style.cssText = 'width:40px;height:40px;margin:80px;background:red';
  let times = 0;
  setInterval(() => { document.body.style.background = (times += 1) % 2 ? 'blue' : 'red'; }, 50);
</script>`;

/** A page with a list, whose choice is in its title. */
function selectOf(style: string): string {
  return `<select style="${style}" onchange="document.title = value"><option>First<option>Second<option>Third</select>`;
}

test.describe('cockpit', () => {
  test('[CO11][SN8] a person drives the picture with real mouse and keys, and the snapshot follows', async ({
    product,
    person,
    shop,
    t,
  }) => {
    const id = await product.session(`${shop}/search`, 'Drive me');
    await person.goto(`${product.origin}/sessions/${id}`);
    const picture = person.locator('canvas').first();
    await expect(picture).toBeVisible();
    const leaseBar = person.getByRole('contentinfo', { name: t('cockpit.lease.label') });
    await leaseBar.getByRole('button', { name: t('cockpit.lease.take') }).click();
    await expect(leaseBar).toContainText(t('cockpit.lease.youHave'));

    const box = refOf(await product.api('GET', `/api/v1/sessions/${id}/tabs/active/snapshot?refs=1`), 'searchbox');
    const point = await pointOf(person, picture, product, id, box);
    await person.mouse.click(point.x, point.y);
    await person.keyboard.type('fern');
    await person.keyboard.press('Enter');

    await expect(person.getByRole('textbox', { name: t('cockpit.address.label') })).toHaveValue(/q=fern/, {
      timeout: PAUSE_MS,
    });
    await expect(person.getByRole('tab', { name: /fern/i }).first()).toBeVisible({ timeout: PAUSE_MS });
    await person.getByPlaceholder(t('cockpit.snapshot.search')).fill('Boston fern');
    await expect(person.getByText(/"Boston fern"/).first()).toBeVisible({ timeout: PAUSE_MS });
  });

  test('[SE2][ui] tabs come and go, and the window becomes that of a phone: the cockpit goes on', async ({
    product,
    person,
    shop,
    t,
  }) => {
    const id = await product.session(`${shop}/care`, 'Resized');
    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.locator('canvas').first()).toBeVisible();
    const tabs = person.getByRole('tablist', { name: t('cockpit.tabs.label') }).getByRole('tab');
    await product.api('POST', `/api/v1/sessions/${id}/tabs/active/act`, {
      kind: 'tab',
      do: 'open',
      url: `${shop}/search`,
    });
    await expect(tabs).toHaveCount(2, { timeout: PAUSE_MS });
    const last = (await tabs.last().getAttribute('data-tab')) ?? '';
    await tabs.last().click();
    await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
    await tabs.last().press('Shift+ArrowLeft');
    await expect(tabs.first()).toHaveAttribute('data-tab', last);
    await tabs.first().press('ContextMenu');
    await expect(person.getByRole('menuitem', { name: t('cockpit.tabs.moveRight') })).toBeVisible();
    await person.keyboard.press('Escape');
    for (const width of [390, 1280]) {
      await person.setViewportSize({ width, height: 844 });
      await expect(person.getByRole('button', { name: t('cockpit.lease.take') })).toBeVisible();
    }
    await product.api('POST', `/api/v1/sessions/${id}/tabs/active/act`, { kind: 'tab', do: 'close' });
    await expect(tabs).toHaveCount(1, { timeout: PAUSE_MS });
    await expect(person.locator('canvas').first()).toBeVisible();
  });

  test('[FR1] neither a picture nor a move of the mouse renders the tree', async ({ product, person, serve, t }) => {
    const id = await product.session(serve(MOVING), 'Moves');
    await person.goto(`${product.origin}/sessions/${id}`);
    const leaseBar = person.getByRole('contentinfo', { name: t('cockpit.lease.label') });
    await leaseBar.getByRole('button', { name: t('cockpit.lease.take') }).click();
    await expect(leaseBar).toContainText(t('cockpit.lease.youHave'));
    const box = await person.locator('#page-picture').boundingBox();
    if (!box) throw new Error('There is no picture.');
    await person.mouse.move(box.x + 20, box.y + box.height - 20);
    await countRenders(person);
    await person.mouse.move(box.x + box.width - 20, box.y + box.height - 60, { steps: MOVES });
    expect((await counted(person)).renders).toBeLessThan(MOVES / 4);
    await countRenders(person);
    await expect.poll(async () => (await counted(person)).pictures, { timeout: 30_000 }).toBeGreaterThan(25);
    const { renders, pictures } = await counted(person);
    expect(renders).toBeLessThan(pictures / 2);
  });

  test('[EV4][SE5] a page that hangs is shown as stuck within seconds, and a remedy frees it', async ({
    product,
    person,
    serve,
    t,
  }) => {
    const page = `<h1>Hangs</h1><button onclick="${await lightLoop()}">Hang</button>`;
    const id = await product.session(serve(page), 'Will hang');
    await person.goto(`${product.origin}/sessions/${id}`);
    const snapshot = await product.api('GET', `/api/v1/sessions/${id}/tabs/active/snapshot?refs=1`);
    const button = refOf(snapshot, 'button');
    void product.act(id, { kind: 'click', ref: button, timeoutMs: 2_000 });
    const leaseBar = person.getByRole('contentinfo', { name: t('cockpit.lease.label') });
    await expect(person.getByText(t('lease.stuckScript')).first()).toBeVisible({ timeout: PAUSE_MS });
    await leaseBar.getByRole('button', { name: t('cockpit.remedy.stopScript') }).click();
    await expect(person.getByText(t('lease.stuckScript'))).toHaveCount(0, { timeout: PAUSE_MS });
    await expect(leaseBar).toContainText(t('cockpit.lease.has', { name: 'story-bot' }));
    const alive = await product.api('GET', `/api/v1/sessions/${id}/tabs/active/snapshot`);
    expect(JSON.stringify(alive)).toContain('heading');
  });

  test('[BR5][F1] Chrome is gone: it comes back by itself with the tabs at their addresses, and the cockpit says what is lost; where that was not wanted, the cockpit says so, and a new browser brings the tabs back when asked', async ({
    product,
    person,
    shop,
    t,
  }) => {
    const id = await product.session(`${shop}/care`, 'Comes back');
    const stays = { url: `${shop}/care`, name: 'Stays down', policy: { restartBrowser: false } };
    const down = textField(await product.api('POST', '/api/v1/sessions', stays), 'id');
    const other = await person.context().newPage();
    for (const [page, session] of [
      [person, id],
      [other, down],
    ] as const) {
      await page.goto(`${product.origin}/sessions/${session}`);
      await expect(page.getByRole('tab', { name: /Fern & Field/ })).toBeVisible({ timeout: PAUSE_MS });
    }
    await expect.poll(() => product.hasSaved(id), { timeout: PAUSE_MS }).toBe(true);
    product.killChromes();
    const note = person.getByRole('note', { name: t('cockpit.restored.title') });
    // How old the state is differs from run to run.
    const [, lost = ''] = t('said.stateRestoredOf', { seconds: 12_345 }).split('12345');
    expect(lost).not.toBe('');
    await expect(note).toContainText(lost, { timeout: PAUSE_MS });
    await expect(person.getByRole('tab', { name: /Fern & Field/ })).toBeVisible({ timeout: PAUSE_MS });
    await expect(person.getByRole('alert', { name: t('cockpit.down.title') })).toHaveCount(0);
    await note.getByRole('button', { name: t('cockpit.restored.close') }).click();
    await expect(note).toHaveCount(0);

    const gone = other.getByRole('alert', { name: t('cockpit.down.title') });
    await expect(gone).toContainText(t('cockpit.down.offer', { tabs: 1 }));
    await expect(other.getByRole('button', { name: t('cockpit.tabs.new') })).toBeDisabled();
    await gone.getByRole('button', { name: t('cockpit.down.start') }).click();
    await expect(gone).toHaveCount(0, { timeout: PAUSE_MS });
    await expect(other.getByRole('tab', { name: /Fern & Field/ })).toBeVisible({ timeout: PAUSE_MS });
    await other.close();
  });

  test('[DI1][DI3] a select is opened, chosen from and left again by keyboard alone; pressed in the picture, it opens its list in the cockpit; a dialog of the page closes the list and is answered', async ({
    product,
    person,
    serve,
    t,
  }) => {
    const id = await product.session(
      serve(selectOf('position:fixed;top:45%;left:0;width:100%;height:10%')),
      'Has a list',
    );
    await person.goto(`${product.origin}/sessions/${id}`);
    const leaseBar = person.getByRole('contentinfo', { name: t('cockpit.lease.label') });
    await leaseBar.getByRole('button', { name: t('cockpit.lease.take') }).click();
    await expect(leaseBar).toContainText(t('cockpit.lease.youHave'));
    await person.locator('#page-field').focus();
    await person.keyboard.press('Tab');
    await person.keyboard.press('Space');
    await expect(person.getByRole('option', { name: 'Second' })).toBeVisible({ timeout: PAUSE_MS });
    await person.keyboard.press('ArrowDown');
    await person.keyboard.press('Enter');
    await expect(person.getByRole('tab', { name: /Second/ })).toBeVisible({ timeout: PAUSE_MS });
    await expect(person.locator('#page-field')).toBeFocused();

    const third = person.getByRole('option', { name: 'Third' });
    const drawn = await person.locator('canvas').first().boundingBox();
    const press = () =>
      person.mouse.click((drawn?.x ?? 0) + (drawn?.width ?? 0) / 2, (drawn?.y ?? 0) + (drawn?.height ?? 0) / 2);
    await press();
    await expect(third).toBeVisible({ timeout: PAUSE_MS });
    await person.keyboard.press('ArrowDown');
    await person.keyboard.press('Enter');
    await expect(person.getByRole('tab', { name: /Third/ })).toBeVisible({ timeout: PAUSE_MS });

    await press();
    await expect(third).toBeVisible({ timeout: PAUSE_MS });
    await person.evaluate(async (session) => {
      const tabs: unknown = await (await fetch(`/api/v1/sessions/${session}/tabs`)).json();
      const [tab] = Array.isArray(tabs) ? tabs : [];
      await fetch(`/api/v1/sessions/${session}/tabs/${tab.id}/act`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          kind: 'evaluate',
          fn: '() => { setTimeout(() => { document.title = confirm("Sure?") ? "yes" : "no"; }, 0); }',
        }),
      });
    }, id);
    await expect(person.getByText('Sure?').first()).toBeVisible();
    await expect(third).toHaveCount(0);
    await person.getByRole('button', { name: t('cockpit.dialog.ok'), exact: true }).click();
    await expect(person.getByRole('tab', { name: /yes/ }).first()).toBeVisible({ timeout: PAUSE_MS });
    await expect(person.locator('#page-field')).toBeFocused();
  });

  test('[F11] the server is killed and started again: the page reconnects, and Chrome kept its state', async ({
    product,
    person,
    serve,
    t,
  }) => {
    const id = await product.session(serve('<p>ok'), 'Survives');
    await product.act(id, { kind: 'evaluate', fn: '() => { window.marked = "still here"; }' });
    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.locator('canvas').first()).toBeVisible();
    await product.restart('SIGKILL');
    await expect(person.getByText(t('shell.connection.reconnecting')).first()).toBeVisible({ timeout: PAUSE_MS });
    await expect(person.getByText(t('shell.connection.reconnecting'))).toHaveCount(0, { timeout: 30_000 });
    const reply = await product.act(id, { kind: 'evaluate', fn: 'window.marked' });
    expect(textField(reply, 'value')).toBe('still here');
  });

  test('[FR2][FR3] two people watch; one stalls, the other sees the page move; a reload shows a picture at once', async ({
    product,
    person,
    browser,
    windows,
    serve,
  }) => {
    const id = await product.session(serve(MOVING), 'Two viewers');
    const another = await browser.newContext({ storageState: await windows.storageState() });
    const other = await another.newPage();
    for (const page of [person, other]) {
      await page.goto(`${product.origin}/sessions/${id}`);
      await expect(page.locator('canvas').first()).toBeVisible();
    }
    const stalled = await other.context().newCDPSession(other);
    await stalled.send('Emulation.setScriptExecutionDisabled', { value: true });
    const before = await fingerprint(person);
    await expect.poll(() => fingerprint(person), { timeout: PAUSE_MS }).not.toBe(before);
    await another.close();
    await person.reload();
    await expect.poll(async () => (await fingerprint(person)).length, { timeout: PAUSE_MS }).toBeGreaterThan(1_000);
  });
});

const MOVES = 80;

/**
 * Counts from now on how often React gives new props to the picture's box, which it does whenever the viewport renders,
 * and how many pictures are drawn.
 */
async function countRenders(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counts = { renders: 0, pictures: 0 };
    Object.assign(window, { counts });
    const box = document.getElementById('page-picture');
    const name = Object.keys(box ?? {}).find((key) => key.startsWith('__reactProps$'));
    const canvas = box?.querySelector('canvas')?.getContext('2d');
    if (!box || !canvas || name === undefined) throw new Error('React keeps the props elsewhere.');
    let props: unknown = Reflect.get(box, name);
    Object.defineProperty(box, name, {
      configurable: true,
      get: () => props,
      set: (next: unknown) => {
        props = next;
        counts.renders += 1;
      },
    });
    const draw = CanvasRenderingContext2D.prototype.drawImage;
    Object.assign(canvas, {
      drawImage: (bitmap: ImageBitmap, x: number, y: number) => {
        counts.pictures += 1;
        Reflect.apply(draw, canvas, [bitmap, x, y]);
      },
    });
  });
}

function counted(page: Page): Promise<{ renders: number; pictures: number }> {
  return page.evaluate(() => Reflect.get(window, 'counts'));
}

function fingerprint(page: Page): Promise<string> {
  return page
    .locator('canvas')
    .first()
    .evaluate((element) =>
      element instanceof HTMLCanvasElement && element.width > 0 ? element.toDataURL('image/png') : '',
    );
}

function refOf(snapshot: unknown, role: string): string {
  const refs =
    typeof snapshot === 'object' && snapshot !== null && 'refs' in snapshot && Array.isArray(snapshot.refs)
      ? snapshot.refs
      : [];
  const found = refs.find((entry) => entry.role === role);
  return textField(found, 'ref');
}

/** The position on the screen of the middle of an element of the remote page, computed from the size of the picture. */
async function pointOf(
  person: Page,
  picture: Locator,
  product: { act(session: string, action: unknown): Promise<unknown> },
  id: string,
  ref: string,
): Promise<{ x: number; y: number }> {
  const frame = await picture.boundingBox();
  const box = await person.evaluate(
    async ({ session, element }) => {
      const answer = await fetch(`/api/v1/sessions/${session}/tabs/active/act`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          kind: 'evaluate',
          ref: element,
          fn: '(e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, innerWidth, innerHeight]; }',
        }),
      });
      return answer.json();
    },
    { session: id, element: ref },
  );
  void product;
  const [x = 0, y = 0, width = 1, height = 1] = Array.isArray(box.value) ? box.value.map(Number) : [];
  if (!frame) throw new Error('There is no picture.');
  return { x: frame.x + (x / width) * frame.width, y: frame.y + (y / height) * frame.height };
}
