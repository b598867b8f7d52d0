import type { Reply } from '@/lib/actions/reply';
import type { ControlChange, Lease } from '@/lib/control/lease';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Effect, PressEffect } from './page';

/** One thing that somebody set out to do, and what came of it. */
export interface LedgerEntry {
  /** Written into the action's note, and so into its rows. */
  readonly note: string;
  /** Participant id. */
  readonly by: string;
  /** What the page tells of it, and how often. Raw input has no rows and no reply. */
  readonly tag: string | undefined;
  times: number;
  readonly raw: boolean;
  readonly replies: Reply[];
  /** The only epoch at which it may have effects: that which it was sent with, else that of its first. */
  epoch?: number | undefined;
  /**
   * How far its press has come in the page: `broken` when the same participant pressed elsewhere by hand before it was
   * let go.
   */
  press?: 'down' | 'broken';
}

/** Who may write, and since which change of hands. */
interface Right {
  readonly by: string;
  readonly epoch: number;
}

/** Answers of actions that were not even begun: no row, nothing kept for a repeat. */
const NOT_BEGUN: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'TAB_NOT_FOUND',
]);

/**
 * The join of quality.md: what the players wrote down, what the page told, and the timeline. One mismatch fails the
 * run.
 */
export class Ledger {
  readonly problems: string[] = [];
  /** What was done, in order. */
  readonly history: string[] = [];
  /** Changes of hands. */
  changes = 0;
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #byTag = new Map<string, LedgerEntry>();
  readonly #effects = new Map<string, number>();
  readonly #intents = new Map<string, number>();
  readonly #outcomes = new Map<string, (string | undefined)[]>();
  /** By what went down in the page: who held the lease then. */
  readonly #pressed = new Map<string, string>();
  /** Epochs that began when somebody acted on a free lease. */
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

  /** Clicks that were broken by a press of the same hand. */
  get broken(): number {
    return [...this.#entries.values()].filter(({ press }) => press === 'broken').length;
  }

  /** I4, I5: one intent, then one outcome. */
  row({ phase, text, code }: TimelineEvent): void {
    const note = / — (n\d+)$/.exec(text)?.[1];
    if (note === undefined || phase === 'event') return;
    if (phase === 'intent') this.#intents.set(note, (this.#intents.get(note) ?? 0) + 1);
    else this.#outcomes.set(note, [...(this.#outcomes.get(note) ?? []), code]);
  }

  /** I1: whoever may write is one, and a new one has a higher epoch than all before. */
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

  /** The page does something, and who held the lease then is not known here, as after a crash. */
  told(tag: string): void {
    this.#effects.set(tag, (this.#effects.get(tag) ?? 0) + 1);
    if (!this.#byTag.has(tag)) this.problems.push(`the page tells of ${tag}, which nobody did`);
  }

  /** I2, I5, I6: the page does something, and `lease` is what the lease was at that moment. */
  effect({ tag, held }: Effect, lease: Lease | undefined): void {
    this.told(tag);
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
   * Something goes down in the page. A press by hand between an action's press and its release takes the release with
   * it: pressed there and let go here is no click. Who drives may do that to their own action, so what comes of that
   * one click is not known; of anything else it is.
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
    this.told(tag);
    for (const other of this.#entries.values())
      if (other.by === entry.by && other.press === 'down' && !this.#effects.has(other.tag ?? ''))
        other.press = 'broken';
  }

  /** I6: `by` is told that the lease is theirs, and the server knows `held` to be down. */
  tookOver(by: string, held: readonly string[]): void {
    const others = held.filter((what) => (this.#pressed.get(what) ?? by) !== by);
    if (others.length > 0)
      this.problems.push(
        `${by} was told to hold the lease while ${others.map((what) => `${what} of ${this.#pressed.get(what)}`).join(' and ')} was down`,
      );
  }

  /**
   * Whether something is under way still, although nobody may wait for it any more: an action goes on a while when its
   * connection is lost.
   */
  get open(): boolean {
    return [...this.#intents].some(([note, count]) => (this.#outcomes.get(note)?.length ?? 0) < count);
  }

  /**
   * Everything that does not fit together, when all is over. `crashed`: what Chrome had taken may be gone with the
   * page.
   */
  join(crashed: boolean): string[] {
    for (const entry of this.#entries.values())
      (entry.raw ? this.#joinRaw : this.#joinAction).call(this, entry, crashed);
    return this.problems;
  }

  /** I2: whose it is holds the lease, at the epoch of all that this one did before. */
  #placed(entry: LedgerEntry, lease: Lease | undefined): void {
    const right = rightOf(lease);
    const { tag, by, note } = entry;
    // What is sent on a free lease, with the epoch that this had, takes it first.
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

  #joinAction({ note, tag, times, replies, press }: LedgerEntry): void {
    const begun = replies.filter(({ error }) => !NOT_BEGUN.has(error?.code ?? ''));
    const [intents, outcomes] = [this.#intents.get(note) ?? 0, this.#outcomes.get(note) ?? []];
    if (intents > 1 || outcomes.length !== intents || (begun.length > 0 && intents === 0))
      this.problems.push(
        `${note} was answered ${begun.length} times and has ${intents} intents and ${outcomes.length} outcomes`,
      );
    if (begun.some(({ error }) => error?.code === 'INTERNAL'))
      this.problems.push(`${note} (${tag}) was answered INTERNAL: ${begun[0]?.error?.message}`);
    for (const { error } of begun)
      if (error?.code !== outcomes[0])
        this.problems.push(`${note} was answered ${error?.code ?? 'ok'} and is written down as ${outcomes[0] ?? 'ok'}`);
    const seen = tag === undefined ? times : (this.#effects.get(tag) ?? 0);
    const exact = begun.some(({ ok }) => ok) && press !== 'broken';
    if (seen > times || (exact && seen < times))
      this.problems.push(
        `${note} (${tag}), answered ${begun[0]?.error?.code ?? 'ok'}, took effect ${seen} times of ${times}`,
      );
  }
}

/**
 * Whoever loses the lease has it until that has drained; the epoch is raised when that begins, and what is under way is
 * still of the one before.
 */
function rightOf(lease: Lease | undefined): Right | undefined {
  if (lease && 'holder' in lease) return { by: lease.holder.id, epoch: lease.epoch };
  return lease?.state === 'draining' ? { by: lease.from.id, epoch: lease.epoch - 1 } : undefined;
}
