import type { XY } from './page-point';
import type { InputEvent } from '@/lib/protocol/input';

type Press = Extract<InputEvent, { type: 'down' | 'up' }>;
type Wheel = Extract<InputEvent, { type: 'wheel' }>;
export type Button = Press['button'];

const BUTTONS: readonly Button[] = ['left', 'middle', 'right', 'back', 'forward'];

/** Name of a DOM button number; undefined for buttons that Chrome has no name for. */
export function buttonName(button: number): Button | undefined {
  return BUTTONS[button];
}

export interface ModifierKeys {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** CDP's bit field: Alt 1, Control 2, Meta 4, Shift 8. */
export function modifierBits({ altKey, ctrlKey, metaKey, shiftKey }: ModifierKeys): number {
  return (altKey ? 1 : 0) + (ctrlKey ? 2 : 0) + (metaKey ? 4 : 0) + (shiftKey ? 8 : 0);
}

/** The last press, for counting clicks. */
export interface LastPress extends XY {
  readonly button: Button;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly count: number;
}

/**
 * Time and distance within which presses count as a double or triple click, as on most desktops. Milliseconds and CSS
 * pixels of the page.
 */
const MULTI_CLICK = { ms: 500, pixels: 5 } as const;

/** Counts the clicks in a row, 1 to 3; starts again after the third. */
export function countClick(last: LastPress | undefined, press: Omit<LastPress, 'count'>): LastPress {
  const again =
    last !== undefined &&
    last.button === press.button &&
    press.at - last.at <= MULTI_CLICK.ms &&
    Math.abs(press.x - last.x) <= MULTI_CLICK.pixels &&
    Math.abs(press.y - last.y) <= MULTI_CLICK.pixels;
  return { ...press, count: again ? (last.count % 3) + 1 : 1 };
}

export interface WheelTurn extends ModifierKeys {
  readonly deltaX: number;
  readonly deltaY: number;
  /** WheelEvent.deltaMode: 0 pixels, 1 lines, 2 pages. */
  readonly deltaMode: number;
}

/** CSS pixels of a line in WheelEvent's line mode, as in Firefox. */
const LINE_PIXELS = 16;
const MOST_DELTA = 10_000;

/**
 * Converts a WheelEvent over a point of the page.
 * @param pageHeight CSS pixels that page mode scrolls
 */
export function wheelInput(turn: WheelTurn, at: XY, pageHeight: number): Wheel {
  const unit = turn.deltaMode === 0 ? 1 : turn.deltaMode === 1 ? LINE_PIXELS : pageHeight;
  const pixels = (delta: number): number =>
    Math.min(Math.max(Math.round(delta * unit * 100) / 100, -MOST_DELTA), MOST_DELTA);
  return { type: 'wheel', ...at, dx: pixels(turn.deltaX), dy: pixels(turn.deltaY), modifiers: modifierBits(turn) };
}

/** Adds up two wheel events of one animation frame, at the point of the second. */
export function sumWheel(first: Wheel, second: Wheel): Wheel {
  const bounded = (delta: number): number => Math.min(Math.max(delta, -MOST_DELTA), MOST_DELTA);
  return { ...second, dx: bounded(first.dx + second.dx), dy: bounded(first.dy + second.dy) };
}
