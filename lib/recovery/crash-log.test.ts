import { describe, expect, it } from 'vitest';
import { CrashLog } from './crash-log';

const MINUTE = 60_000;

describe('CrashLog', () => {
  it('[BR5] [F2] lets what crashed come back by itself twice; the third crash within ten minutes waits for a person', () => {
    const log = new CrashLog(2);
    const answers = [0, 2, 9].map((minute) => log.crashed(minute * MINUTE));
    log.forget();

    expect([answers, log.crashed(9 * MINUTE)]).toEqual([[true, true, false], true]);
  });

  it('[CO9] forgets crashes of more than ten minutes ago', () => {
    const log = new CrashLog(1);

    expect([0, 10, 15, 20, 25].map((minute) => [log.crashed(minute * MINUTE), log.count])).toEqual([
      [true, 1],
      [true, 1],
      [false, 2],
      [false, 2],
      [false, 2],
    ]);
  });
});
