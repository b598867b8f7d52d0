import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACK_LEAD_MS, CHROME_WINDOW, planAck } from './ack-plan';

describe('planAck', () => {
  it('[FR1] acknowledges nothing while nobody has credit', () => {
    expect(planAck({ outstanding: 2, wantedAt: undefined, eager: false, now: 0 })).toEqual({ ack: 0 });
  });

  it('[FR1] acknowledges everything at once for somebody who takes all', () => {
    expect(planAck({ outstanding: 2, wantedAt: 10, eager: true, now: 10 })).toEqual({ ack: 2 });
    expect(planAck({ outstanding: 1, wantedAt: 30, eager: true, now: 10 })).toEqual({ ack: 1 });
  });

  it('[FR1] waits with it while credit is far off', () => {
    expect(planAck({ outstanding: 1, wantedAt: 134, eager: true, now: 0 })).toEqual({ ack: 0, wakeInMs: 100 });
  });

  it('[FR1] a paced capture parks two of Chrome’s credits and gives the third just before it is wanted', () => {
    const wantedAt = 500;
    expect(planAck({ outstanding: 2, wantedAt, eager: false, now: 0 })).toEqual({ ack: 0 });
    expect(planAck({ outstanding: 3, wantedAt, eager: false, now: 0 })).toEqual({ ack: 0, wakeInMs: 500 - ACK_LEAD_MS });
    expect(planAck({ outstanding: 3, wantedAt, eager: false, now: 490 })).toEqual({ ack: 1 });
  });

  it('[FR1] never acknowledges more than is outstanding, and is never stuck while somebody has credit', () => {
    const facts = fc.record({
      outstanding: fc.integer({ min: 0, max: 5 }),
      wantedAt: fc.option(fc.double({ min: 0, max: 1_000, noNaN: true }), { nil: undefined }),
      eager: fc.boolean(),
      now: fc.double({ min: 0, max: 1_000, noNaN: true }),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const plan = planAck(given);
        expect(plan.ack).toBeLessThanOrEqual(given.outstanding);
        const chromeIsFree = given.outstanding - plan.ack < CHROME_WINDOW;
        expect(chromeIsFree || plan.wakeInMs !== undefined || given.wantedAt === undefined).toBe(true);
      }),
    );
  });
});
