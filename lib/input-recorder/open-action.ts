import { HIDDEN } from '@/lib/actions/hidden';
import type { Action } from '@/lib/actions/kinds';
import type { InputEvent } from '@/lib/protocol/input';
import type { RecordedAction } from './recorded-action';
import { heldIn } from './keys';
import type { TargetElement } from './target-element';

/** The action in progress: the person's last one, to which the next event may still belong. */
export type OpenAction = OpenClick | OpenDrag | OpenType | OpenPress | OpenScroll;

export type PressEvent = Extract<InputEvent, { type: 'down' | 'up' }>;

interface OpenClick {
  readonly kind: 'click';
  readonly at: number;
  readonly down: PressEvent;
  readonly seen: TargetElement | undefined;
  readonly count: number;
}

interface OpenDrag {
  readonly kind: 'drag';
  readonly at: number;
  readonly down: PressEvent;
  readonly up: PressEvent;
  readonly from: TargetElement | undefined;
  readonly to: TargetElement | undefined;
}

export interface OpenType {
  readonly kind: 'type';
  readonly at: number;
  readonly seen: TargetElement | undefined;
  /** Always empty when hidden. */
  readonly text: string;
  readonly hidden: boolean;
  /** The field's former content is replaced: it was empty, or all of it was selected. */
  readonly replaces: boolean;
  /** The whole content was selected first, so typing nothing still counts: it clears the field. */
  readonly clears: boolean;
  readonly cut: number;
}

interface OpenPress {
  readonly kind: 'press';
  readonly at: number;
  readonly seen: TargetElement | undefined;
  readonly key: string;
  readonly repeat: number;
}

interface OpenScroll {
  readonly kind: 'scroll';
  readonly at: number;
  readonly point: Point;
  readonly dx: number;
  readonly dy: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The most that one recorded action scrolls, CSS pixels; the schema's bound. */
const FARTHEST = 100_000;

/** The finished action; undefined when it had no effect. */
export function close(open: OpenAction): RecordedAction | undefined {
  const action = actionOf(open);
  if (!action) return undefined;
  const seen =
    open.kind === 'drag' ? open.from : open.kind === 'scroll' || action.kind === 'history' ? undefined : open.seen;
  const typed = open.kind === 'type' ? open : undefined;
  return {
    at: open.at,
    action,
    element:
      seen && seen.role !== ''
        ? { role: seen.role, name: seen.name, ...(seen.ref !== undefined && { ref: seen.ref }) }
        : undefined,
    hidden: typed?.hidden ?? false,
    cut: typed?.cut ?? 0,
  };
}

function actionOf(open: OpenAction): Action | undefined {
  switch (open.kind) {
    case 'click':
      return clicked(open);
    case 'drag':
      return dragged(open);
    case 'type':
      return typed(open);
    case 'press':
      return { kind: 'press', ...open.seen?.locator, key: open.key, ...(open.repeat > 1 && { repeat: open.repeat }) };
    case 'scroll':
      return scrolled(open);
  }
}

function clicked({ down, seen, count }: OpenClick): Action | undefined {
  const { button } = down;
  // The mouse's back and forward buttons navigate wherever they are pressed.
  if (button === 'back' || button === 'forward') return { kind: 'history', go: button };
  const modifiers = heldIn(down.modifiers);
  return {
    kind: 'click',
    ...(seen?.locator ?? { at: pointOf(down) }),
    ...(count > 1 && { count }),
    ...(button !== 'left' && { button }),
    ...(modifiers.length > 0 && { modifiers }),
  };
}

/** A drag within one element, such as a text selection, is described by its points only. */
function dragged({ down, up, from, to }: OpenDrag): Action | undefined {
  if (down.button !== 'left') return undefined;
  const inside = from === undefined || to === undefined || from.mark === to.mark;
  return {
    kind: 'drag',
    from: (inside ? undefined : from.locator) ?? { at: pointOf(down) },
    to: (inside ? undefined : to.locator) ?? { at: pointOf(up) },
  };
}

function typed({ seen, text, hidden, replaces, clears }: OpenType): Action | undefined {
  if (!hidden && text === '' && !clears) return undefined;
  return { kind: 'type', ...seen?.locator, text: hidden ? HIDDEN : text, ...(!replaces && { mode: 'append' }) };
}

function scrolled({ point, dx, dy }: OpenScroll): Action | undefined {
  const by = { ...(dx !== 0 && { dx: bounded(dx) }), ...(dy !== 0 && { dy: bounded(dy) }) };
  return dx === 0 && dy === 0 ? undefined : { kind: 'scroll', at: point, by };
}

export function pointOf({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

function bounded(pixels: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(pixels)));
}
