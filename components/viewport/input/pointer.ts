import type { XY } from './page-point';
import type { InputEvent } from '@/lib/protocol/input';

type Press = Extract<InputEvent, { type: 'down' | 'up' }>;
type Wheel = Extract<InputEvent, { type: 'wheel' }>;
export type Button = Press['button'];

const BUTTONS: readonly Button[] = ['left', 'middle', 'right', 'back', 'forward'];

/** The DOM's button number by name; undefined for buttons Chrome has no name for. */
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

/** Milliseconds and page pixels within which presses make a double or triple click, as on most desktops. */
const MULTI_CLICK = { ms: 500, pixels: 5 } as const;

/** How many clicks in a row this press makes, 1 to 3; after the third it starts again. */
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

/** CSS pixels of a line of WheelEvent's line mode, as Firefox counts it. */
const LINE_PIXELS = 16;
const MOST_DELTA = 10_000;

/** A turn of the wheel over a point of the page. @param pageHeight CSS pixels that one page turn moves */
export function wheelInput(turn: WheelTurn, at: XY, pageHeight: number): Wheel {
  const unit = turn.deltaMode === 0 ? 1 : turn.deltaMode === 1 ? LINE_PIXELS : pageHeight;
  const pixels = (delta: number): number =>
    Math.min(Math.max(Math.round(delta * unit * 100) / 100, -MOST_DELTA), MOST_DELTA);
  return { type: 'wheel', ...at, dx: pixels(turn.deltaX), dy: pixels(turn.deltaY), modifiers: modifierBits(turn) };
}

/** Two turns in one animation frame are one, where the second happened. */
export function sumWheel(first: Wheel, second: Wheel): Wheel {
  const bounded = (delta: number): number => Math.min(Math.max(delta, -MOST_DELTA), MOST_DELTA);
  return { ...second, dx: bounded(first.dx + second.dx), dy: bounded(first.dy + second.dy) };
}
