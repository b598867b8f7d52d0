import type { Page } from '@playwright/test';
import { expect, test as base, WINDOW } from './support/product';

const PAUSE_MS = 15_000;

const test = base.extend<{ person: Page }>({
  person: async ({ product, browser, windows }, use) => {
    const phone = await browser.newContext({
      ...WINDOW,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await windows.storageState(),
    });
    await use(await phone.newPage());
    await phone.close();
    await product.endSessions(windows);
  },
});

test.describe('on a phone', () => {
  test('[ui] the wall and the cockpit fit, and the wheel is one thumb away', async ({ product, person, serve }) => {
    const id = await product.session(serve('<p>ok'), 'Pocket');
    await person.goto(`${product.origin}/`);
    await expect(person.getByRole('article').filter({ hasText: 'Pocket' })).toBeVisible();
    expect(await sidewaysScroll(person)).toBe(0);

    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.locator('canvas').first()).toBeVisible();
    expect(await sidewaysScroll(person)).toBe(0);
    const take = person.getByRole('contentinfo', { name: 'The wheel' }).getByRole('button', { name: 'Take the wheel' });
    const box = await take.boundingBox();
    expect(box?.height ?? 0).toBeGreaterThanOrEqual(40);
    expect(box?.width ?? 0).toBeGreaterThan(200);
    await take.tap();
    await expect(person.getByRole('button', { name: 'Hand back' })).toBeVisible();
  });

  test('[CO6][CO8] while somebody drives, privately, with an open question, the page keeps 45 % of the height; the rest is a sheet away', async ({
    product,
    person,
    serve,
  }) => {
    const id = await product.session(serve('<p>ok'), 'Asks in a pocket');
    const asked = product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, {
      do: 'ask-human',
      reason: 'Which pot shall it be?',
      instructions: 'The blue or the green one.',
      timeoutMs: 120_000,
    });
    await person.goto(`${product.origin}/sessions/${id}`);
    const question = person.getByRole('region', { name: 'story-bot asks for a person' });
    await question.getByRole('button', { name: 'Answer' }).tap();
    await expect(person.getByRole('dialog')).toContainText('The blue or the green one.');
    await person.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await person.getByRole('button', { name: 'Take the wheel' }).tap();
    await person.getByRole('button', { name: 'Private' }).tap();
    await expect(person.getByRole('button', { name: 'End private' })).toBeVisible({ timeout: PAUSE_MS });
    await expect(question).toBeVisible();
    await expect
      .poll(async () => ((await person.locator('#page-panel').boundingBox())?.height ?? 0) / 844, { timeout: PAUSE_MS })
      .toBeGreaterThanOrEqual(0.45);
    expect(await sidewaysScroll(person)).toBe(0);

    await person.getByRole('button', { name: /^Note for story-bot/ }).tap();
    await person.getByRole('dialog').getByRole('textbox', { name: 'Note for story-bot' }).fill('The blue one');
    await person.getByRole('dialog').getByRole('button', { name: 'Close' }).last().tap();
    await person.getByRole('button', { name: 'Done, hand back' }).tap();
    expect(await asked).toMatchObject({
      question: { state: 'answered', answer: { result: 'done', note: 'The blue one' } },
    });
  });
});

function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}
