import { describe, expect, it } from 'vitest';
import { touch, type Touch, type TouchAction, type TouchEventLike } from './touch';

const event = (type: TouchEventLike['type'], x: number, y: number, at = 0, finger = 1): TouchEventLike => ({
  type,
  finger,
  point: { x, y },
  at,
});

function play(...events: TouchEventLike[]): TouchAction[] {
  let state: Touch = { state: 'none' };
  return events.flatMap((one) => {
    const step = touch(state, one);
    state = step.state;
    return step.action ? [step.action] : [];
  });
}

describe('touch', () => {
  it('clicks where a short tap began', () => {
    expect(play(event('down', 50, 60), event('move', 53, 62, 80), event('up', 53, 62, 120))).toEqual([
      { do: 'tap', at: { x: 50, y: 60 } },
    ]);
  });

  it('scrolls against the finger, every pixel once', () => {
    const actions = play(event('down', 50, 100), event('move', 50, 80), event('move', 55, 30), event('up', 55, 30));
    expect(actions).toEqual([
      { do: 'scroll', at: { x: 50, y: 100 }, dx: 0, dy: 20 },
      { do: 'scroll', at: { x: 50, y: 100 }, dx: -5, dy: 50 },
    ]);
  });

  it('does nothing with a long press, a cancelled touch or a second finger', () => {
    expect(play(event('down', 5, 5), event('up', 5, 5, 601))).toEqual([]);
    expect(play(event('down', 5, 5), event('cancel', 5, 5))).toEqual([]);
    expect(
      play(event('down', 5, 5), event('down', 90, 90, 10, 2), event('up', 5, 5, 20), event('up', 90, 90, 30, 2)),
    ).toEqual([]);
  });
});
