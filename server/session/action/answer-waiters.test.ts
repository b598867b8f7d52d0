import { describe, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { AnswerWaiters, RESEND_MS } from './reservations';

/** A running action whose budget is far longer than the wait for its callers, and a connection that can be cut. */
function underway() {
  const clock = new FakeClock();
  const budget = createBudget({ timeoutMs: RESEND_MS * 10, clock });
  const audience = new AnswerWaiters(clock, budget);
  const join = () => {
    const line = new AbortController();
    return { leave: audience.join(line.signal), cut: () => line.abort() };
  };
  return { clock, budget, audience, join };
}

describe('an action whose caller was cut off', () => {
  it('[BU2][F7] continues for ten seconds, and is aborted when no caller has come back', () => {
    const { clock, budget, join } = underway();
    join().cut();
    clock.advance(RESEND_MS - 1);
    const before = budget.over;
    clock.advance(1);

    expect([before, budget.over, budget.reason().code]).toEqual([false, true, 'ABORTED']);
  });

  it('[F7] runs to its own end when it is sent again in time, also after both connections were cut in turn', () => {
    const { clock, budget, audience, join } = underway();
    join().cut();
    clock.advance(RESEND_MS - 1);
    join().cut();
    clock.advance(RESEND_MS - 1);
    join();
    clock.advance(RESEND_MS * 2);
    const waits = budget.over;
    audience.dispose();

    expect([waits, clock.waiting]).toEqual([false, 1]);
  });

  it('[F7] continues as long as one of its callers waits, and is abandoned when the last one has no more time', () => {
    const { clock, budget, join } = underway();
    const first = join();
    const second = join();
    first.cut();
    clock.advance(RESEND_MS * 2);
    const heard = budget.over;
    second.leave();
    second.cut();
    clock.advance(RESEND_MS);

    expect([heard, budget.over]).toEqual([false, true]);
  });

  it('[F7] that was cut off before it began is waited for just the same', () => {
    const { clock, budget, audience } = underway();
    audience.join(AbortSignal.abort());
    clock.advance(RESEND_MS - 1);
    const before = budget.over;
    clock.advance(1);

    expect([before, budget.over]).toEqual([false, true]);
  });

  it('[F7] that was answered is waited for no more', () => {
    const { clock, budget, audience, join } = underway();
    const caller = join();
    audience.dispose();
    caller.cut();
    clock.advance(RESEND_MS);

    // Its own deadline is all that is left on the clock.
    expect([budget.over, clock.waiting]).toEqual([false, 1]);
  });
});
