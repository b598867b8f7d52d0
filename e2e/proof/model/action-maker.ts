import type { InputEvent } from '@/lib/protocol/input';
import type { Ledger, LedgerEntry } from './ledger';
import { BUTTONS } from './page';

const KEYS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** How often one action types its letter. */
const TIMES = 3;
/** A point outside of all elements; each press uses another x. */
const BESIDE = { x: 600, y: 500 } as const;
/** Keys that type nothing: key and code. */
const HELD = [
  ['Shift', 'ShiftLeft'],
  ['ArrowLeft', 'ArrowLeft'],
  ['ArrowRight', 'ArrowRight'],
  ['Home', 'Home'],
  ['End', 'End'],
  ['Insert', 'Insert'],
] as const;

/** An action with its ledger entries: of the action itself, then of its inner actions. */
export interface MadeAction {
  readonly action: object;
  readonly entries: readonly [LedgerEntry, ...LedgerEntry[]];
}

/** Makes actions and keys that share no effect with any other, and records them in the ledger. */
export class ActionMaker {
  #buttons = 0;
  #keys = 0;
  #presses = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly session: string,
  ) {}

  /**
   * @param epoch sent with the action
   * @param stale the epoch is over: the click has no effect
   */
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

  /** Types into the field, or into the focused element, which may be the page itself. */
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

  /** One key of raw input. `times` of its entry counts how often Chrome took it. */
  key(by: string, epoch: number): { readonly entry: LedgerEntry; readonly tag: string } | undefined {
    const tag = this.#key();
    return tag === undefined ? undefined : { entry: this.ledger.add({ by, tag, times: 0, raw: true, epoch }), tag };
  }

  /** Presses so many keys that type nothing, and the pointer's button. */
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

  /** A key that no participant has typed yet. */
  #key(): string | undefined {
    const used = this.#keys;
    this.#keys += 1;
    return KEYS[used];
  }
}
