import { close, pointOf, type OpenAction, type OpenType, type PressEvent } from './open-action';
import type { RecordedAction } from './recorded-action';
import { meaningOf } from './keys';
import type { RecordedInput, TargetElement } from './target-element';

/** A press that moves farther than this before its release is a drag. CSS pixels. */
const STILL = 5;
/** Characters of typed text that are kept of one run. */
export const MOST_TEXT = 500;
const MOST_REPEATS = 100;
/** The first half of a character that the cut split. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/**
 * Combines a person's raw input into actions (CO11): keys typed into one field, presses, clicks, drags and scrolling,
 * in the order of events. It holds one unfinished action and no text of hidden fields (SN6).
 */
export class InputRecorder {
  #open: OpenAction | undefined;
  #down: { readonly press: PressEvent; readonly seen: TargetElement | undefined } | undefined;

  /** Returns the actions that this event completes: mostly none, at most one. */
  push(item: RecordedInput): RecordedAction | undefined {
    const { event, seen, at } = item;
    switch (event.type) {
      case 'move':
        return undefined;
      case 'down':
        this.#down = { press: event, seen };
        return undefined;
      case 'up':
        return this.#released(at, event, seen);
      case 'wheel':
        return this.#wheeled(at, event);
      case 'text':
      case 'paste':
        return this.#typed(item, event.text);
      case 'keydown':
      case 'keyup':
        return this.#keyed(item, event);
    }
  }

  /** Closes the unfinished action; a button that is held down stays held. */
  flush(): RecordedAction | undefined {
    return this.#next(undefined);
  }

  /** The unfinished action ends, another begins. */
  #next(open: OpenAction | undefined): RecordedAction | undefined {
    const done = this.#open && close(this.#open);
    this.#open = open;
    return done;
  }

  /** The click counts at the release: actions made while the button was down come before it. */
  #released(at: number, up: PressEvent, to: TargetElement | undefined): RecordedAction | undefined {
    const down = this.#down;
    this.#down = undefined;
    if (down?.press.button !== up.button) return undefined;
    const { press, seen } = down;
    if (!near(press, up)) return this.#next({ kind: 'drag', at, down: press, up, from: seen, to });
    const open = this.#open;
    const again =
      open?.kind === 'click' &&
      press.button !== 'back' &&
      press.button !== 'forward' &&
      press.clickCount === open.count + 1 &&
      open.down.button === up.button &&
      near(open.down, press);
    if (!again) return this.#next({ kind: 'click', at, down: press, seen, count: 1 });
    this.#open = { ...open, count: press.clickCount };
    return undefined;
  }

  #wheeled(at: number, event: { x: number; y: number; dx: number; dy: number }): RecordedAction | undefined {
    const open = this.#open;
    if (open?.kind !== 'scroll')
      return this.#next({ kind: 'scroll', at, point: pointOf(event), dx: event.dx, dy: event.dy });
    this.#open = { ...open, dx: open.dx + event.dx, dy: open.dy + event.dy };
    return undefined;
  }

  #keyed(
    item: RecordedInput,
    event: Extract<RecordedInput['event'], { type: 'keydown' | 'keyup' }>,
  ): RecordedAction | undefined {
    const meaning = meaningOf(event, item.seen?.editable ?? true);
    if (meaning.kind === 'none') return undefined;
    if (meaning.kind === 'text') return this.#typed(item, meaning.text);
    return meaning.key === 'Backspace' && this.#tookBack(item) ? undefined : this.#pressed(item, meaning.key);
  }

  #pressed({ at, seen }: RecordedInput, key: string): RecordedAction | undefined {
    const open = this.#open;
    if (open?.kind !== 'press' || open.key !== key || open.seen?.mark !== seen?.mark || open.repeat >= MOST_REPEATS)
      return this.#next({ kind: 'press', at, seen, key, repeat: 1 });
    this.#open = { ...open, repeat: open.repeat + 1 };
    return undefined;
  }

  #typed(item: RecordedInput, text: string): RecordedAction | undefined {
    const open = this.#open;
    const shown = isShown(item);
    if (open?.kind === 'type' && open.seen?.mark === item.seen?.mark) {
      this.#open = shown && !open.hidden ? longer(open, text, item.more) : hidden(open);
      return undefined;
    }
    const all =
      open?.kind === 'press' &&
      open.key === 'Control+A' &&
      open.seen?.mark === item.seen?.mark &&
      item.seen !== undefined;
    const begun: OpenType = {
      kind: 'type',
      at: all ? open.at : item.at,
      seen: item.seen,
      text: '',
      hidden: !shown,
      replaces: all || item.seen?.empty === true,
      clears: all,
      cut: 0,
    };
    const next = shown ? longer(begun, text, item.more) : begun;
    if (!all) return this.#next(next);
    this.#open = next;
    return undefined;
  }

  /**
   * Backspace removes the last typed character; a Backspace beyond the typed text is recorded as a key press. In hidden
   * text nothing is counted.
   */
  #tookBack({ seen }: RecordedInput): boolean {
    const open = this.#open;
    if (open?.kind !== 'type' || open.seen?.mark !== seen?.mark) return false;
    if (open.hidden) return true;
    if (open.cut > 0) this.#open = { ...open, cut: open.cut - 1 };
    else if (open.text !== '') this.#open = { ...open, text: [...open.text].slice(0, -1).join('') };
    else return false;
    return true;
  }
}

/** Text is shown only if its field is known and holds no secret (SN6). */
function isShown({ seen, open }: RecordedInput): boolean {
  return open && seen !== undefined && seen.editable && !seen.secret;
}

function longer(open: OpenType, text: string, more = 0): OpenType {
  const fits = open.cut > 0 ? '' : text.slice(0, MOST_TEXT - open.text.length).replace(HALF_AT_END, '');
  return { ...open, text: open.text + fits, cut: open.cut + more + [...text.slice(fits.length)].length };
}

function hidden(open: OpenType): OpenType {
  return { ...open, text: '', hidden: true, cut: 0 };
}

function near(a: PressEvent, b: PressEvent): boolean {
  return Math.abs(a.x - b.x) <= STILL && Math.abs(a.y - b.y) <= STILL;
}
