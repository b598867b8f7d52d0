import { afterAll, beforeAll, expect, it } from 'vitest';
import { ActionBench, newBudget } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

it('[EV3] a script whose deadline passes before a busy page could take it is not started afterwards', async () => {
  await bench.show('<p>Busy</p>');
  const { evaluator, sessions } = bench.tab;
  const busy = sessions.bulk.send('Runtime.evaluate', { expression: 'for (;;);' }).catch(() => undefined);
  const [short, long] = [newBudget(200), newBudget(20_000)];
  const late = evaluator.run(short, { fn: '() => { window.begun = true; }', args: [] });

  await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
  await busy;
  expect(await evaluator.run(long, { fn: 'typeof window.begun', args: [] })).toBe('undefined');
  short.dispose();
  long.dispose();
});
