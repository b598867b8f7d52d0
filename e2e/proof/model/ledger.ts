import type { Reply } from '@/lib/actions/reply';
import type { ControlChange, Lease } from '@/lib/control/lease';
import type { TimelineEvent } from '@/lib/protocol/views';
import { INPUT_MAY_BE_LOST } from '@/server/session/action/settle';
import type { Effect, PressEffect } from './page';

/** One thing that a participant set out to do, and its results. */
export interface LedgerEntry {
  /** Written into the action's note, and so into its timeline rows. */
  readonly note: string;
  /** Participant id. */
  readonly by: string;
  /** The effect that the page reports, and how often. Raw input has no rows and no reply. */
  readonly tag: string | undefined;
  times: number;
  readonly raw: boolean;
  readonly replies: Reply[];
  /** The only epoch at which it may take effect: the one it was sent with, else that of its first effect. */
  epoch?: number | undefined;
  /**
   * The state of its press in the page: `broken` when the same participant pressed elsewhere by hand before the
   * release.
   */
  press?: 'down' | 'broken';
}

/** Who may write, and since which epoch. */
interface Right {
  readonly by: string;
  readonly epoch: number;
}

/** Error codes of actions that were not begun: no row, and no result kept for a repeat. */
const NOT_BEGUN: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'TAB_NOT_FOUND',
]);

/** Compares what the participants recorded, what the page reported, and the timeline. One mismatch fails the run. */
export class Ledger {
  readonly problems: string[] = [];
  /** What was done, in order. */
  readonly history: string[] = [];
  /** Number of changes of the holder. */
  changes = 0;
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #byTag = new Map<string, LedgerEntry>();
  readonly #effects = new Map<string, number>();
  readonly #intents = new Map<string, number>();
  readonly #outcomes = new Map<string, (string | undefined)[]>();
  /** By what was pressed in the page: the holder at that moment. */
  readonly #pressed = new Map<string, string>();
  /** Epochs that began when a participant acted on a free lease. */
  readonly #claimed = new Set<number>();
  #driver: Right | undefined;

  add(entry: Omit<LedgerEntry, 'note' | 'replies' | 'press'>): LedgerEntry {
    const made = { ...entry, note: `n${this.#entries.size}`, replies: [] };
    this.#entries.set(made.note, made);
    if (made.tag !== undefined) this.#byTag.set(made.tag, made);
    return made;
  }

  /** Chrome has taken a key or press of raw input. */
  taken(entry: LedgerEntry): void {
    entry.times += 1;
  }

  get effects(): number {
    return [...this.#effects.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Number of clicks that the same participant's press broke. */
  get broken(): number {
    return [...this.#entries.values()].filter(({ press }) => press === 'broken').length;
  }

  /** I4, I5: one intent, then one outcome. */
  row({ phase, text, code }: Pick<TimelineEvent, 'phase' | 'text' | 'code'>): void {
    const note = / — (n\d+)$/.exec(text)?.[1];
    if (note === undefined || phase === 'event') return;
    if (phase === 'intent') this.#intents.set(note, (this.#intents.get(note) ?? 0) + 1);
    else this.#outcomes.set(note, [...(this.#outcomes.get(note) ?? []), code]);
  }

  /** I1: there is one holder, and a new one has a higher epoch than all before. */
  changed(lease: Lease, change: ControlChange): void {
    if (change === 'claimed') this.#claimed.add(lease.epoch);
    if (!('holder' in lease)) return;
    const { holder, epoch } = lease;
    const before = this.#driver;
    this.#driver = { by: holder.id, epoch };
    if (before?.by !== holder.id) this.changes += 1;
    if (before && before.by !== holder.id && epoch <= before.epoch)
      this.problems.push(`${holder.name} got the lease at epoch ${epoch}, after ${before.epoch}`);
  }

  /** The page reported this, and who held the lease at that moment is unknown, as after a crash. */
  reported({ kind, tag }: Effect | PressEffect): void {
    if (kind === 'effect' || this.#byTag.get(tag)?.raw === true) this.#count(tag);
  }

  /** Nothing is down in the page that follows a crash. */
  crashed(): void {
    this.#pressed.clear();
  }

  #count(tag: string): void {
    this.#effects.set(tag, (this.#effects.get(tag) ?? 0) + 1);
    if (!this.#byTag.has(tag)) this.problems.push(`the page tells of ${tag}, which nobody did`);
  }

  /** I2, I5, I6: the page reported an effect; `lease` is the state of the lease at that moment. */
  effect({ tag, held }: Effect, lease: Lease | undefined): void {
    this.#count(tag);
    const entry = this.#byTag.get(tag);
    if (!entry) return;
    this.#placed(entry, lease);
    if (!entry.raw && !this.#intents.has(entry.note))
      this.problems.push(`${tag} (${entry.note}) took effect before its intent was written`);
    const others = held.filter((what) => this.#pressed.get(what) !== entry.by);
    if (others.length > 0)
      this.problems.push(
        `${tag} of ${entry.by} met ${others.map((what) => `${what} of ${this.#pressed.get(what)}`).join(' and ')}, which was still down in the page`,
      );
  }

  /**
   * The page reported a press. A press by hand between an action's press and its release makes that release no click.
   * Holders may do that to their own actions, so the result of that one click is unknown; that of anything else is
   * known.
   */
  press({ what, tag }: PressEffect, lease: Lease | undefined): void {
    this.#pressed.set(what, rightOf(lease)?.by ?? 'nobody');
    const entry = this.#byTag.get(tag);
    if (!entry) return;
    this.#placed(entry, lease);
    if (!entry.raw) {
      entry.press = 'down';
      return;
    }
    this.#count(tag);
    for (const other of this.#entries.values())
      if (other.by === entry.by && other.press === 'down' && !this.#effects.has(other.tag ?? ''))
        other.press = 'broken';
  }

  /** I6: `by` was told that it has the lease, while the server knows `held` to be down. */
  tookOver(by: string, held: readonly string[]): void {
    const others = held.filter((what) => (this.#pressed.get(what) ?? by) !== by);
    if (others.length > 0)
      this.problems.push(
        `${by} was told to hold the lease while ${others.map((what) => `${what} of ${this.#pressed.get(what)}`).join(' and ')} was down`,
      );
  }

  /**
   * Whether an action is still under way, although its caller may be gone: an action goes on a while when its
   * connection is lost.
   */
  get open(): boolean {
    return [...this.#intents].some(([note, count]) => (this.#outcomes.get(note)?.length ?? 0) < count);
  }

  /** All mismatches at the end. `crashed`: what Chrome had taken may be gone with the page. */
  join(crashed: boolean): string[] {
    for (const entry of this.#entries.values())
      (entry.raw ? this.#joinRaw : this.#joinAction).call(this, entry, crashed);
    return this.problems;
  }

  /** I2: the participant of an effect holds the lease, at the epoch of all its effects before. */
  #placed(entry: LedgerEntry, lease: Lease | undefined): void {
    const right = rightOf(lease);
    const { tag, by, note } = entry;
    // An action sent on a free lease with the lease's epoch takes the lease first.
    if (right && !entry.raw && entry.epoch === right.epoch - 1 && this.#claimed.has(right.epoch))
      entry.epoch = right.epoch;
    if (right?.by !== by)
      this.problems.push(
        `${tag} of ${by} (${note}) took effect while ${right?.by ?? 'nobody'} held the lease, ${lease?.state} at epoch ${lease?.epoch}`,
      );
    else if ((entry.epoch ??= right.epoch) !== right.epoch)
      this.problems.push(`${tag} of ${by} (${note}), of epoch ${entry.epoch}, took effect at epoch ${right.epoch}`);
  }

  #joinRaw({ tag, by, times }: LedgerEntry, crashed: boolean): void {
    const seen = this.#effects.get(tag ?? '') ?? 0;
    if (seen > 1 || (seen < times && !crashed))
      this.problems.push(`${tag} by hand of ${by}, taken ${times} times, took effect ${seen} times`);
  }

  #joinAction({ note, tag, times, replies, press }: LedgerEntry, crashed: boolean): void {
    const begun = replies.filter(({ error }) => !NOT_BEGUN.has(error?.code ?? ''));
    const [intents, outcomes] = [this.#intents.get(note) ?? 0, this.#outcomes.get(note) ?? []];
    if (intents > 1 || outcomes.length !== intents || (begun.length > 0 && intents === 0))
      this.problems.push(
        `${note} was answered ${begun.length} times and has ${intents} intents and ${outcomes.length} outcomes (${outcomes.map((code) => code ?? 'ok').join(', ')})`,
      );
    if (begun.some(({ error }) => error?.code === 'INTERNAL'))
      this.problems.push(`${note} (${tag}) was answered INTERNAL: ${begun[0]?.error?.message}`);
    for (const { error } of begun)
      if (error?.code !== outcomes[0])
        this.problems.push(`${note} was answered ${error?.code ?? 'ok'} and is written down as ${outcomes[0] ?? 'ok'}`);
    const seen = tag === undefined ? times : (this.#effects.get(tag) ?? 0);
    const warned = begun.some(({ warnings }) => warnings.includes(INPUT_MAY_BE_LOST));
    // Only what follows a crash replaces the page.
    if (warned && !crashed) this.problems.push(`${note} (${tag}) was warned of lost input in a page that stayed`);
    const exact = begun.some(({ ok }) => ok) && press !== 'broken' && !warned;
    if (seen > times || (exact && seen < times))
      this.problems.push(
        `${note} (${tag}), answered ${begun[0]?.error?.code ?? 'ok'}, took effect ${seen} times of ${times}`,
      );
  }
}

/**
 * Who may write: the loser of the lease may until the lease has drained. The epoch rises when draining begins, and
 * actions under way still belong to the one before.
 */
function rightOf(lease: Lease | undefined): Right | undefined {
  if (lease && 'holder' in lease) return { by: lease.holder.id, epoch: lease.epoch };
  return lease?.state === 'draining' ? { by: lease.from.id, epoch: lease.epoch - 1 } : undefined;
}
