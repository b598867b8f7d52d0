import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSWER, CHROME_WINDOW, UNPACED_LEAD_MS, learnAnswer, planAck } from './ack-plan';

const NEVER = Number.POSITIVE_INFINITY;
const nobody = { pacedAt: NEVER, pacedEveryMs: NEVER, unpacedAt: NEVER };

describe('planAck', () => {
  it('[FR1] acknowledges nothing while no sink has credit', () => {
    expect([0, 1, 3].map((outstanding) => planAck(outstanding, nobody, 0))).toEqual([
      { ack: 0 },
      { ack: 0 },
      { ack: 0 },
    ]);
  });

  it('[FR1] acknowledges everything at once for a sink without a rate that has credit, or will soon', () => {
    expect(planAck(2, { ...nobody, unpacedAt: 10 }, 10)).toEqual({ ack: 2 });
    expect(planAck(1, { ...nobody, unpacedAt: 10 + UNPACED_LEAD_MS }, 10)).toEqual({ ack: 1 });
  });

  it('[FR1] waits while that credit is far off', () => {
    expect(planAck(3, { ...nobody, unpacedAt: 100 + UNPACED_LEAD_MS }, 0)).toEqual({ ack: 0, wakeInMs: 100 });
  });

  it('[FR1] gives Chrome one credit for a rate, just before the picture is wanted', () => {
    const wants = { ...nobody, pacedAt: 500, pacedEveryMs: 500 };
    expect(planAck(2, wants, 0)).toEqual({ ack: 0 });
    expect(planAck(3, wants, 0)).toEqual({ ack: 0, wakeInMs: 500 - ANSWER.leastMs });
    expect(planAck(3, wants, 490)).toEqual({ ack: 1 });
  });

  it('[FR1] asks earlier when Chrome takes longer, and for several at once when one at a time is too slow', () => {
    const after = (tookMs: number): number =>
      Array.from({ length: 100 }, () => tookMs).reduce(learnAnswer, ANSWER.leastMs);
    expect([after(5), Math.round(after(35)), after(500)]).toEqual([ANSWER.leastMs, 35, ANSWER.mostMs]);
    expect(planAck(3, { ...nobody, pacedAt: 500, pacedEveryMs: 500 }, 0, after(35)).wakeInMs).toBeCloseTo(465, 0);
    const watching = { ...nobody, pacedAt: 0, pacedEveryMs: 33 };
    expect([20, 60, 90].map((tookMs) => planAck(3, watching, 0, after(tookMs)).ack)).toEqual([1, 2, 3]);
  });

  it('[FR1] follows the fastest sink: a slow one beside it changes nothing', () => {
    expect(planAck(1, { pacedAt: 500, pacedEveryMs: 500, unpacedAt: 0 }, 0)).toEqual(
      planAck(1, { ...nobody, unpacedAt: 0 }, 0),
    );
    expect(planAck(3, { pacedAt: 0, pacedEveryMs: 500, unpacedAt: 500 }, 0)).toEqual({ ack: 1 });
  });

  it('[FR1] never acknowledges more than is outstanding, and Chrome is never stuck while somebody has credit', () => {
    const at = fc.oneof(fc.constant(NEVER), fc.double({ min: 0, max: 1_000, noNaN: true }));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        at,
        at,
        fc.double({ min: 0, max: 1_000, noNaN: true }),
        fc.integer({ min: 18, max: 100 }),
        (outstanding, pacedAt, unpacedAt, now, answerMs) => {
          const plan = planAck(outstanding, { pacedAt, pacedEveryMs: 33, unpacedAt }, now, answerMs);
          expect(plan.ack).toBeLessThanOrEqual(outstanding);
          const free = outstanding - plan.ack < CHROME_WINDOW;
          const wanted = pacedAt !== NEVER || unpacedAt !== NEVER;
          expect(free || !wanted || (plan.wakeInMs ?? 0) > 0).toBe(true);
        },
      ),
    );
  });
});
