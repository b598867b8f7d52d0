import type { Page } from '@playwright/test';
import { writeNote } from './support/note';
import { test } from './support/people';
import { expect } from './support/product';
import type { Words } from './support/words';

const PAUSE_MS = 15_000;

/** Says that this person is on the question; phones have it in a sheet. */
async function claim(page: Page, t: Words): Promise<void> {
  const answer = page.getByRole('button', { name: t('question.answer'), exact: true });
  const button = page.getByRole('button', { name: t('question.claim') });
  await answer.or(button).first().waitFor();
  const sheet = await answer.isVisible();
  if (sheet) await answer.click();
  await button.click();
  if (sheet) await page.keyboard.press('Escape');
}

test('[CO4] two people in two browsers and an agent pass the wheel on: one is on the question, the other gets the wheel and hands it back; then the agents are paused', async ({
  product,
  person,
  serve,
  member,
  t,
}) => {
  const id = await product.session(serve('<input aria-label="Code">'), 'Between two');
  const bar = (page: Page) => page.getByRole('contentinfo', { name: t('cockpit.lease.label') });
  const ana = await member({ name: 'Ana' });
  const cockpit = `${product.origin}/sessions/${id}`;
  await Promise.all([person.goto(cockpit), ana.goto(cockpit)]);
  const call = product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, {
    do: 'ask-human',
    reason: 'A code was sent to a phone',
    timeoutMs: 120_000,
  });

  await expect(ana).toHaveTitle(new RegExp(t('lease.needsYou')), { timeout: PAUSE_MS });
  await claim(person, t);
  await expect(ana).toHaveTitle(new RegExp(t('lease.personOnIt', { name: 'Owner' })));
  await expect(bar(ana).getByRole('region', { name: t('question.label', { name: 'story-bot' }) })).toContainText(
    t('question.personOnIt', { name: 'Owner' }),
  );
  await expect(person).toHaveTitle(new RegExp(t('lease.youOnIt')));

  await bar(person)
    .getByRole('button', { name: t('cockpit.lease.take') })
    .click();
  await expect(bar(ana)).toContainText(t('cockpit.lease.has', { name: 'Owner' }));
  await bar(ana)
    .getByRole('button', { name: t('cockpit.lease.ask') })
    .click();
  await expect(bar(person)).toContainText(t('cockpit.lease.asks', { name: 'Ana' }));
  await bar(person)
    .getByRole('button', { name: t('cockpit.lease.give') })
    .click();
  await expect(bar(ana).getByText(t('cockpit.lease.youHave'), { exact: true })).toHaveCount(1);
  await writeNote(ana, t, 'story-bot', '4711');
  await bar(ana)
    .getByRole('button', { name: t('question.doneBack') })
    .click();
  expect(await call).toMatchObject({ question: { answer: { result: 'done', note: '4711', by: { name: 'Ana' } } } });

  await bar(person)
    .getByRole('button', { name: t('cockpit.pause.pause') })
    .click();
  const paused = ana.getByRole('region', { name: t('cockpit.pause.label') });
  await expect(paused).toContainText(t('cockpit.pause.others', { name: 'Owner' }));
  await expect(paused.getByRole('button')).toHaveCount(0);
  const typed = product.act(id, { kind: 'type', selector: 'input', text: '4711' });
  await person
    .getByRole('region', { name: t('cockpit.pause.label') })
    .getByRole('button', { name: t('cockpit.pause.resume') })
    .click();
  expect(await typed).toMatchObject({ ok: true });
  await expect(paused).toHaveCount(0);
});
