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
import { delivered, type DialogSignal, type InputDelivery } from './gesture';

/** The keyboard of one tab: which keys are down. Source: Input.dispatchKeyEvent. */
export class Keyboard {
  /** By physical key: how to let it go again. */
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
   * Modifiers down in order, the key down and up, modifiers up again. Stops where a dialog opens; what stays down is in
   * `held`.
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

  /** Does something while modifiers are held, for example a click. */
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

  /** One character of a text. Shift is set on the event, as a keyboard would, without key events of its own. */
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
   * A person's key event (CO11), written before this returns. An `up` of a key that never went down here is left out.
   */
  async raw(write: Write, budget: Budget, event: PersonKey, change: KeyChange = asItIs): Promise<InputDelivery> {
    return delivered(budget, this.dialogs, [this.#raw(write, event, change)]);
  }

  /** Lets go of every key, modifiers last (AC4, I6). Written before this returns. */
  async releaseAll(write: Write): Promise<void> {
    const last = [...this.#held].sort(([, a], [, b]) => Number(isModifier(a.key)) - Number(isModifier(b.key)));
    await Promise.all(last.map(([place, up]) => this.#release(write, place, up)));
  }

  async #release(write: Write, place: string, up: KeyEventFields): Promise<void> {
    await write('Input.dispatchKeyEvent', { ...up });
    // Not what the next holder has pressed meanwhile.
    if (this.#held.get(place) === up) this.#held.delete(place);
  }

  async #raw(write: Write, event: PersonKey, change: KeyChange): Promise<void> {
    const place = event.code === '' ? event.key : event.code;
    if (event.type === 'keyup' && !this.#held.has(place)) return;
    const sent = write('Input.dispatchKeyEvent', { ...change(personKeyFields(event, this.mac)) });
    // Not before: what the fence refuses leaves nothing down (I6).
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

/** Makes something else of a key event before it is written. */
type KeyChange = (fields: KeyEventFields) => KeyEventFields;

const asItIs: KeyChange = (fields) => fields;

function modifierKey(modifier: HeldModifier): KeyDefinition {
  const key = KEYS.find((candidate) => candidate.key === modifier);
  if (!key) throw new Error(`The key table lacks ${modifier}.`);
  return key;
}
