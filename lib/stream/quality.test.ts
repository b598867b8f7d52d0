import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterCalm, afterLook, calmAt, chosen, qualityOf, tierOf, type Look, type Quality } from './quality';
import type { Tier } from './tiers';

const PAGE = 1_280;
const GOOD: Omit<Look, 'at'> = { roundTripMs: 30, quickestMs: 20, queueMs: 5, starved: false };
const LATE: Omit<Look, 'at'> = { roundTripMs: 700, quickestMs: 650, queueMs: 20, starved: true };

/** A viewer's quality over time, with every change of its tier. */
function viewer(start: Quality, page = PAGE) {
  const changes: { at: number; tier: Tier }[] = [];
  let [quality, now] = [start, 0];
  const became = (next: Quality): void => {
    const { tier } = tierOf(next, page);
    if (tier !== tierOf(quality, page).tier) changes.push({ at: now, tier });
    quality = next;
  };
  return {
    changes,
    tier: () => tierOf(quality, page),
    now: () => now,
    /** Time passes, and the timer runs that a viewer sets. */
    pass: (ms: number): void => {
      const until = now + ms;
      for (let at = calmAt(quality, page); at !== undefined && at <= until; at = calmAt(quality, page)) {
        now = Math.max(now, at);
        became(afterCalm(quality, now, page));
      }
      now = until;
    },
    look: (look: Omit<Look, 'at'>): void => became(afterLook(quality, { ...look, at: now }, page)),
  };
}

/** Looks each half second. */
function play(one: ReturnType<typeof viewer>, look: Omit<Look, 'at'>, forMs: number): void {
  for (let ms = 0; ms < forMs; ms += 500) {
    one.pass(500);
    one.look(look);
  }
}

/** Bytes of a picture of each tier, as measured of pages with much in them. */
const BYTES: Readonly<Record<Tier, number>> = { thumbnail: 12_000, low: 15_000, standard: 60_000, high: 250_000 };

/** A page in motion over a link of this latency and bandwidth. */
function overLink(one: ReturnType<typeof viewer>, latencyMs: number, bytesPerMs: number, forMs: number): void {
  let noise = 1;
  for (const end = one.now() + forMs; one.now() < end;) {
    noise = (noise * 16_807) % 2_147_483_647;
    const { tier } = one.tier();
    const roundTripMs = (latencyMs + BYTES[tier] / bytesPerMs) * (0.9 + (noise % 200) / 1_000);
    const starved = Math.min(30, 3_000 / latencyMs, (1_000 * bytesPerMs) / BYTES[tier]) < 15;
    one.pass(Math.max(500, roundTripMs));
    // Pictures that were sent before a change do not count.
    if (one.tier().tier === tier)
      one.look({ roundTripMs, quickestMs: roundTripMs * 0.95, queueMs: roundTripMs * 0.05, starved });
  }
}

describe('quality', () => {
  it('[FR6] goes down after two seconds of late pictures, not after a single one, and up after ten without', () => {
    const one = viewer(qualityOf('auto'));
    one.look(LATE);
    play(one, GOOD, 5_000);
    one.look(LATE);
    play(one, GOOD, 5_000);
    const single = one.changes.length;
    one.look(LATE);
    for (const ms of [1_000, 900, 200]) {
      one.pass(ms);
      one.look(LATE);
    }
    const down = one.tier();
    play(one, { ...GOOD, roundTripMs: 300, quickestMs: 290 }, 20_000);

    expect(single).toBe(0);
    expect(down).toEqual({ tier: 'low', because: 'link' });
    expect(one.tier()).toEqual({ tier: 'standard', because: 'size' });
    expect(one.changes.map(({ tier }) => tier)).toEqual(['low', 'standard']);
    expect((one.changes[1]?.at ?? 0) - (one.changes[0]?.at ?? 0)).toBeGreaterThanOrEqual(10_000);
  });

  it('[FR6] a page at rest is shown sharp again, without any picture on the way', () => {
    const one = viewer(qualityOf('auto'));
    play(one, LATE, 3_000);
    const moving = one.tier().tier;
    one.pass(10_000);
    expect([moving, one.tier().tier]).toEqual(['low', 'standard']);
  });

  it('[FR6] each try of a better tier that fails makes the next one come later, up to 80 seconds', () => {
    const one = viewer(qualityOf('auto'));
    // 1 Mbit/s and 200 ms, 20 minutes.
    overLink(one, 200, 125, 1_200_000);
    const ups = one.changes.filter(({ tier }) => tier === 'standard').map(({ at }) => at);
    const downs = one.changes.filter(({ tier }) => tier === 'low').map(({ at }) => at);
    const waits = ups.map((at, index) => Math.round((at - (downs[index] ?? 0)) / 10_000));
    expect(downs[0]).toBeLessThan(5_000);
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 8]);
  });

  it('[FR6] a viewer who is far away keeps the better tier: smaller pictures come no sooner', () => {
    for (const latencyMs of [250, 600]) {
      const one = viewer(qualityOf('auto'));
      overLink(one, latencyMs, 10_000, 600_000);
      expect(one.tier().tier).toBe('standard');
      expect(one.changes.length).toBeLessThanOrEqual(2);
    }
  });

  it('[FR6] is as good as the size needs, and not better', () => {
    const large = { width: 900, dpr: 2 };
    expect(tierOf(qualityOf('auto'), 1_920).tier).toBe('standard');
    expect(tierOf(qualityOf('auto', large), 1_920)).toEqual({ tier: 'high', because: 'size' });
    expect(tierOf(qualityOf('auto', large), 1_280).tier).toBe('standard');
    expect(tierOf(qualityOf('auto', { width: 390, dpr: 3 }), 1_920).tier).toBe('standard');
    const one = viewer(qualityOf('auto', large), 1_920);
    play(one, LATE, 3_000);
    expect(one.tier()).toEqual({ tier: 'standard', because: 'link' });
  });

  it('[FR6] a chosen tier stays, whatever the link, and what is known of the link stays for later', () => {
    const slow = viewer(qualityOf('standard'));
    overLink(slow, 400, 8, 60_000);
    expect(slow.changes).toEqual([]);
    expect(slow.tier()).toEqual({ tier: 'standard', because: 'chosen' });
    const size = { width: 900, dpr: 2 };
    const back = chosen(chosen(qualityOf('auto', size), 'low', undefined), 'auto', undefined);
    expect(back).toEqual(qualityOf('auto', size));
  });

  it('[FR6] does not flap: of any link the tier settles', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 800 }), fc.integer({ min: 4, max: 20_000 }), (latencyMs, bytesPerMs) => {
        const one = viewer(qualityOf('auto', { width: 1_920, dpr: 1 }), 1_920);
        overLink(one, latencyMs, bytesPerMs, 600_000);
        // A try and its end each 80 seconds, after the first minutes.
        expect(one.changes.filter(({ at }) => at > 200_000).length).toBeLessThanOrEqual(11);
      }),
      { numRuns: 50 },
    );
  });

  it('[FR6] does not flap, whatever the link does: random traces', () => {
    const step = fc.record({
      ms: fc.integer({ min: 500, max: 15_000 }),
      looks: fc.integer({ min: 1, max: 8 }),
      look: fc.record({
        roundTripMs: fc.integer({ min: 1, max: 3_000 }),
        quickestMs: fc.integer({ min: 1, max: 3_000 }),
        queueMs: fc.integer({ min: 0, max: 1_000 }),
        starved: fc.boolean(),
      }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const one = viewer(qualityOf('auto', { width: 1_920, dpr: 1 }), 1_920);
        for (const { ms, looks, look } of steps) {
          for (let count = 0; count < looks; count += 1) {
            one.pass(ms / looks);
            one.look(look);
          }
        }
        const times = one.changes.map(({ at }) => at);
        const least = (apart: number): number =>
          Math.min(...times.map((at, index) => at - (times[index - apart] ?? Number.NEGATIVE_INFINITY)));
        // Never two changes within two seconds, and few of them in any minute and in any ten.
        expect(least(1) >= 2_000 && least(9) > 60_000 && least(20) > 600_000).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
