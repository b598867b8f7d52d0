import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock';

describe('FakeClock', () => {
  it('[BU1] runs timers in the order of their time, each at its own time', () => {
    const clock = new FakeClock();
    const ran: string[] = [];
    clock.after(30, () => ran.push(`c at ${clock.now()}`));
    clock.after(10, () => ran.push(`a at ${clock.now()}`));
    clock.after(10, () => ran.push(`b at ${clock.now()}`));
    clock.advance(20);
    expect(ran).toEqual(['a at 10', 'b at 10']);
    clock.advance(20);
    expect([ran.at(-1), clock.now(), clock.waiting]).toEqual(['c at 30', 40, 0]);
  });

  it('[BU1] runs timers that are set while it advances, and no cancelled ones', () => {
    const clock = new FakeClock();
    const ran: number[] = [];
    const cancel = clock.after(5, () => ran.push(-1));
    clock.after(5, () => clock.after(5, () => ran.push(clock.now())));
    cancel();
    clock.advance(10);
    expect(ran).toEqual([10]);
  });
});
