import type { Budget } from '@/lib/budget/budget';
import type { Chord } from '@/lib/input/chord';
import type { ClipboardVerb } from '@/lib/input/clipboard-chord';
import { withoutCommand, type PersonKey } from '@/lib/input/key-event';
import { keyByCode, type KeyDefinition } from '@/lib/input/keys';
import { MODIFIER_BITS } from '@/lib/input/modifiers';
import type { FencedSession } from '../write';
import type { ClipboardHook, TabClipboard } from './clipboard';
import type { DialogSignal, InputDelivery } from './gesture';
import type { Keyboard } from './keyboard';

export interface ClipboardKeysInit {
  readonly keyboard: Keyboard;
  readonly clip: TabClipboard;
  readonly dialogs: DialogSignal;
  readonly mac: boolean;
  /** The session's clipboard. */
  readonly clipboard: () => ClipboardHook;
}

/**
 * Keys that copy, cut and paste (SE6). The page gets the trusted key event without Chrome's own editing command; if the
 * page leaves the key to the browser, this uses the session's clipboard between key down and key up.
 */
export class ClipboardKeys {
  constructor(private readonly init: ClipboardKeysInit) {}

  /** Presses a whole chord of an agent. */
  chord(write: FencedSession, budget: Budget, chord: Chord, verb: ClipboardVerb): Promise<InputDelivery> {
    return this.#press(write, budget, chord, () => this.#does(write, budget, verb));
  }

  /** Passes a person's key down; its release comes as an event of its own. */
  async raw(write: FencedSession, budget: Budget, event: PersonKey, verb: ClipboardVerb): Promise<void> {
    await this.#unlessKept(
      budget,
      () => this.init.keyboard.raw(write, budget, event, withoutCommand),
      () => this.#does(write, budget, verb),
    );
  }

  /**
   * Returns what is selected in the page, for copying out, and puts it on the session's clipboard. Empty where the page
   * handles the key itself.
   */
  async copyOut(write: FencedSession, budget: Budget, cut: boolean): Promise<string> {
    let text = '';
    await this.#press(write, budget, this.#chordOf(cut ? 'KeyX' : 'KeyC'), async () => {
      text = await this.#copy(write, budget, cut);
    });
    return text;
  }

  /** Pastes a person's text where the focus is: by key while they hold its modifier. */
  async paste(write: FencedSession, budget: Budget, text: string): Promise<void> {
    const work = (): Promise<void> => this.init.clip.paste(write, budget, text);
    if (this.#isHeld) await this.#press(write, budget, this.#chordOf('KeyV'), work);
    else await work();
  }

  async #press(
    write: FencedSession,
    budget: Budget,
    { modifiers, key }: Chord,
    work: () => Promise<void>,
  ): Promise<InputDelivery> {
    const { keyboard } = this.init;
    return keyboard.holding(write, budget, modifiers, async () => {
      const ended = await this.#unlessKept(
        budget,
        () => keyboard.down(write, budget, key, { change: withoutCommand }),
        work,
      );
      return ended === 'dialog' ? ended : keyboard.up(write, budget, key);
    });
  }

  async #unlessKept(
    budget: Budget,
    down: () => Promise<InputDelivery>,
    work: () => Promise<void>,
  ): Promise<InputDelivery> {
    const { landed, left } = await this.init.clip.key(budget, down);
    if (left) await work();
    return this.init.dialogs.current ? 'dialog' : landed;
  }

  async #does(write: FencedSession, budget: Budget, verb: ClipboardVerb): Promise<void> {
    if (verb === 'paste') await this.init.clip.paste(write, budget, this.init.clipboard().paste());
    else await this.#copy(write, budget, verb === 'cut');
  }

  async #copy(write: FencedSession, budget: Budget, cut: boolean): Promise<string> {
    const text = await this.init.clip.selection(write, budget, cut);
    if (text !== '') this.init.clipboard().copy(text);
    return text;
  }

  /** The chord of a key; leaves out a modifier that is already held. */
  #chordOf(code: string): Chord {
    return { modifiers: this.#isHeld ? [] : [this.#accelerator], key: keyOf(code) };
  }

  get #accelerator(): 'Meta' | 'Control' {
    return this.init.mac ? 'Meta' : 'Control';
  }

  get #isHeld(): boolean {
    return (this.init.keyboard.modifiers & MODIFIER_BITS[this.#accelerator]) !== 0;
  }
}

function keyOf(code: string): KeyDefinition {
  const key = keyByCode(code);
  if (!key) throw new Error(`The key table lacks ${code}.`);
  return key;
}
