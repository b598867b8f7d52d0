import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

/** Scripts have names that never show in values, errors or the console (CO3, EV6). */

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

describe('the name of a script', () => {
  it.each([
    ['an expression', '(() => { throw new TypeError("no") })()'],
    ['a function', '() => { throw new TypeError("no") }'],
    ['statements that have another name', 'throw new TypeError("no")\n//# sourceURL=mine.js'],
  ])('[EV6] is in no stack that a caller gets: %s', async (_, fn) => {
    await bench.show('<p>Names</p>');
    const { error } = await bench.run({ kind: 'evaluate', fn });
    const stack = String(error?.details?.['stack']);
    expect([error?.details?.['name'], stack]).toEqual([
      'TypeError',
      expect.stringMatching(/^TypeError: no\n {4}at .*<anonymous>:\d+:\d+/),
    ]);
    expect(JSON.stringify(error?.details)).not.toContain('evaluate-');
  });

  it('[EV6] is not in a value, nor in the console', async () => {
    await bench.show('<p>Names</p>');
    const { outcome } = await bench.run({
      kind: 'evaluate',
      fn: '() => { console.log("told"); setTimeout(() => { throw new Error("late") }, 0); return new Promise((done) => setTimeout(() => done(new Error("x").stack), 50)); }',
    });
    expect(outcome?.value).toMatch(/^Error: x\n {4}at .*<anonymous>:\d+:\d+/);
    const rings = JSON.stringify([bench.tab.watch.console.read({}), bench.tab.watch.errors.read({})]);
    expect([rings.includes('told'), rings.includes('late'), rings.includes('evaluate-')]).toEqual([true, true, false]);
  });
});
