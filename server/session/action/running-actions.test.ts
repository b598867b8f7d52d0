import { describe, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { WheelhouseError } from '@/lib/errors/error';
import { RunningActions, RunningAction } from './running-actions';

const running = (tab: string, actor: string): RunningAction =>
  new RunningAction(tab, actor, createBudget({ timeoutMs: 1_000, clock: new FakeClock() }));

/** A write to Chrome that is answered by hand. */
function write() {
  let answer: (failure?: Error) => void = () => undefined;
  const sent = new Promise<string>((resolve, reject) => {
    answer = (failure) => (failure ? reject(failure) : resolve('done'));
  });
  return { sent, answer: (failure?: Error): void => answer(failure) };
}

describe('RunningAction', () => {
  it('[CO3] is quiet when Chrome has answered every write, with any answer', async () => {
    const one = running('t1', 'a1');
    const [first, second] = [write(), write()];
    const results = [one.written(first.sent), one.written(second.sent)].map((work) =>
      work.catch((error: unknown) => error),
    );
    let quiet = false;
    const waiting = one.quiet().then(() => {
      quiet = true;
    });
    expect(one.pendingWrites).toBe(2);
    first.answer();
    expect(await results[0]).toBe('done');
    expect([one.pendingWrites, quiet]).toEqual([1, false]);
    second.answer(new Error('refused'));
    await waiting;
    expect([await results[1], one.pendingWrites]).toEqual([new Error('refused'), 0]);
  });

  it('[CO3] is quiet at once when nothing was written, and again after a write was answered', async () => {
    const one = running('t1', 'a1');
    await one.quiet();
    const again = write();
    const work = one.written(again.sent);
    const everybody = [one.quiet(), one.quiet()];
    again.answer();
    await Promise.all([work, ...everybody]);
    await one.quiet();
    expect(one.pendingWrites).toBe(0);
  });
});

describe('losing the lease', () => {
  const lost = new WheelhouseError('CONTROL_LOST', 'Ada took the wheel.');

  it('[CO3] waits for writes that may take effect, not for a script that may still be ended', async () => {
    const one = running('t1', 'a1');
    const [script, text] = [write(), write()];
    const both = [one.written(script.sent), one.written(text.sent, 'Input.insertText')];
    expect([one.mayLand, one.mayLandPaused]).toEqual([true, true]);
    text.answer();
    await one.landed();
    expect([one.mayLand, one.pendingWrites]).toEqual([false, 1]);
    script.answer();
    await Promise.all(both);
  });

  it('[CO3] gives the outcome of the action if it is known, and otherwise that it is unknown', async () => {
    const [known, unknown, own] = [running('t1', 'a1'), running('t1', 'a1'), running('t1', 'a1')];
    known.lose(lost, Promise.resolve('known'));
    unknown.lose(lost, Promise.resolve('unknown'));
    expect([known.budget.reason(), await known.judged(lost), await own.judged(lost)]).toEqual([lost, lost, lost]);
    expect(await unknown.judged(lost)).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('Ada took the wheel.'),
      details: { lost: 'CONTROL_LOST' },
      cause: lost,
    });
  });
});

describe('RunningActions', () => {
  it('[CO3] lists running actions, by tab and by actor, until they end', () => {
    const runningActions = new RunningActions();
    const [mine, other, elsewhere] = [running('t1', 'a1'), running('t1', 'p1'), running('t2', 'a1')];
    const [stop] = [mine, other, elsewhere].map((one) => runningActions.start(one));
    expect(runningActions.of('t1', 'a1')).toEqual([mine]);
    expect(runningActions.on('t1')).toEqual([mine, other]);
    stop?.();
    stop?.();
    expect([runningActions.of('t1', 'a1'), runningActions.of('t2', 'a1')]).toEqual([[], [elsewhere]]);
  });

  it('[CO3] still knows an action that was answered while Chrome has not acknowledged its last write', async () => {
    const runningActions = new RunningActions();
    const one = running('t1', 'a1');
    const key = write();
    const stop = runningActions.start(one);
    const sent = one.written(key.sent, 'Input.dispatchKeyEvent');
    stop();
    expect([runningActions.of('t1', 'a1'), one.mayLand]).toEqual([[one], true]);
    key.answer();
    await sent;
    await one.quiet();
    expect([runningActions.of('t1', 'a1'), one.mayLand]).toEqual([[], false]);
  });

  it('[BR5] ends all actions with one reason when the browser is gone', () => {
    const runningActions = new RunningActions();
    const all = [running('t1', 'a1'), running('t2', 'a2')];
    const ended = running('t3', 'a3');
    for (const one of all) runningActions.start(one);
    runningActions.start(ended)();
    const down = new WheelhouseError('BROWSER_DOWN', 'Chrome is gone.');
    runningActions.abortAll(down);
    expect(all.map(({ budget }) => budget.reason())).toEqual([down, down]);
    expect(ended.budget.over).toBe(false);
  });
});
