import type { Budget } from '@/lib/budget/budget';
import type { Chord } from '@/lib/input/chord';
import {
  keyDownFields,
  keyUpFields,
  personKeyFields,
  type KeyEventFields,
  type PersonKey,
} from '@/lib/input/key-event';
import { KEYS, type KeyDefinition } from '@/lib/input/keys';
import { MODIFIER_BITS, isModifier, modifierBits, type HeldModifier } from '@/lib/input/modifiers';
import type { Keystroke } from '@/lib/input/typing';
import type { Write } from '../write';
import { delivered, sendRelease, type DialogSignal, type InputDelivery } from './gesture';

/** The keyboard of one tab with the keys that are down. Source: Input.dispatchKeyEvent. */
export class Keyboard {
  /** By physical key: the event that releases it. */
  readonly #held = new Map<string, KeyEventFields>();

  constructor(
    private readonly dialogs: DialogSignal,
    private readonly mac: boolean,
  ) {}

  get held(): readonly string[] {
    return [...this.#held.values()].map((up) => up.key);
  }

  /** Modifiers that are down, as CDP's bit field. */
  get modifiers(): number {
    return modifierBits(this.held.filter(isModifier));
  }

  async down(
    write: Write,
    budget: Budget,
    key: KeyDefinition,
    options: { autoRepeat?: boolean; change?: KeyChange } = {},
  ): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [
      this.#down(write, key, this.modifiers, options.autoRepeat ?? false, options.change),
    ]);
  }

  async up(write: Write, budget: Budget, key: KeyDefinition): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#up(write, key, this.modifiers)]);
  }

  /**
   * Presses modifiers in order, the key, and releases the modifiers. Stops where a dialog opens; keys that stay down
   * are in `held`.
   */
  async press(
    write: Write,
    budget: Budget,
    chord: Chord,
    options: { autoRepeat?: boolean } = {},
  ): Promise<InputDelivery> {
    return this.holding(write, budget, chord.modifiers, () =>
      this.#tap(write, budget, chord.key, this.modifiers, options.autoRepeat ?? false),
    );
  }

  /** Runs `work`, for example a click, while modifiers are held. */
  async holding(
    write: Write,
    budget: Budget,
    modifiers: readonly HeldModifier[],
    work: () => Promise<InputDelivery>,
  ): Promise<InputDelivery> {
    for (const modifier of modifiers)
      if ((await this.down(write, budget, modifierKey(modifier))) === 'dialog') return 'dialog';
    if ((await work()) === 'dialog') return 'dialog';
    for (const modifier of modifiers.toReversed())
      if ((await this.up(write, budget, modifierKey(modifier))) === 'dialog') return 'dialog';
    return 'done';
  }

  /** Types one character. Shift is only set on the event, without key events of its own. */
  async stroke(write: Write, budget: Budget, stroke: Keystroke): Promise<InputDelivery> {
    if (stroke.kind === 'key')
      return this.#tap(write, budget, stroke.key, stroke.shift ? MODIFIER_BITS.Shift : 0, false);
    const { text } = stroke;
    const event =
      stroke.kind === 'char'
        ? write('Input.dispatchKeyEvent', { type: 'char', text, unmodifiedText: text })
        : write('Input.insertText', { text });
    return delivered(budget, this.dialogs, [event]);
  }

  /**
   * Passes on a person's key event (CO11), written before this returns. Ignores an `up` of a key that did not go down
   * here.
   */
  async raw(write: Write, budget: Budget, event: PersonKey, change: KeyChange = asItIs): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#raw(write, event, change)]);
  }

  /** Releases every key, modifiers last (AC4, I6). Written before this returns. */
  async releaseAll(write: Write): Promise<void> {
    const last = [...this.#held].sort(([, a], [, b]) => Number(isModifier(a.key)) - Number(isModifier(b.key)));
    await Promise.all(last.map(([place, up]) => this.#release(write, place, up)));
  }

  #release(write: Write, place: string, up: KeyEventFields): Promise<void> {
    return sendRelease(
      () => write('Input.dispatchKeyEvent', { ...up }),
      () => {
        // The next holder may have pressed the key again meanwhile.
        if (this.#held.get(place) === up) this.#held.delete(place);
      },
    );
  }

  async #raw(write: Write, event: PersonKey, change: KeyChange): Promise<void> {
    const place = event.code === '' ? event.key : event.code;
    if (event.type === 'keyup' && !this.#held.has(place)) return;
    const sent = write('Input.dispatchKeyEvent', { ...change(personKeyFields(event, this.mac)) });
    // After the write: an event that the fence refuses leaves nothing down (I6).
    if (event.type === 'keydown')
      this.#held.set(place, personKeyFields({ ...event, type: 'keyup', modifiers: 0 }, this.mac));
    await sent;
    if (event.type === 'keyup') this.#held.delete(place);
  }

  #tap(
    write: Write,
    budget: Budget,
    key: KeyDefinition,
    modifiers: number,
    autoRepeat: boolean,
  ): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [
      this.#down(write, key, modifiers, autoRepeat),
      this.#up(write, key, modifiers),
    ]);
  }

  // Asynchronous so that a refusal of the fence becomes a rejection, never a throw between two events.
  async #down(
    write: Write,
    key: KeyDefinition,
    modifiers: number,
    autoRepeat: boolean,
    change: KeyChange = asItIs,
  ): Promise<void> {
    const own = isModifier(key.key) ? MODIFIER_BITS[key.key] : 0;
    const sent = write('Input.dispatchKeyEvent', {
      ...change(keyDownFields(key, modifiers | own, { autoRepeat, mac: this.mac })),
    });
    this.#held.set(key.code, keyUpFields(key, 0));
    await sent;
  }

  async #up(write: Write, key: KeyDefinition, modifiers: number): Promise<void> {
    const own = isModifier(key.key) ? MODIFIER_BITS[key.key] : 0;
    await write('Input.dispatchKeyEvent', { ...keyUpFields(key, modifiers & ~own) });
    this.#held.delete(key.code);
  }
}

/** Changes a key event before it is written. */
type KeyChange = (fields: KeyEventFields) => KeyEventFields;

const asItIs: KeyChange = (fields) => fields;

function modifierKey(modifier: HeldModifier): KeyDefinition {
  const key = KEYS.find((candidate) => candidate.key === modifier);
  if (!key) throw new Error(`The key table lacks ${modifier}.`);
  return key;
}
