import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { createBudget, withBudget, type Budget, type BudgetInit } from './budget';
import { FakeClock } from './fake-clock';

const never = (): Promise<never> => new Promise(() => undefined);
const lost = new WheelhouseError('CONTROL_LOST', 'Ada took the wheel.');

/** A clock and a budget on it. */
function started(timeoutMs: number, more: Partial<BudgetInit> = {}): { clock: FakeClock; budget: Budget } {
  const clock = new FakeClock();
  return { clock, budget: createBudget({ timeoutMs, clock, ...more }) };
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => `settled with ${String(value)}`,
    (error: unknown) => error,
  );

describe('the deadline of a budget', () => {
  it('[BU2] counts down on the given clock, not below 0', () => {
    const { clock, budget } = started(1_000);
    expect([budget.remainingMs(), budget.elapsedMs(), budget.over]).toEqual([1_000, 0, false]);
    clock.advance(400);
    expect([budget.remainingMs(), budget.elapsedMs(), budget.over]).toEqual([600, 400, false]);
    clock.advance(5_000);
    expect([budget.remainingMs(), budget.over]).toEqual([0, true]);
  });

  it('[BU3] ends waits at the deadline, not before', async () => {
    const { clock, budget } = started(1_000);
    let ended = false;
    const waiting = failure(budget.race(never())).then((error) => {
      ended = true;
      return error;
    });
    clock.advance(999);
    await Promise.resolve();
    expect(ended).toBe(false);
    clock.advance(1);
    expect(await waiting).toMatchObject({ code: 'TIMEOUT', message: 'Not done within 1000 ms.' });
  });

  it('[BU3] ends everything that waits on it, at once', async () => {
    const { clock, budget } = started(1_000);
    const waiting = [budget.race(never()), budget.pause(5_000), budget.during('the page', never)].map(failure);
    clock.advance(1_000);
    expect(await Promise.all(waiting)).toEqual([1, 2, 3].map(() => expect.objectContaining({ code: 'TIMEOUT' })));
  });

  it('[BU3] an ended budget starts nothing more', async () => {
    const { clock, budget } = started(50);
    clock.advance(50);
    let begun = false;
    const work = async (): Promise<void> => {
      begun = true;
    };
    expect(await failure(budget.during('more', work))).toMatchObject({ code: 'TIMEOUT' });
    expect(begun).toBe(false);
    expect(() => budget.check()).toThrow('Not done within 50 ms.');
  });
});

describe('race', () => {
  it('[BU1] gives the value or the failure of the work', async () => {
    const { budget } = started(1_000);
    expect(await budget.race(Promise.resolve('done'))).toBe('done');
    const broken = new Error('broken');
    expect(await failure(budget.race(Promise.reject(broken)))).toBe(broken);
  });

  it('[BU3] ignores a late failure, whether the work began before or after the end', async () => {
    const { clock, budget } = started(10);
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const waiting = failure(budget.race(late));
    clock.advance(10);
    expect(await failure(budget.race(Promise.reject(new Error('after'))))).toMatchObject({ code: 'TIMEOUT' });
    fail(new Error('much later'));
    expect(await waiting).toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('ending a budget early', () => {
  it('[CO3] gives the reason to every waiter, and keeps it', async () => {
    const { clock, budget } = started(1_000);
    const waiting = failure(budget.race(never()));
    budget.abort(lost);
    expect(await waiting).toBe(lost);
    clock.advance(2_000);
    expect(budget.reason()).toBe(lost);
  });

  it("[BU2] the caller's own abort ends it as ABORTED, with its cause", async () => {
    const caller = new AbortController();
    const { budget } = started(1_000, { signal: caller.signal });
    const waiting = failure(budget.race(never()));
    const cause = new Error('socket closed');
    caller.abort(cause);
    expect(await waiting).toMatchObject({ code: 'ABORTED', cause });
  });

  it('[BU2] refuses a budget to a caller that has already gone', () => {
    const { budget } = started(1_000, { signal: AbortSignal.abort() });
    expect(budget.over).toBe(true);
    expect(budget.reason().code).toBe('ABORTED');
  });

  it('[BU2] keeps our own abort reason through the signal', () => {
    expect(started(1_000, { signal: AbortSignal.abort(lost) }).budget.reason()).toBe(lost);
  });
});

describe('a budget that counts from when the call came in', () => {
  it('[BU1] ends at that time and its own, and says its whole time', async () => {
    const { clock, budget } = started(10_000);
    clock.advance(400);
    const action = createBudget({ timeoutMs: 1_000, clock, startedAt: budget.startedAt });
    const request = budget.shortened(1_000);
    expect([action, request].map((one) => [one.remainingMs(), one.elapsedMs(), one.timeoutMs])).toEqual([
      [600, 400, 1_000],
      [600, 400, 1_000],
    ]);
    clock.advance(600);
    expect([action.over, request.over, budget.over]).toEqual([true, true, false]);
    expect(request.reason().message).toBe('Not done within 1000 ms.');
  });

  it('[BU1] is over at once when its time has passed before it is made', () => {
    const { clock, budget } = started(10_000);
    clock.advance(400);
    const late = budget.shortened(300);
    expect([late.remainingMs(), late.over]).toEqual([0, true]);
  });

  it('[BU4] names the server when its time has passed before anything was tried', () => {
    const { clock, budget } = started(10_000);
    clock.advance(400);
    const untried = createBudget({ timeoutMs: 300, clock, startedAt: budget.startedAt });
    budget.step('the sign-in')();
    const tried = budget.shortened(300);
    const errors = [untried, tried].map((one) => one.reason());
    expect(errors.map(({ message, details }) => [message, details])).toEqual([
      [
        'Not done within 300 ms while waiting for: the server to begin.',
        { log: [{ label: 'the server to begin', atMs: 0 }] },
      ],
      ['Not done within 300 ms.', { log: [{ label: 'the sign-in', atMs: 400, ms: 0 }] }],
    ]);
  });
});

describe('a child budget', () => {
  it("[BU1] gets the requested time or the rest of the parent's, less the reserve", () => {
    const { clock, budget } = started(1_000);
    clock.advance(200);
    expect(budget.child(300).remainingMs()).toBe(300);
    expect(budget.child(5_000).remainingMs()).toBe(800);
    expect(budget.child(5_000, { reserveMs: 100 }).remainingMs()).toBe(700);
    expect(budget.child(300, { reserveMs: 100 }).remainingMs()).toBe(300);
    expect(budget.child(5_000, { reserveMs: 900 }).remainingMs()).toBe(0);
  });

  it('[BU1] ends without ending its parent', async () => {
    const { clock, budget } = started(1_000);
    const child = budget.child(100);
    clock.advance(100);
    expect(await failure(child.race(never()))).toMatchObject({ code: 'TIMEOUT', message: 'Not done within 100 ms.' });
    expect(budget.over).toBe(false);
    child.abort(lost);
    expect(budget.over).toBe(false);
  });

  it("[BU1] ends with its parent, and for its parent's reason", () => {
    const { clock, budget } = started(1_000);
    const child = budget.child(5_000);
    clock.advance(1_000);
    expect(child.reason()).toBe(budget.reason());
    const other = started(1_000);
    const grandchild = other.budget.child(500).child(100);
    other.budget.abort(lost);
    expect(grandchild.reason()).toBe(lost);
  });

  it('[BU4] writes into the log of the whole call, on its time', () => {
    const { clock, budget } = started(1_000);
    clock.advance(300);
    budget.child(100).step('inside')();
    expect(budget.log).toEqual([{ label: 'inside', atMs: 300, ms: 0 }]);
  });
});

describe('the call log', () => {
  it('[BU4] a timeout names the wait, the earlier attempts and the duration', async () => {
    const { clock, budget } = started(1_000);
    const first = budget.during('the tab to be free', () => budget.pause(250));
    clock.advance(250);
    await first;
    const second = failure(budget.during('the button to be visible', never));
    clock.advance(750);
    const error = await second;
    expect(error).toMatchObject({
      message: 'Not done within 1000 ms while waiting for: the button to be visible.',
      details: {
        log: [
          { label: 'the tab to be free', atMs: 0, ms: 250 },
          { label: 'the button to be visible', atMs: 250, ms: 750 },
        ],
      },
    });
  });

  it('[BU4] names the innermost thing that is still waited for', () => {
    const { clock, budget } = started(100);
    budget.step('outer');
    budget.step('inner')();
    budget.step('innermost');
    clock.advance(100);
    expect(budget.reason().message).toMatch(/innermost\.$/);
  });

  it('[BU4] a step that fails is logged to its end too', async () => {
    const { budget } = started(100);
    await failure(budget.during('failing', () => Promise.reject(new Error('no'))));
    expect(budget.log).toEqual([{ label: 'failing', atMs: 0, ms: 0 }]);
  });

  it('[BU4] stays short in a long call: it keeps the beginning and the latest entries', () => {
    const { budget } = started(1_000);
    for (let index = 0; index < 500; index += 1) budget.step(`step ${index}`)();
    const labels = budget.log.map(({ label }) => label);
    expect(labels).toHaveLength(60);
    expect([labels[0], labels[29], labels.at(-1)]).toEqual(['step 0', 'step 29', 'step 499']);
  });
});

describe('pause', () => {
  it('[BU3] waits on the clock and leaves no timer, whether it ends or is cut short', async () => {
    const { clock, budget } = started(1_000);
    const short = budget.pause(100);
    clock.advance(100);
    await short;
    expect(clock.waiting).toBe(1);
    const long = failure(budget.pause(5_000));
    clock.advance(900);
    expect(await long).toMatchObject({ code: 'TIMEOUT' });
    expect(clock.waiting).toBe(0);
  });
});

describe('within', () => {
  it('[BU1] gives work a part of the time, ends waiting with it, and leaves no timer', async () => {
    const { clock, budget } = started(1_000);
    const inner: number[] = [];
    const late = failure(budget.within(100, never));
    const done = await budget.within(5_000, async (part) => inner.push(part.remainingMs()), { reserveMs: 300 });
    clock.advance(100);

    expect([done, inner]).toEqual([1, [700]]);
    expect(await late).toMatchObject({ code: 'TIMEOUT' });
    expect([budget.over, clock.waiting]).toEqual([false, 1]);
  });
});

describe('dispose', () => {
  it('[BU2] leaves neither a timer nor a listener behind, also when done twice', () => {
    const caller = new AbortController();
    const { clock, budget } = started(1_000, { signal: caller.signal });
    const child = budget.child(100);
    child.dispose();
    budget.dispose();
    budget.dispose();
    expect(clock.waiting).toBe(0);
    caller.abort();
    expect(budget.over).toBe(false);
  });

  it('[BU1] withBudget disposes whether the work succeeds, fails or is cut short', async () => {
    const clock = new FakeClock();
    expect(await withBudget({ timeoutMs: 100, clock }, async (budget) => budget.remainingMs())).toBe(100);
    expect(await failure(withBudget({ timeoutMs: 100, clock }, () => Promise.reject(lost)))).toBe(lost);
    const cut = failure(withBudget({ timeoutMs: 100, clock }, (budget) => budget.race(never())));
    clock.advance(100);
    expect(await cut).toMatchObject({ code: 'TIMEOUT' });
    expect(clock.waiting).toBe(0);
  });
});
