import { expect, it } from 'vitest';
import { aControl, ANA, aQuestion, aSession, AT, aTab, BOT, YOU } from '@/components/testing/views';
import { SeenCalls, openCalls } from './new-calls';

const asking = (id: string, control = aControl(BOT, { questions: [aQuestion({ id })] })) =>
  aSession({ tabs: [aTab({ control })] });

it('[CO6] open questions of live sessions call, but not where a person drives', () => {
  const driven = asking('q2', aControl(YOU, { questions: [aQuestion({ id: 'q2' })] }));
  expect(
    openCalls([
      asking('q1'),
      driven,
      aSession({ state: 'ended', tabs: [aTab({ control: aControl(BOT, { questions: [aQuestion()] }) })] }),
    ]),
  ).toEqual([{ id: 'q1', session: 's1', name: 'buyer-bot', reason: 'A code was sent to a phone', claimed: false }]);
});

it('[CO6] each call is told once, and none that was open when the page came', () => {
  const book = new SeenCalls();
  const told = [[], ['q1'], ['q1', 'q2'], ['q2'], ['q1', 'q2', 'q3']].map((ids) =>
    book.fresh(openCalls(ids.map((id) => asking(id)))).map(({ id }) => id),
  );
  expect(told).toEqual([[], ['q1'], ['q2'], [], ['q3']]);
  expect(new SeenCalls().fresh(openCalls([asking('q1')]))).toEqual([]);
});

it('[CO4] one that a person is on is not told, but told again when that person gives it up', () => {
  const claimed = (id: string) =>
    asking(id, aControl(BOT, { questions: [aQuestion({ id, claimed: { by: ANA, at: AT } })] }));
  const book = new SeenCalls();
  const told = [
    [],
    [asking('q1')],
    [claimed('q1')],
    [asking('q1')],
    [asking('q1')],
    [claimed('q2')],
    [asking('q2')],
  ].map((sessions) => book.fresh(openCalls(sessions)).map(({ id }) => id));
  expect(told).toEqual([[], ['q1'], [], ['q1'], [], [], ['q2']]);
});
