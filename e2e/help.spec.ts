import type { Page } from '@playwright/test';
import { expect, test, textField } from './support/product';
import type { Words } from './support/words';

const PAUSE_MS = 15_000;

test('[CO6] an agent asks for a person: the wall says so in its title, the person answers with a note in the cockpit, and the call of the agent returns it', async ({
  product,
  person,
  serve,
  look,
  t,
}) => {
  const id = await product.session(serve('<p>ok'), 'Needs a hand');
  await person.goto(product.origin);
  const call = product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, {
    do: 'ask-human',
    reason: 'Which pot shall it be?',
    instructions: 'The blue or the green one.',
    timeoutMs: 120_000,
  });

  await expect(person).toHaveTitle(/^\(\d+\) /, { timeout: PAUSE_MS });
  await expect(person.getByRole('article').first()).toContainText(
    t('question.card', { name: 'story-bot', reason: 'Which pot shall it be?' }),
  );
  await person.goto(`${product.origin}/sessions/${id}`);
  await expect(person).toHaveTitle(new RegExp(t('lease.needsYou')), { timeout: PAUSE_MS });
  const asked = person.getByRole('region', { name: t('question.label', { name: 'story-bot' }) });
  const onPhone = look.size === 'phone';
  if (onPhone) await asked.getByRole('button', { name: t('question.answer') }).click();
  const form = onPhone ? person.getByRole('dialog') : asked;
  await expect(form).toContainText('The blue or the green one.');
  await form.getByRole('textbox', { name: t('question.note', { name: 'story-bot' }) }).fill('The blue one');
  await form.getByRole('button', { name: t('question.done'), exact: true }).click();

  const answer: unknown = await call;
  expect(answer).toMatchObject({
    question: { state: 'answered', reason: 'Which pot shall it be?', answer: { result: 'done', note: 'The blue one' } },
  });
  expect(textField(answer, 'state')).toBe('held');
  await expect(asked).toHaveCount(0, { timeout: PAUSE_MS });
  await expect(person).toHaveTitle(new RegExp(`${t('lease.agentDriving')}|${t('lease.idle')}`), { timeout: PAUSE_MS });
});

test('[CO6] a question is heard and notified where that was chosen, not before, and the notification leads to it', async ({
  product,
  person,
  serve,
  t,
}) => {
  await person.context().grantPermissions(['notifications']);
  await person.addInitScript(recordCalls);
  const [before, after] = [
    await product.session(serve('<p>ok'), 'Asks first'),
    await product.session(serve('<p>ok'), 'Asks second'),
  ];
  await person.goto(product.origin);
  const ask = (id: string, reason: string) =>
    void product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, {
      do: 'ask-human',
      reason,
      timeoutMs: 60_000,
    });
  ask(before, 'Which plant?');
  await expect(person.getByRole('article').filter({ hasText: 'Asks first' })).toContainText(
    t('question.card', { name: 'story-bot', reason: 'Which plant?' }),
    { timeout: PAUSE_MS },
  );
  expect(await calls(person)).toEqual({ tones: 0, notices: [] });

  await choose(person, t, 'sound');
  await expect.poll(() => calls(person)).toEqual({ tones: 2, notices: [] });
  await choose(person, t, 'notices');
  ask(after, 'Which pot?');
  await expect
    .poll(() => calls(person), { timeout: PAUSE_MS })
    .toEqual({ tones: 4, notices: [`${t('question.asks', { name: 'story-bot' })}: Which pot?`] });
  await person.evaluate(() => Reflect.get(window, 'lastNotice').dispatchEvent(new Event('click')));
  await expect(person).toHaveURL(new RegExp(`/sessions/${after}$`), { timeout: PAUSE_MS });
  await person.context().clearPermissions();
});

/**
 * Counts the tones and notifications of the page. Sets `document.hasFocus` to false, which Playwright emulates as true.
 */
function recordCalls(): void {
  const made = { tones: 0, notices: new Array<string>() };
  Object.assign(window, { made });
  document.hasFocus = () => false;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    made.tones += 1;
    start.call(this, when);
  };
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      made.notices.push(`${title}: ${options?.body}`);
      Object.assign(window, { lastNotice: this });
    }
  };
}

function calls(page: Page): Promise<unknown> {
  return page.evaluate(() => Reflect.get(window, 'made'));
}

/** Toggles an item of the settings menu, which is closed afterwards. */
async function choose(page: Page, t: Words, name: 'sound' | 'notices'): Promise<void> {
  await page.getByRole('button', { name: t('shell.settings') }).click();
  await page.getByRole('menuitemcheckbox', { name: t(`question.${name}`) }).click();
}
