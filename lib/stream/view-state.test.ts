import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeView, sameView, type ViewJudgement, type ViewFacts, type ViewState } from './view-state';

const rest: ViewFacts = { stop: undefined, motions: [], motionMs: 1_000, waitingSince: undefined, lastLagMs: 0 };
const live: ViewState = { state: 'live' };
const still: ViewState = { state: 'still' };
const wasLive: ViewJudgement = { view: live, moving: true, recheckInMs: undefined };
const wasStill: ViewJudgement = { view: still, moving: false, recheckInMs: undefined };

function wasBehind(behindMs: number, moving = true): ViewJudgement {
  return { view: { state: 'behind', behindMs }, moving, recheckInMs: undefined };
}

describe('judgeView', () => {
  it('[FR5] live while pictures come, and for a second after the last', () => {
    const facts = { ...rest, motions: [900, 1_000] };
    expect(judgeView(wasLive, facts, 1_100)).toEqual({ view: live, moving: true, recheckInMs: 900 });
    expect(judgeView(wasLive, facts, 2_000)).toEqual({ view: still, moving: false, recheckInMs: undefined });
  });

  it('[FR5] a single picture, like a blinking cursor, does not count as motion', () => {
    expect(judgeView(wasStill, { ...rest, motions: [0, 5_000] }, 5_001).view).toEqual(still);
    expect(judgeView(wasStill, { ...rest, motions: [4_500, 5_000] }, 5_001).view).toEqual(live);
  });

  it('[FR5] behind from half a second on, reported again only when it doubles', () => {
    const facts = { ...rest, waitingSince: 0 };
    expect(judgeView(wasStill, facts, 499)).toMatchObject({ view: still, recheckInMs: 1 });
    const first = judgeView(wasStill, facts, 500);
    expect(first).toMatchObject({ view: { state: 'behind', behindMs: 500 }, recheckInMs: 500 });
    expect(judgeView(first, facts, 999).view).toBe(first.view);
    expect(judgeView(first, facts, 1_000).view).toEqual({ state: 'behind', behindMs: 1_000 });
  });

  it('[FR5] on a slow way it stays behind between two pictures, and is not behind once the page rests', () => {
    const moving = { ...rest, motions: [9_000, 9_500], lastLagMs: 700 };
    expect(judgeView(wasBehind(700), { ...moving, waitingSince: 9_990 }, 10_000).view).toEqual({
      state: 'behind',
      behindMs: 700,
    });
    expect(judgeView(wasBehind(700), moving, 10_600).view).toEqual(still);
  });

  it('[FR5] a viewer that was behind must come well below the limit', () => {
    const moving = { ...rest, motions: [900, 950] };
    expect(judgeView(wasBehind(600), { ...moving, lastLagMs: 300 }, 1_000).view.state).toBe('behind');
    expect(judgeView(wasBehind(600), { ...moving, lastLagMs: 200 }, 1_000).view).toEqual(live);
  });

  it('[FR5] paused and lost give a reason and take precedence', () => {
    const stop = { state: 'paused', reason: 'alert: Hello' } as const;
    expect(judgeView(wasLive, { ...rest, stop, waitingSince: 0 }, 9_000)).toEqual({
      view: stop,
      moving: false,
      recheckInMs: undefined,
    });
    expect(sameView(stop, { ...stop })).toBe(true);
    expect(sameView(stop, { ...stop, reason: 'confirm: Sure?' })).toBe(false);
  });

  it('[FR5] judging twice at one time gives the same answer', () => {
    const sights = fc.record({
      stop: fc.constant(undefined),
      motions: fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 2 }),
      motionMs: fc.constant(1_000),
      waitingSince: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
      lastLagMs: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(
        sights,
        fc.constantFrom(wasLive, wasStill, wasBehind(800), wasBehind(800, false)),
        (facts, previous) => {
          const first = judgeView(previous, facts, 10_000);
          expect(sameView(first.view, judgeView(first, facts, 10_000).view)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
