import { expect, test, textField } from './support/product';

const PAUSE_MS = 15_000;

test('[CO6] an agent asks for a person: the wall says so in its title, the person answers with a note in the cockpit, and the call of the agent returns it', async ({ product, person }) => {
  const shop = await product.shop(person);
  const id = await product.session(shop, 'Needs a hand');
  await person.goto(product.origin);
  const call = product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, { do: 'ask-human', reason: 'Which pot shall it be?', instructions: 'The blue or the green one.', timeoutMs: 120_000 });

  await expect(person).toHaveTitle(/^\(\d+\) /, { timeout: PAUSE_MS });
  await expect(person.getByRole('article').first()).toContainText('story-bot asks: “Which pot shall it be?”');
  await person.goto(`${product.origin}/sessions/${id}`);
  await expect(person).toHaveTitle(/Needs you/, { timeout: PAUSE_MS });
  const asked = person.getByRole('region', { name: 'story-bot asks for a person' });
  await expect(asked).toContainText('The blue or the green one.');
  await asked.getByRole('textbox', { name: 'Note for story-bot' }).fill('The blue one');
  await asked.getByRole('button', { name: 'Done' }).click();

  const answer: unknown = await call;
  expect(answer).toMatchObject({ question: { state: 'answered', reason: 'Which pot shall it be?', answer: { result: 'done', note: 'The blue one' } } });
  expect(textField(answer, 'state')).toBe('held');
  await expect(asked).toHaveCount(0, { timeout: PAUSE_MS });
  await expect(person).toHaveTitle(/Agent driving|Idle/, { timeout: PAUSE_MS });
});
