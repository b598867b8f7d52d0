import type { Reply } from '@/lib/actions/reply';
import type { Lease } from '@/lib/control/lease';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Effect } from './page';

/** One thing that somebody set out to do, and what came of it. */
export interface Entry {
  /** Written into the action's note, and so into its rows. */
  readonly note: string;
  /** Participant id. */
  readonly by: string;
  /** What the page tells of it, and how often. Raw input has no rows and no reply. */
  readonly tag: string | undefined;
  times: number;
  readonly raw: boolean;
  readonly replies: Reply[];
  /** The same participant pressed a button by hand meanwhile: what a click comes to then is not known. */
  disturbed?: boolean;
}

/** Answers of actions that were not even begun: no row, nothing kept for a repeat. */
const NOT_BEGUN: ReadonlySet<string> = new Set(['RATE_LIMITED', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'TAB_NOT_FOUND']);

/** The join of quality.md: what the players wrote down, what the page told, and the timeline. One mismatch fails the run. */
export class Ledger {
  readonly problems: string[] = [];
  /** What was done, in order. */
  readonly history: string[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #byTag = new Map<string, Entry>();
  readonly #effects = new Map<string, number>();
  readonly #intents = new Map<string, number>();
  readonly #outcomes = new Map<string, (string | undefined)[]>();
  #driver: { id: string; epoch: number } | undefined;

  add(entry: Omit<Entry, 'note' | 'replies'>): Entry {
    const made = { ...entry, note: `n${this.#entries.size}`, replies: [] };
    this.#entries.set(made.note, made);
    if (made.tag !== undefined) this.#byTag.set(made.tag, made);
    return made;
  }

  /** Chrome has taken a key of raw input. */
  taken(entry: Entry): void {
    entry.times += 1;
  }

  get effects(): number {
    return [...this.#effects.values()].reduce((sum, count) => sum + count, 0);
  }

  /** I4, I5: one intent, then one outcome. */
  row({ phase, text, code }: TimelineEvent): void {
    const note = / — (n\d+)$/.exec(text)?.[1];
    if (note === undefined || phase === 'event') return;
    if (phase === 'intent') this.#intents.set(note, (this.#intents.get(note) ?? 0) + 1);
    else this.#outcomes.set(note, [...(this.#outcomes.get(note) ?? []), code]);
  }

  /** I1: whoever may write is one, and a new one has a higher epoch than all before. */
  changed(lease: Lease): void {
    if (!('holder' in lease)) return;
    const { holder, epoch } = lease;
    const before = this.#driver;
    this.#driver = { id: holder.id, epoch };
    if (before && before.id !== holder.id && epoch <= before.epoch) this.problems.push(`${holder.name} got the wheel at epoch ${epoch}, after ${before.epoch}`);
  }

  /** The page does something, and who had the wheel then is not known here, as after a crash. */
  told(tag: string): void {
    this.#effects.set(tag, (this.#effects.get(tag) ?? 0) + 1);
    if (!this.#byTag.has(tag)) this.problems.push(`the page tells of ${tag}, which nobody did`);
  }

  /** I2, I5, I6: the page does something, and `lease` is what the wheel was at that moment. */
  effect({ tag, shift }: Effect, lease: Lease | undefined, owner: string): void {
    this.told(tag);
    const entry = this.#byTag.get(tag);
    if (!entry) return;
    const driver = lease && ('holder' in lease ? lease.holder.id : lease.state === 'draining' ? lease.from.id : undefined);
    if (driver !== entry.by) this.problems.push(`${tag} of ${entry.by} (${entry.note}) took effect while ${driver ?? 'nobody'} had the wheel, ${lease?.state} at epoch ${lease?.epoch}`);
    if (!entry.raw && !this.#intents.has(entry.note)) this.problems.push(`${tag} (${entry.note}) took effect before its intent was written`);
    if (shift && entry.by !== owner) this.problems.push(`${tag} of ${entry.by} met a Shift that another had held down`);
  }

  /** Whether something is under way still, although nobody may wait for it any more: an action goes on a while when its connection is lost. */
  get open(): boolean {
    return [...this.#intents].some(([note, count]) => (this.#outcomes.get(note)?.length ?? 0) < count);
  }

  /** A button of the pointer goes down by hand, among whatever the same participant has under way. */
  disturbs(by: string): void {
    for (const entry of this.#entries.values()) if (entry.by === by && !this.#outcomes.has(entry.note)) entry.disturbed = true;
  }

  /** Everything that does not fit together, when all is over. `crashed`: what Chrome had taken may be gone with the page. */
  join(crashed: boolean): string[] {
    for (const entry of this.#entries.values()) (entry.raw ? this.#joinRaw : this.#joinAction).call(this, entry, crashed);
    return this.problems;
  }

  #joinRaw({ tag, by, times }: Entry, crashed: boolean): void {
    const seen = this.#effects.get(tag ?? '') ?? 0;
    if (seen > 1 || (seen < times && !crashed)) this.problems.push(`key ${tag} of ${by}, taken ${times} times, took effect ${seen} times`);
  }

  #joinAction({ note, tag, times, replies, disturbed = false }: Entry): void {
    const begun = replies.filter(({ error }) => !NOT_BEGUN.has(error?.code ?? ''));
    const [intents, outcomes] = [this.#intents.get(note) ?? 0, this.#outcomes.get(note) ?? []];
    if (intents > 1 || outcomes.length !== intents || (begun.length > 0 && intents === 0)) this.problems.push(`${note} was answered ${begun.length} times and has ${intents} intents and ${outcomes.length} outcomes`);
    if (begun.some(({ error }) => error?.code === 'INTERNAL')) this.problems.push(`${note} (${tag}) was answered INTERNAL: ${begun[0]?.error?.message}`);
    for (const { error } of begun) if (error?.code !== outcomes[0]) this.problems.push(`${note} was answered ${error?.code ?? 'ok'} and is written down as ${outcomes[0] ?? 'ok'}`);
    const seen = tag === undefined ? times : (this.#effects.get(tag) ?? 0);
    const exact = begun.some(({ ok }) => ok) && !disturbed;
    if (seen > times || (exact && seen < times)) this.problems.push(`${note} (${tag}), answered ${begun[0]?.error?.code ?? 'ok'}, took effect ${seen} times of ${times}`);
  }
}
