import { expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { SerialQueue } from './serial-queue';

it('[T15] runs one at a time, and a lane that is full keeps no other lane waiting or out', async () => {
  const queue = new SerialQueue(3, () => new WheelhouseError('RATE_LIMITED', 'Too many.'));
  const ran: string[] = [];
  let running = 0;
  const work = (name: string, lane: string): Promise<void> =>
    queue.run(async () => {
      running += 1;
      ran.push(`${name}${running}`);
      await Promise.resolve();
      running -= 1;
      if (name === 'fails') throw new Error('It failed.');
    }, lane);
  const all = await Promise.allSettled([
    ...[work('fails', 'one'), work('b', 'one'), work('c', 'one'), work('refused', 'one')],
    ...[work('x', 'two'), work('y', 'two')],
  ]);
  await work('later', 'one');

  expect(ran).toEqual(['fails1', 'x1', 'b1', 'y1', 'c1', 'later1']);
  expect(all.map(({ status }) => status)).toEqual([
    ...['rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  ]);
});
