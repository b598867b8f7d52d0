import { expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { Background } from './background';
import type { Budget } from './budget';
import { monotonicClock } from './clock';

const LONG_MS = 60_000;
const never = (budget: Budget): Promise<never> => budget.race(new Promise<never>(() => undefined));

it('[BU2] cancels all unfinished work together, and later work at once; finished work is not affected', async () => {
  const background = new Background(monotonicClock);
  const done = await background.run(LONG_MS, () => Promise.resolve('done'));
  const running = Array.from({ length: 30 }, () => background.run(LONG_MS, never));
  background.end(new WheelhouseError('ABORTED', 'The server is stopping.'));
  background.end(new WheelhouseError('ABORTED', 'Twice.'));
  const ends = await Promise.allSettled([...running, background.run(LONG_MS, never)]);

  expect(done).toBe('done');
  expect(ends).toHaveLength(31);
  for (const end of ends)
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED', message: 'The server is stopping.' } });
  expect(background.over).toBe(true);
});

it('[F30] is no leak in the eyes of Node, however much there is at once', async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error): number => warnings.push(name);
  process.on('warning', listen);
  const background = new Background(monotonicClock);
  const running = Array.from({ length: 30 }, () => background.run(LONG_MS, never));
  // Node emits the warning one turn later.
  await new Promise((resolve) => setImmediate(resolve));
  background.end(new WheelhouseError('ABORTED', 'The server is stopping.'));
  await Promise.allSettled(running);
  process.off('warning', listen);

  expect(warnings).toEqual([]);
});
