import type { InputEvent } from '@/lib/protocol/input';
import type { Ledger, LedgerEntry } from './ledger';
import { BUTTONS } from './page';

const KEYS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** How often each letter is typed by one action. */
const TIMES = 3;
/** Beside all elements of the page; each press at another x. */
const BESIDE = { x: 600, y: 500 } as const;
/** Keys that type nothing: key and place. */
const HELD = [
  ['Shift', 'ShiftLeft'],
  ['ArrowLeft', 'ArrowLeft'],
  ['ArrowRight', 'ArrowRight'],
  ['Home', 'Home'],
  ['End', 'End'],
  ['Insert', 'Insert'],
] as const;

/** An action as it is sent, with what the ledger has of it: the action itself, then those inside. */
export interface MadeAction {
  readonly action: object;
  readonly entries: readonly [LedgerEntry, ...LedgerEntry[]];
}

/** Makes actions and keys that no other has an effect in common with, and writes them into the ledger. */
export class ActionMaker {
  #buttons = 0;
  #keys = 0;
  #presses = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly session: string,
  ) {}

  /** @param epoch that it is sent with @param stale that is over: the click has no effect */
  click(by: string, epoch: number | undefined, stale = false): MadeAction | undefined {
    const tag = `b${this.#buttons}`;
    if (this.#buttons >= BUTTONS) return undefined;
    this.#buttons += 1;
    const entry = this.ledger.add({ by, tag, times: stale ? 0 : 1, raw: false, epoch });
    return {
      action: { kind: 'click', selector: `#${tag}`, ...this.#names(entry), ...(epoch !== undefined && { epoch }) },
      entries: [entry],
    };
  }

  /** Into the field, or into whatever has the focus, which may be the page itself. */
  type(by: string, slowly: boolean, where: 'field' | 'focus'): MadeAction | undefined {
    const tag = this.#key();
    if (tag === undefined) return undefined;
    const entry = this.ledger.add({ by, tag, times: TIMES, raw: false });
    return {
      action: {
        kind: 'type',
        ...(where === 'field' && { selector: '#f' }),
        text: tag.repeat(TIMES),
        mode: 'append',
        slowly,
        ...this.#names(entry),
      },
      entries: [entry],
    };
  }

  batch(by: string): MadeAction {
    const inner = [this.click(by, undefined), this.type(by, true, 'field')].filter((one) => one !== undefined);
    const entry = this.ledger.add({ by, tag: undefined, times: 0, raw: false });
    return {
      action: { kind: 'batch', actions: inner.map(({ action }) => action), ...this.#names(entry) },
      entries: [entry, ...inner.flatMap(({ entries }) => entries)],
    };
  }

  /** One key by hand. `times` of its entry is how often Chrome took it. */
  key(by: string, epoch: number): { readonly entry: LedgerEntry; readonly tag: string } | undefined {
    const tag = this.#key();
    return tag === undefined ? undefined : { entry: this.ledger.add({ by, tag, times: 0, raw: true, epoch }), tag };
  }

  /** So many keys that type nothing, and the button of the pointer. */
  hold(
    by: string,
    epoch: number,
    keys: number,
  ): { readonly entry: LedgerEntry; readonly keys: InputEvent[]; readonly press: InputEvent } {
    const x = BESIDE.x + this.#presses;
    this.#presses += 1;
    return {
      entry: this.ledger.add({ by, tag: `h${x}`, times: 0, raw: true, epoch }),
      keys: HELD.slice(0, keys).map(([key, code]) => ({
        type: 'keydown',
        key,
        code,
        location: 0,
        repeat: false,
        modifiers: 0,
      })),
      press: { type: 'down', x, y: BESIDE.y, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 },
    };
  }

  #names(entry: LedgerEntry): { note: string; id: string } {
    return { note: entry.note, id: `${this.session} ${entry.note}` };
  }

  /** A key that nobody has typed yet. */
  #key(): string | undefined {
    const used = this.#keys;
    this.#keys += 1;
    return KEYS[used];
  }
}
