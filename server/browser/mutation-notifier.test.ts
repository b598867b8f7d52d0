import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';
import { Emitter } from './emitter';
import { MutationNotifier } from './mutation-notifier';

let bench: ActionBench;
let mutationNotifier: MutationNotifier | undefined;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());
afterEach(() => mutationNotifier?.dispose());

/** Changes something again and again until the bell rings: what happens before it listens is not its to tell. */
async function rung(change: () => Promise<unknown>): Promise<boolean> {
  const rings = new Emitter<[]>();
  mutationNotifier?.dispose();
  mutationNotifier = new MutationNotifier(bench.tab.frames, () => rings.emit());
  mutationNotifier.want(true);
  const rang = new Promise<boolean>((resolve) => rings.on(() => resolve(true)));
  for (;;) {
    await change();
    const heard = await Promise.race([rang, new Promise<false>((resolve) => setTimeout(() => resolve(false), 400))]);
    if (heard) return true;
  }
}

const GROW = 'void document.body.append("more")';

it('[SN8] notices a change inside a frame of another site, a frame within that, and a frame of the same site', async () => {
  await bench.show(`<h1>Still</h1><iframe src="${bench.elsewhere}/in"></iframe><iframe src="/same"></iframe>`, {
    '/in': 'in<iframe src="/deep"></iframe>',
    '/deep': 'deep',
    '/same': 'same',
  });
  await bench.frame('/deep');
  expect(await rung(() => bench.readIn('/in', GROW))).toBe(true);
  expect(await rung(() => bench.readIn('/in', 'void frames[0].document.body.append("more")'))).toBe(true);
  expect(await rung(() => bench.read('void frames[1].document.body.append("more")'))).toBe(true);
});

it('[SN8] notices changes in the next document of a frame, also in another process', async () => {
  await bench.show('<iframe src="/one"></iframe>', { '/one': 'one', '/two': 'two' });
  await bench.frame('/one');
  expect(await rung(() => bench.read(`void (frames[0].location.href = '${bench.elsewhere}/two')`))).toBe(true);
  await bench.frame('/two');
  expect(await rung(() => bench.readIn('/two', GROW))).toBe(true);
});
