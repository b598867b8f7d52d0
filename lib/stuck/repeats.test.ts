import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepeatDetector, type AgentAttempt, type RepeatVerdict } from './repeats';

const missed: AgentAttempt = { key: 'click "Buy"', code: 'COVERED' };
const pressed: AgentAttempt = { key: 'click "Buy"', code: undefined };
const states = (repeats: RepeatDetector, attempts: readonly AgentAttempt[]): RepeatVerdict['state'][] =>
  attempts.map((attempt) => repeats.did(attempt).state);

describe('RepeatDetector', () => {
  it('[CO9] calls three failures in a row of the same action in the same way stuck, until an action works', () => {
    expect(states(new RepeatDetector(), [missed, missed, missed, missed, pressed, missed])).toEqual([
      'fine',
      'fine',
      'fails',
      'fails',
      'fine',
      'fine',
    ]);
    expect(
      states(new RepeatDetector(), [
        missed,
        { ...missed, code: 'DISABLED' },
        missed,
        { ...missed, key: 'other' },
        missed,
        missed,
      ]),
    ).toEqual(Array.from({ length: 6 }, () => 'fine'));
  });

  it('[CO9] does not count failures that are not the page’s fault: no lease, no right, too fast', () => {
    const repeats = new RepeatDetector();

    expect(
      states(repeats, [missed, missed, { ...missed, code: 'CONTROL_HELD' }, { ...missed, code: 'RATE_LIMITED' }]),
    ).toEqual(Array.from({ length: 4 }, () => 'fine'));
    expect(repeats.did(missed).state).toBe('fails');
  });

  it('[CO9] looks at the page after every six successes of the same action, and calls it stuck when two looks are equal', () => {
    const repeats = new RepeatDetector();
    const six = Array.from({ length: 6 }, () => pressed);

    expect(states(repeats, six).at(-1)).toBe('look');
    expect(repeats.looked('a list')).toEqual({ state: 'fine' });
    expect(states(repeats, six).at(-1)).toBe('look');
    expect(repeats.looked('a longer list')).toEqual({ state: 'fine' });
    states(repeats, six);
    expect(repeats.looked('a longer list')).toEqual({ state: 'repeats', times: 18 });
    repeats.forget();
    states(repeats, six);
    expect(repeats.looked('a longer list')).toEqual({ state: 'fine' });
  });

  it('[CO9] never judges an agent whose actions differ, or whose page changes', () => {
    const attempt = fc.record({
      key: fc.constantFrom('a', 'b'),
      code: fc.constantFrom(undefined, 'COVERED', 'CONTROL_LOST'),
    });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 60, size: 'max' }), (attempts) => {
        const repeats = new RepeatDetector();
        let run = 0;
        let last: AgentAttempt | undefined;
        for (const [index, one] of attempts.entries()) {
          const counts = one.code !== 'CONTROL_LOST';
          if (counts) run = last?.key === one.key && last.code === one.code ? run + 1 : 1;
          if (counts) last = one;
          const verdict = repeats.did(one);
          expect(verdict.state === 'fails').toBe(counts && one.code !== undefined && run >= 3);
          if (verdict.state === 'look') expect(repeats.looked(`page ${index}`).state).toBe('fine');
        }
      }),
    );
  });
});
