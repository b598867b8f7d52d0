import type { Page } from '@playwright/test';
import { writeNote } from './support/note';
import { expect, test } from './support/product';

const PAUSE_MS = 15_000;

test.use({ sizes: ['phone'] });

test.describe('on a phone', () => {
  test('[ui][CO6][CO8] the wall and the cockpit fit, and the wheel is one thumb away; while somebody drives, privately, with an open question, the page keeps 45 % of the height; the rest is a sheet away', async ({
    product,
    person,
    serve,
    t,
  }) => {
    const id = await product.session(serve('<p>ok'), 'Pocket');
    await person.goto(`${product.origin}/`);
    await expect(person.getByRole('article').filter({ hasText: 'Pocket' })).toBeVisible();
    expect(await sidewaysScroll(person)).toBe(0);

    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.locator('canvas').first()).toBeVisible();
    expect(await sidewaysScroll(person)).toBe(0);
    const take = person
      .getByRole('contentinfo', { name: t('cockpit.lease.label') })
      .getByRole('button', { name: t('cockpit.lease.take') });
    const box = await take.boundingBox();
    expect(box?.height ?? 0).toBeGreaterThanOrEqual(40);
    expect(box?.width ?? 0).toBeGreaterThan(200);

    const asked = product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, {
      do: 'ask-human',
      reason: 'Which pot shall it be?',
      instructions: 'The blue or the green one.',
      timeoutMs: 120_000,
    });
    const question = person.getByRole('region', { name: t('question.label', { name: 'story-bot' }) });
    await question.getByRole('button', { name: t('question.answer') }).tap();
    await expect(person.getByRole('dialog')).toContainText('The blue or the green one.');
    await person
      .getByRole('dialog')
      .getByRole('button', { name: t('common.close') })
      .tap();
    await take.tap();
    await person.getByRole('button', { name: t('cockpit.private.start') }).tap();
    await expect(person.getByRole('button', { name: t('cockpit.private.end') })).toBeVisible({ timeout: PAUSE_MS });
    await expect(question).toBeVisible();
    await expect
      .poll(async () => ((await person.locator('#page-panel').boundingBox())?.height ?? 0) / 844, { timeout: PAUSE_MS })
      .toBeGreaterThanOrEqual(0.45);
    expect(await sidewaysScroll(person)).toBe(0);

    await writeNote(person, t, 'story-bot', 'The blue one');
    await person.getByRole('button', { name: t('question.doneBack') }).tap();
    expect(await asked).toMatchObject({
      question: { state: 'answered', answer: { result: 'done', note: 'The blue one' } },
    });
    await take.tap();
    await expect(person.getByRole('button', { name: t('cockpit.lease.handBack') })).toBeVisible();
  });
});

function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}
