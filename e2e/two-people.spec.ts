import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, test, textField, WINDOW, type ProductFixture } from './support/product';

const PAUSE_MS = 15_000;

const bar = (page: Page) => page.getByRole('contentinfo', { name: 'The wheel' });

/** A second person, who came by an invitation, in a browser of their own. */
async function invited(
  product: ProductFixture,
  browser: Browser,
  { request }: BrowserContext,
  name: string,
): Promise<Page> {
  const headers = { origin: product.origin };
  const invitations = `${product.origin}/api/v1/invitations`;
  const made: unknown = await (await request.post(invitations, { headers, data: { role: 'member' } })).json();
  const token = new URL(textField(made, 'url')).hash.slice(1);
  const other = await browser.newContext(WINDOW);
  const accepted = await other.request.post(`${invitations}/accept`, { headers, data: { token, name } });
  expect(accepted.status()).toBe(200);
  return other.newPage();
}

test('[CO4] two people in two browsers and an agent pass the wheel on: one is on the question, the other gets the wheel and hands it back; then the agents are paused', async ({
  product,
  person,
  windows,
  browser,
  serve,
}) => {
  const id = await product.session(serve('<input aria-label="Code">'), 'Between two');
  const ana = await invited(product, browser, windows, 'Ana');
  const cockpit = `${product.origin}/sessions/${id}`;
  await Promise.all([person.goto(cockpit), ana.goto(cockpit)]);
  const call = product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, {
    do: 'ask-human',
    reason: 'A code was sent to a phone',
    timeoutMs: 120_000,
  });

  await expect(ana).toHaveTitle(/Needs you/, { timeout: PAUSE_MS });
  await bar(person).getByRole('button', { name: 'I’m on it' }).click();
  await expect(ana).toHaveTitle(/Owner is on it/);
  await expect(bar(ana).getByRole('region', { name: 'story-bot asks for a person' })).toContainText('Owner is on it');
  await expect(person).toHaveTitle(/You are on it/);

  await bar(person).getByRole('button', { name: 'Take the wheel' }).click();
  await expect(bar(ana)).toContainText('Owner has the wheel');
  await bar(ana).getByRole('button', { name: 'Ask for the wheel' }).click();
  await expect(bar(person)).toContainText('Ana asks for the wheel');
  await bar(person).getByRole('button', { name: 'Give it' }).click();
  await expect(bar(ana)).toContainText('You have the wheel');
  await ana.getByRole('textbox', { name: 'Note for story-bot' }).first().fill('4711');
  await bar(ana).getByRole('button', { name: 'Done, hand back' }).click();
  expect(await call).toMatchObject({ question: { answer: { result: 'done', note: '4711', by: { name: 'Ana' } } } });

  await bar(person).getByRole('button', { name: 'Pause agents' }).click();
  const paused = ana.getByRole('region', { name: 'The agents are paused' });
  await expect(paused).toContainText('Owner paused the agents.');
  await expect(paused.getByRole('button')).toHaveCount(0);
  const typed = product.act(id, { kind: 'type', selector: 'input', text: '4711' });
  await person.getByRole('region', { name: 'The agents are paused' }).getByRole('button', { name: 'Resume' }).click();
  expect(await typed).toMatchObject({ ok: true });
  await expect(paused).toHaveCount(0);
  await ana.context().close();
});
