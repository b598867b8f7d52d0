import { describe, expect, it } from 'vitest';
import { freshPace, intervalOf, mayPassAt, passed, type Pace } from './pace';

/** Offers a picture every `everyMs`; returns how many passed in ten seconds. */
function run(fps: number, everyMs: number): number {
  let pace: Pace = freshPace;
  let count = 0;
  for (let now = 0; now < 10_000; now += everyMs) {
    if (now < mayPassAt(pace, fps)) continue;
    pace = passed(pace, fps, now);
    count += 1;
  }
  return count;
}

describe('pace', () => {
  it('[FR2] passes pictures at the rate, however many come', () => {
    // One more than ten seconds hold: the last one may come early.
    expect(run(30, 1)).toBe(301);
    expect(run(2, 7)).toBe(21);
    expect(run(0.2, 100)).toBe(3);
  });

  it('[FR2] loses nothing to jitter of a source that has exactly the rate', () => {
    let pace: Pace = freshPace;
    const arrivals = Array.from({ length: 90 }, (_, index) => (index * 1_000) / 30 + (index % 2 === 0 ? 4 : -4));
    const passing = arrivals.filter((now) => {
      if (now < mayPassAt(pace, 30)) return false;
      pace = passed(pace, 30, now);
      return true;
    });
    expect(passing).toHaveLength(90);
  });

  it('[FR1] holds nothing back at sixty a second', () => {
    expect(intervalOf(60)).toBe(0);
    expect(mayPassAt(passed(freshPace, 60, 5), 60)).toBe(5);
  });

  it('[FR2] passes the first picture after a pause at once', () => {
    const pace = passed(freshPace, 2, 0);
    expect(mayPassAt(pace, 2)).toBeLessThan(60_000);
    expect(mayPassAt(passed(pace, 2, 60_000), 2)).toBe(60_350);
  });
});
