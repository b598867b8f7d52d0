import { describe, expect, it } from 'vitest';
import { LinkMeter } from './link-meter';

describe('LinkMeter', () => {
  it('counts pictures and bits of the last two seconds', () => {
    let now = 0;
    const meter = new LinkMeter(() => now);
    for (now = 0; now <= 4_000; now += 100) meter.frame(1_000);
    now = 4_000;
    expect(meter.read()).toEqual({ fps: 10.5, latencyMs: undefined, bitsPerSecond: 84_000 });
  });

  it('falls to nothing on a still page', () => {
    let now = 0;
    const meter = new LinkMeter(() => now);
    meter.frame(50_000);
    now = 2_001;
    expect(meter.read()).toEqual({ fps: 0, latencyMs: undefined, bitsPerSecond: 0 });
  });

  it('gives the median of the last round trips, so that one hiccup does not show', () => {
    const meter = new LinkMeter(() => 0);
    for (const ms of [900, 900, 900, 900, 900, 20, 22, 500, 21, 24, 23, 20, 26, 25]) meter.roundTrip(ms);
    expect(meter.read().latencyMs).toBe(23);
  });
});
