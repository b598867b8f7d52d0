import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import { BoundedMap } from './bounded-map';
import { Deferred } from './deferred';
import { repeat, Timer, Timers } from './timers';
import { LATE, sleep, within } from './within';

describe('Deferred', () => {
  it("[BU1] settles once, with its owner's result", async () => {
    const [done, failed] = [new Deferred<number>(), new Deferred()];
    done.resolve(1);
    done.resolve(2);
    failed.reject(new Error('no'));

    expect(await Promise.allSettled([done.promise, failed.promise])).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('no') },
    ]);
  });
});

describe('within', () => {
  it('[BU3] gives the result that comes in time, or LATE, and leaves no timer', async () => {
    const clock = new FakeClock();
    const work = new Deferred<string>();
    const [soon, late] = [within(clock, 100, Promise.resolve('done')), within(clock, 100, work.promise)];
    const failing = within(clock, 100, Promise.reject(new Error('no'))).catch(String);
    expect([await soon, await failing]).toEqual(['done', 'Error: no']);
    clock.advance(100);

    expect(await late).toBe(LATE);
    expect(clock.waiting).toBe(0);
    work.reject(new Error('a late failure is told to nobody'));
  });

  it('[BU3] sleeps on the clock', async () => {
    const clock = new FakeClock();
    const slept = sleep(clock, 50);
    clock.advance(50);
    await slept;
    expect(clock.waiting).toBe(0);
  });
});

describe('BoundedMap', () => {
  it('[BR7] forgets the entry that was set longest ago, and returns it', () => {
    const forgotten: string[] = [];
    const map = new BoundedMap<string, number>(2, (key, value) => forgotten.push(`${key}=${value}`));
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
    expect(forgotten).toEqual(['b=2']);
  });
});

describe('Timer', () => {
  it('[BU2] can be restarted, ensured without restarting, and stopped', () => {
    const clock = new FakeClock();
    const timer = new Timer(clock);
    const calls: string[] = [];
    timer.start(10, () => calls.push('first'));
    timer.start(20, () => calls.push('second'));
    timer.ensure(5, () => calls.push('never'));
    clock.advance(20);
    timer.ensure(5, () => calls.push('third'));
    clock.advance(5);
    timer.start(5, () => calls.push('never'));
    timer.stop();

    expect(calls).toEqual(['second', 'third']);
    expect([timer.running, clock.waiting]).toEqual([false, 0]);
  });
});

describe('repeat', () => {
  it('[BU2] waits for the work before it counts on, until it is stopped', async () => {
    const clock = new FakeClock();
    const works: Deferred[] = [];
    const stop = repeat(clock, 10, () => {
      works.push(new Deferred());
      return works.at(-1)?.promise;
    });
    clock.advance(30);
    expect([works.length, clock.waiting]).toEqual([1, 0]);
    works[0]?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10);
    expect(works).toHaveLength(2);
    stop();
    works[1]?.resolve();
    await new Promise((resolve) => setImmediate(resolve));

    expect(clock.waiting).toBe(0);
  });
});

describe('Timers', () => {
  it('[BU2] plans by name, replaces and cancels; plans nothing once disposed', () => {
    const clock = new FakeClock();
    const timers = new Timers(clock);
    const calls: string[] = [];
    const plan = (name: string, ms: number, said = name): void => timers.plan(name, ms, () => calls.push(said));
    plan('a', 10, 'replaced');
    plan('a', 20);
    plan('b', 10);
    plan('c', 10);
    timers.cancel('c');
    clock.advance(20);
    plan('d', 10);
    timers.dispose();
    plan('e', 10);
    clock.advance(20);

    expect(calls).toEqual(['b', 'a']);
    expect([timers.disposed, clock.waiting]).toEqual([true, 0]);
  });
});
