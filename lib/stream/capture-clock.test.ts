import { describe, expect, it } from 'vitest';
import { CaptureClock } from './capture-clock';

const CHROME_AHEAD = 1_700_000_000_000;

describe('CaptureClock', () => {
  it('[FR4] a punctual picture was taken when it arrived, whatever Chrome’s clock says', () => {
    const clock = new CaptureClock();
    expect(clock.takenAt(CHROME_AHEAD, 50)).toBe(50);
    expect(clock.takenAt(CHROME_AHEAD + 20, 70)).toBe(70);
  });

  it('[FR2] a picture that waited on its way is as old as it waited', () => {
    const clock = new CaptureClock();
    clock.takenAt(CHROME_AHEAD, 50);
    expect(clock.takenAt(CHROME_AHEAD + 20, 70 + 3_000)).toBe(70);
  });

  it('[F20] a wall clock that was set back makes pictures look old only for a moment', () => {
    const clock = new CaptureClock();
    clock.takenAt(CHROME_AHEAD, 0);
    const seen = Array.from({ length: 20 }, (_, index) =>
      clock.takenAt(CHROME_AHEAD - 3_600_000 + index * 10, index * 10),
    );
    expect(seen.at(-1)).toBe(190);
  });

  it('[F20] setting the wall clock forward changes nothing', () => {
    const clock = new CaptureClock();
    clock.takenAt(CHROME_AHEAD, 0);
    expect(clock.takenAt(CHROME_AHEAD + 3_600_000, 100)).toBe(100);
  });
});
