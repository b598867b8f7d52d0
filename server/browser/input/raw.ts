import type { Budget } from '@/lib/budget/budget';
import { clipboardVerb, type ClipboardVerb } from '@/lib/input/clipboard-chord';
import { keyByCode } from '@/lib/input/keys';
import type { PersonKey } from '@/lib/input/key-event';
import { keystrokesOf } from '@/lib/input/typing';
import type { InputEvent } from '@/lib/protocol/input';
import type { FencedSession } from '../write';
import type { ClipboardKeys } from './clipboard-keys';
import type { Keyboard } from './keyboard';
import type { Button, Pointer, RawMouseEvent } from './pointer';

/** Most characters of a text that are typed key by key; a longer one is inserted at once. */
const MOST_KEYS = 100;

/** Passes a person's events on to Chrome with the fields that Chrome needs (CO11). */
export class RawInput {
  #turn: Promise<void> = Promise.resolve();
  #several = 0;

  constructor(
    private readonly mouse: Pointer,
    private readonly keyboard: Keyboard,
    private readonly clipboard: ClipboardKeys,
    private readonly mac: boolean,
  ) {}

  /** Writes the event at once and in the order of calls, except that keys wait for a paste or text before them. */
  async dispatch(write: FencedSession, budget: Budget, event: InputEvent): Promise<void> {
    switch (event.type) {
      case 'move':
      case 'down':
      case 'up':
      case 'wheel':
        return void (await this.mouse.raw(write, budget, mouseFields(event)));
      case 'keydown':
      case 'keyup':
        return this.#key(write, budget, event);
      case 'text':
        return this.#inTurn(() => this.#text(write, budget, event.text));
      case 'paste':
        return this.#inTurn(() => this.clipboard.paste(write, budget, event.text));
    }
  }

  async #key(write: FencedSession, budget: Budget, event: PersonKey): Promise<void> {
    const verb = event.type === 'keydown' ? this.#clipboardVerb(event) : undefined;
    if (verb) return this.#inTurn(() => this.clipboard.raw(write, budget, event, verb));
    if (this.#several > 0) await this.#turn;
    await this.keyboard.raw(write, budget, event);
  }

  /** Runs work that takes several writes, and holds back the keys behind it. */
  async #inTurn(work: () => Promise<unknown>): Promise<void> {
    this.#several += 1;
    const mine = this.#turn.then(work);
    this.#turn = mine.then(nothing, nothing);
    try {
      await mine;
    } finally {
      this.#several -= 1;
    }
  }

  #clipboardVerb(event: PersonKey): ClipboardVerb | undefined {
    const latin = /^[\p{ASCII}]+$/u.test(event.key);
    return clipboardVerb(latin ? event.key : (keyByCode(event.code)?.key ?? event.key), event.modifiers, this.mac);
  }

  /** Types text that came without keys: from an input method, a phone's keyboard, dictation. */
  async #text(write: FencedSession, budget: Budget, text: string): Promise<void> {
    const strokes = keystrokesOf(text);
    if (strokes.length > MOST_KEYS) return void (await budget.race(write('Input.insertText', { text })));
    for (const stroke of strokes) await this.keyboard.stroke(write, budget, stroke);
  }
}

function nothing(): void {
  // The caller of the failed work gets the error; the keys behind it only wait for its end.
}

type MouseInput = Extract<InputEvent, { type: 'move' | 'down' | 'up' | 'wheel' }>;

const BY_BIT: readonly (readonly [number, Button])[] = [
  [1, 'left'],
  [2, 'right'],
  [4, 'middle'],
  [8, 'back'],
  [16, 'forward'],
];

function mouseFields(event: MouseInput): RawMouseEvent {
  const base = { x: event.x, y: event.y, modifiers: event.modifiers, pointerType: 'mouse' as const };
  switch (event.type) {
    case 'move': {
      const held = BY_BIT.find(([bit]) => (event.buttons & bit) !== 0)?.[1] ?? 'none';
      return { ...base, type: 'mouseMoved', buttons: event.buttons, button: held };
    }
    case 'down':
      return {
        ...base,
        type: 'mousePressed',
        button: event.button,
        buttons: event.buttons,
        clickCount: event.clickCount,
        force: 0.5,
      };
    case 'up':
      return {
        ...base,
        type: 'mouseReleased',
        button: event.button,
        buttons: event.buttons,
        clickCount: event.clickCount,
      };
    case 'wheel':
      return { ...base, type: 'mouseWheel', deltaX: event.dx, deltaY: event.dy };
  }
}
