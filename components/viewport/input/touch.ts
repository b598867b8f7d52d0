import type { XY } from './page-point';

/** State of touches on the picture: a tap clicks, a drag scrolls. Points and distances in pixels of the window. */
export type Touch =
  | { readonly state: 'none' }
  | { readonly state: 'down'; readonly finger: number; readonly start: XY; readonly at: number }
  | { readonly state: 'scrolling'; readonly finger: number; readonly start: XY; readonly last: XY }
  /** More than one finger touched: the rest of the gesture is ignored. */
  | { readonly state: 'spent' };

export type TouchEventLike = {
  readonly type: 'down' | 'move' | 'up' | 'cancel';
  readonly finger: number;
  readonly point: XY;
  readonly at: number;
};

export type TouchAction =
  | { readonly do: 'tap'; readonly at: XY }
  /** The finger moved by this much; the content follows it. */
  | { readonly do: 'scroll'; readonly at: XY; readonly dx: number; readonly dy: number };

/** Pixels that a finger may move within a tap, and milliseconds after which it is no tap. */
const TOUCH = { slop: 10, tapMs: 600 } as const;

export function touch(state: Touch, event: TouchEventLike): { readonly state: Touch; readonly action?: TouchAction } {
  if (event.type === 'down')
    return {
      state:
        state.state === 'none'
          ? { state: 'down', finger: event.finger, start: event.point, at: event.at }
          : { state: 'spent' },
    };
  if (state.state === 'none' || state.state === 'spent')
    return { state: event.type === 'move' ? state : { state: 'none' } };
  if (event.finger !== state.finger) return { state };
  if (event.type === 'cancel') return { state: { state: 'none' } };
  if (event.type === 'up') return ended(state, event);
  return state.state === 'down' ? wandered(state, event) : scrolled(state, event.point);
}

function ended(
  state: Extract<Touch, { state: 'down' | 'scrolling' }>,
  event: TouchEventLike,
): { state: Touch; action?: TouchAction } {
  const tapped = state.state === 'down' && event.at - state.at <= TOUCH.tapMs;
  return tapped ? { state: { state: 'none' }, action: { do: 'tap', at: state.start } } : { state: { state: 'none' } };
}

function wandered(
  state: Extract<Touch, { state: 'down' }>,
  event: TouchEventLike,
): { state: Touch; action?: TouchAction } {
  const far = Math.hypot(event.point.x - state.start.x, event.point.y - state.start.y) > TOUCH.slop;
  if (!far) return { state };
  return scrolled({ state: 'scrolling', finger: state.finger, start: state.start, last: state.start }, event.point);
}

function scrolled(state: Extract<Touch, { state: 'scrolling' }>, point: XY): { state: Touch; action?: TouchAction } {
  const dx = state.last.x - point.x;
  const dy = state.last.y - point.y;
  return { state: { ...state, last: point }, action: { do: 'scroll', at: state.start, dx, dy } };
}
