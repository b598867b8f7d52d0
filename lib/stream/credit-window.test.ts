import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creditExpectedAt, emptyWindow, hasRoom, painted, sent, type CreditWindow } from './credit-window';

const WANTED_MS = 1_000 / 60;

interface Way {
  readonly roundMs: number;
  readonly eachMs: number;
  /** Never more than one picture on its way. */
  readonly single?: boolean;
}

/** `shownMs`: how old the picture is that the viewer sees, on average. */
interface Travelled {
  readonly perSecond: number;
  readonly shownMs: number;
  readonly window: CreditWindow;
}

/**
 * A connection to a viewer: a round trip of `roundMs`, plus `eachMs` for each picture, one at a time. Sends whenever
 * there is room and a new picture (60 a second).
 */
function travel(way: Way, forMs: number, start: CreditWindow = emptyWindow): Travelled {
  let window = start;
  let arriving: { ticket: number; sentAt: number; shownAt: number; at: number }[] = [];
  let [ticket, count, free, shown, ages] = [0, 0, 0, 0, 0];
  for (let now = 0; now < forMs; now += 1) {
    shown = arriving.filter((one) => one.shownAt <= now).at(-1)?.sentAt ?? shown;
    ages += now - shown;
    for (const due of arriving.filter((one) => one.at <= now)) {
      window = painted(window, due.ticket, now, WANTED_MS).window;
      count += 1;
    }
    arriving = arriving.filter((one) => one.at > now);
    if (now % 17 !== 0 || !hasRoom(window) || (way.single && window.inFlight.length > 0)) continue;
    window = sent(window, { ticket: (ticket += 1), sentAt: now, since: now });
    free = Math.max(free, now) + way.eachMs;
    arriving.push({ ticket, sentAt: now, shownAt: free + way.roundMs / 2, at: Math.ceil(free + way.roundMs) });
  }
  return { perSecond: (count / forMs) * 1_000, shownMs: ages / forMs, window };
}

function afterSending(count: number, size = 3): CreditWindow {
  const tickets = Array.from({ length: count }, (_, index) => index + 1);
  return tickets.reduce((window, ticket) => sent(window, { ticket, sentAt: ticket, since: ticket }), {
    ...emptyWindow,
    size,
  });
}

describe('credit window', () => {
  it('[FR2] starts with one picture in flight', () => {
    const one = sent(emptyWindow, { ticket: 1, sentAt: 0, since: 0 });
    expect(hasRoom(emptyWindow)).toBe(true);
    expect(hasRoom(one)).toBe(false);
    expect(painted(one, 1, 5, WANTED_MS)).toMatchObject({ verdict: 'credited', window: { inFlight: [] } });
  });

  it('[FR2] grows so that 60/s flow over a round trip of 30 ms with 10 ms of painting', () => {
    const { perSecond, window } = travel({ roundMs: 40, eachMs: 2 }, 5_000);
    expect(window.size).toBe(3);
    expect(perSecond).toBeGreaterThan(54);
  });

  it('[FR2] stays at one on localhost', () => {
    expect(travel({ roundMs: 3, eachMs: 1 }, 5_000).window.size).toBe(1);
  });

  it('[F8] stays at one when more pictures would only queue: 64 kbit/s, 400 ms', () => {
    expect(travel({ roundMs: 400, eachMs: 5_000 }, 120_000).window.size).toBe(1);
  });

  it('[FR6] has a second picture on its way to a viewer far away, whose connection carries it: 1 Mbit/s, 200 ms', () => {
    // 15 KB each: the second one waits for nothing.
    const { perSecond, shownMs, window } = travel({ roundMs: 200, eachMs: 120 }, 30_000);
    expect(window.size).toBe(2);
    expect(perSecond).toBeGreaterThan(5.5);
    expect(shownMs).toBeLessThan(travel({ roundMs: 200, eachMs: 120, single: true }, 30_000).shownMs);
  });

  it('[FR6] where a second one would wait, it is tried ever more seldom', () => {
    // 60 KB each, as a tier above carries them.
    const { perSecond } = travel({ roundMs: 200, eachMs: 480 }, 600_000);
    const { perSecond: single } = travel({ roundMs: 200, eachMs: 480, single: true }, 600_000);
    expect(perSecond / single).toBeLessThan(1.05);
  });

  it('[F8] over any way the shown picture is at most a seventh older than with one at a time', () => {
    const way = fc.record({ roundMs: fc.integer({ min: 1, max: 900 }), eachMs: fc.integer({ min: 1, max: 1_500 }) });
    fc.assert(
      fc.property(way, (one) => {
        const single = travel({ ...one, single: true }, 60_000).shownMs;
        expect(travel(one, 60_000).shownMs).toBeLessThan(1.15 * single + 20);
      }),
      { numRuns: 40 },
    );
  });

  it('[F8] falls back when the way became narrow', () => {
    const wide = travel({ roundMs: 40, eachMs: 2 }, 5_000).window;
    expect(travel({ roundMs: 40, eachMs: 200 }, 30_000, { ...wide, inFlight: [], credited: 0 }).window.size).toBe(1);
  });

  it('[F21] a duplicate or forged message changes nothing', () => {
    const { window } = painted(afterSending(2), 1, 10, WANTED_MS);
    expect(painted(window, 1, 11, WANTED_MS)).toEqual({ window, verdict: 'duplicate' });
    expect(painted(window, 99, 11, WANTED_MS)).toEqual({ window, verdict: 'unknown' });
  });

  it('[F21] credits are cumulative: all pictures before a painted one are credited', () => {
    const { window } = painted(afterSending(3), 2, 10, WANTED_MS);
    expect(window.inFlight.map((one) => one.ticket)).toEqual([3]);
    expect(painted(window, 1, 11, WANTED_MS).verdict).toBe('duplicate');
  });

  it('[F21] under any order, loss and duplication of messages at most three pictures are in flight, and each is credited once', () => {
    const message = fc.record({
      ticket: fc.integer({ min: 0, max: 60 }),
      afterMs: fc.integer({ min: 0, max: 400 }),
      send: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 200, size: 'max' }), (messages) => {
        let [window, now, ticket] = [emptyWindow, 0, 0];
        let credited = 0;
        for (const one of messages) {
          now += one.afterMs;
          if (one.send && hasRoom(window)) window = sent(window, { ticket: (ticket += 1), sentAt: now, since: now });
          const waiting = window.inFlight.map((flight) => flight.ticket);
          const step = painted(window, one.ticket, now, WANTED_MS);
          expect(step.verdict === 'credited').toBe(waiting.includes(one.ticket));
          credited += waiting.length - step.window.inFlight.length;
          if (step.verdict !== 'credited') expect(step.window).toBe(window);
          window = step.window;
          expect(window.inFlight.length).toBeLessThanOrEqual(3);
        }
        expect(credited + window.inFlight.length).toBe(ticket);
      }),
      { numRuns: 150 },
    );
  });

  it('[FR1] predicts the next credit, unless it is overdue', () => {
    const { window } = painted(sent(emptyWindow, { ticket: 1, sentAt: 0, since: 0 }), 1, 40, WANTED_MS);
    const full = sent(window, { ticket: 2, sentAt: 100, since: 100 });
    expect(creditExpectedAt(window, 100)).toBe(100);
    expect(creditExpectedAt(full, 110)).toBe(140);
    expect(creditExpectedAt(full, 150)).toBe(150);
    expect(creditExpectedAt(full, 200)).toBeUndefined();
    expect(creditExpectedAt(sent(emptyWindow, { ticket: 1, sentAt: 0, since: 0 }), 1)).toBeUndefined();
  });
});
