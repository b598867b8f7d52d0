import type { Budget } from '@/lib/budget/budget';
import type { Point } from '@/lib/actions/kinds';
import type { Chord } from '@/lib/input/chord';
import { clipboardVerb } from '@/lib/input/clipboard-chord';
import { modifierBits, type HeldModifier } from '@/lib/input/modifiers';
import { fastKeystrokesOf, keystrokesOf, lengthOf } from '@/lib/input/typing';
import type { InputEvent } from '@/lib/protocol/input';
import type { IsolatedWorlds } from '../target/isolated-worlds';
import type { FencedSession, Write } from '../write';
import { SessionClipboard, TabClipboard, type ClipboardHook } from './clipboard';
import { ClipboardKeys } from './clipboard-keys';
import { Dragging, type DragSignal } from './dragging';
import type { DialogSignal, InputDelivery } from './gesture';
import { Keyboard } from './keyboard';
import { Pointer, type Button } from './pointer';
import { RawInput } from './raw';

export interface TabInputInit {
  readonly dialogs: DialogSignal;
  readonly intercepted: DragSignal;
  readonly worlds: IsolatedWorlds;
  /** Main frame of the page that is shown now. */
  readonly frameId: () => string;
  /**
   * Whether Chrome runs on macOS, which decides between Meta and Control, and which editing keys need explicit
   * commands.
   */
  readonly mac: boolean;
}

export interface ClickOptions {
  readonly button?: Button | undefined;
  readonly count?: number | undefined;
  readonly modifiers?: readonly HeldModifier[] | undefined;
  /** Between press and release, milliseconds. */
  readonly holdMs?: number | undefined;
  /** Between the presses of a double or triple click, milliseconds. */
  readonly delayMs?: number | undefined;
}

export interface HeldInput {
  readonly buttons: readonly Button[];
  readonly keys: readonly string[];
  readonly at: Point;
}

export interface TypedText {
  /** Characters: fewer than `of` when a dialog opened in between. */
  readonly typed: number;
  readonly of: number;
  /** `mixed`: a part was inserted, without key events. */
  readonly by: 'keys' | 'mixed';
}

/** Pause between the keys of text that is typed slowly, milliseconds. */
const SLOW_KEY_MS = 60;

/**
 * Mouse, keyboard and clipboard of one tab (AC4). Knows what is held down, so that it can be released when the lease
 * passes (I6). Writes everything through `write`, event by event, so that a takeover stops it anywhere, and passes on
 * what `write` throws (CONTROL_LOST, TIMEOUT, ABORTED). `write` must send in the order of its calls. A gesture ends
 * early, as `dialog`, when a dialog opens.
 */
export class TabInput {
  readonly mouse: Pointer;
  readonly keyboard: Keyboard;
  readonly dragging: Dragging;
  readonly mac: boolean;
  /** The session's clipboard; replaced by the one that all tabs of the session share. */
  clipboard: ClipboardHook = new SessionClipboard();
  readonly #clipboardKeys: ClipboardKeys;
  readonly #raw: RawInput;

  constructor({ dialogs, intercepted, worlds, frameId, mac }: TabInputInit) {
    this.mac = mac;
    this.keyboard = new Keyboard(dialogs, mac);
    this.mouse = new Pointer(dialogs, () => this.keyboard.modifiers);
    this.dragging = new Dragging(this.mouse, dialogs, intercepted, () => this.keyboard.modifiers);
    const clip = new TabClipboard(worlds, frameId);
    this.#clipboardKeys = new ClipboardKeys({
      keyboard: this.keyboard,
      clip,
      dialogs,
      mac,
      clipboard: () => this.clipboard,
    });
    this.#raw = new RawInput(this.mouse, this.keyboard, this.#clipboardKeys, mac);
  }

  held(): HeldInput {
    return { buttons: this.mouse.held, keys: this.keyboard.held, at: this.mouse.at };
  }

  /**
   * Releases everything that is down (AC4, I6). A held button is released outside of the page, where it never clicks.
   * All is written before this returns, unless a drag has to be ended first; either way the page gets it before
   * whatever is written next.
   */
  async releaseAll(write: Write): Promise<void> {
    if (this.dragging.underway) await this.dragging.cancel(write);
    await Promise.all([this.mouse.releaseAll(write), this.keyboard.releaseAll(write)]);
  }

  /**
   * Presses and releases `count` times at a point, CSS px of the viewport. Releases first what an interrupted gesture
   * left down.
   */
  async click(write: Write, budget: Budget, at: Point, options: ClickOptions = {}): Promise<InputDelivery> {
    await this.#start(write, budget);
    return this.keyboard.holding(write, budget, options.modifiers ?? [], () =>
      this.#clicks(write, budget, at, options),
    );
  }

  async hover(write: Write, budget: Budget, at: Point): Promise<InputDelivery> {
    await this.#start(write, budget);
    return this.mouse.move(write, budget, at);
  }

  /**
   * Presses a chord `repeat` times: as a held key repeats, unless there is a delay between. Clipboard chords use the
   * session's clipboard.
   */
  async press(
    write: FencedSession,
    budget: Budget,
    chord: Chord,
    { repeat = 1, delayMs = 0 } = {},
  ): Promise<InputDelivery> {
    await this.#start(write, budget);
    const verb = clipboardVerb(chord.key.key, modifierBits(chord.modifiers), this.mac);
    for (let time = 0; time < repeat; time += 1) {
      if (time > 0 && delayMs > 0) await budget.pause(delayMs);
      const ended = verb
        ? await this.#clipboardKeys.chord(write, budget, chord, verb)
        : await this.keyboard.press(write, budget, chord);
      if (ended === 'dialog') return ended;
    }
    return 'done';
  }

  /**
   * Types text by real keys wherever a US keyboard has one, else by character events; the middle of a text of more than
   * 200 characters in pieces, unless `slowly` (AC4).
   */
  async typeText(write: Write, budget: Budget, text: string, { slowly = false } = {}): Promise<TypedText> {
    const strokes = slowly ? keystrokesOf(text) : fastKeystrokesOf(text);
    const of = strokes.reduce((sum, stroke) => sum + lengthOf(stroke), 0);
    const by = strokes.some(({ kind }) => kind === 'insert') ? 'mixed' : 'keys';
    let typed = 0;
    for (const stroke of strokes) {
      if (slowly && typed > 0) await budget.pause(SLOW_KEY_MS);
      const ended = await this.keyboard.stroke(write, budget, stroke);
      typed += lengthOf(stroke);
      if (ended === 'dialog') break;
    }
    return { typed, of, by };
  }

  /** Passes on one raw event of a person (CO11). Settles when Chrome has it. */
  dispatchRaw(write: FencedSession, budget: Budget, event: InputEvent): Promise<void> {
    return this.#raw.dispatch(write, budget, event);
  }

  /** The selected text of the page, for copying out (SE6); `cut` deletes it. */
  copyOut(write: FencedSession, budget: Budget, { cut }: { cut: boolean }): Promise<string> {
    return this.#clipboardKeys.copyOut(write, budget, cut);
  }

  async #clicks(
    write: Write,
    budget: Budget,
    at: Point,
    { button = 'left', count = 1, holdMs = 0, delayMs = 0 }: ClickOptions,
  ): Promise<InputDelivery> {
    for (let press = 1; press <= count; press += 1) {
      if (press > 1 && delayMs > 0) await budget.pause(delayMs);
      if ((await this.mouse.press(write, budget, at, { button, count: press })) === 'dialog') return 'dialog';
      if (holdMs > 0) await budget.pause(holdMs);
      if ((await this.mouse.up(write, budget, { button, count: press })) === 'dialog') return 'dialog';
    }
    return 'done';
  }

  async #start(write: Write, budget: Budget): Promise<void> {
    if (this.mouse.held.length > 0 || this.keyboard.held.length > 0) await budget.race(this.releaseAll(write));
  }
}
