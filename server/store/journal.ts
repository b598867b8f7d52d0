import { replySchema, type Reply } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import { AnswerRepository, storedReply } from './answers';
import type { Database } from './connection';
import type { NewTimelineEvent, TimelineRepository } from './timeline';

/** Identifies one action: `action` is the caller's idempotency key, unique per participant for ten minutes (CO10). */
export interface StoredActionKey {
  readonly workspace: string;
  readonly session: string;
  readonly participant: string;
  readonly action: string;
}

export type IntentResult =
  /** New: the caller carries it out. */
  | { readonly state: 'recorded'; readonly event: TimelineEvent }
  /** The same request is being carried out now. */
  | { readonly state: 'running' }
  /** The same request was carried out; this was the reply (F7). */
  | { readonly state: 'done'; readonly reply: Reply }
  /** A crash interrupted the same request: OUTCOME_UNKNOWN. */
  | { readonly state: 'unknown' }
  /** Another request used this id: CONFLICT. */
  | { readonly state: 'different' };

/** The results for an id that an earlier request used. */
export type EarlierResult = Exclude<IntentResult, { state: 'recorded' }>;

/** An action that a crash interrupted, with the outcome row that now records this. */
export interface Unfinished extends StoredActionKey {
  readonly event: TimelineEvent;
}

/** How long a reply is kept for a repeat of the request, milliseconds (CO10). */
export const RESULT_LIFE_MS = 600_000;
const PRUNE_EVERY_MS = 60_000;

/**
 * Commits the intent of an action before Chrome gets it, and its outcome and reply afterwards, each together with its
 * timeline row. An action that cannot be recorded is not carried out (F16).
 */
export class Journal {
  /** Whole replies; the database has them without page content. */
  readonly #answers = new AnswerRepository(RESULT_LIFE_MS);
  #prunedAt = 0;

  constructor(
    private readonly db: Database,
    private readonly timeline: TimelineRepository,
    private readonly now: () => Date,
  ) {}

  /** The result of an earlier request with this id, if there was one. Writes nothing. */
  async recall(key: StoredActionKey, fingerprint: string): Promise<EarlierResult | undefined> {
    const earlier = await this.#earlier(this.db, key);
    return earlier && this.#answerAgain(key, earlier, fingerprint);
  }

  /**
   * Commits the intent, or returns the result of an earlier request with this id. Throws STORE_BUSY when it cannot be
   * written.
   */
  recordIntent(key: StoredActionKey, fingerprint: string, intent: NewTimelineEvent): Promise<IntentResult> {
    return this.timeline.transaction(async (tx, append): Promise<IntentResult> => {
      await this.#prune(tx);
      const earlier = await this.#earlier(tx, key);
      if (earlier) return this.#answerAgain(key, earlier, fingerprint);
      const event = await append(key.workspace, key.session, { ...intent, phase: 'intent' });
      const created_at = this.now().toISOString();
      const result = { state: 'intended', fingerprint, event_id: event.id, reply_json: null, created_at };
      // Replaces a result that is too old to count.
      await tx
        .insertInto('action_results')
        .values({ ...keyOf(key), ...result })
        .onConflict((older) => older.columns(KEY).doUpdateSet(result))
        .execute();
      return { state: 'recorded', event };
    });
  }

  /**
   * Commits outcome row and reply together. Throws CONFLICT when there is no open intent: an outcome is written once.
   */
  async recordOutcome(key: StoredActionKey, reply: Reply, outcome: NewTimelineEvent): Promise<TimelineEvent> {
    const reply_json = storedReply(reply);
    const event = await this.timeline.transaction(async (tx, append) => {
      await close(tx, key, { state: 'done', reply_json });
      return append(key.workspace, key.session, { ...outcome, phase: 'outcome' });
    });
    this.#answers.keep(nameOf(key), reply, this.now().getTime());
    return event;
  }

  /**
   * Commits the outcome row of an action that was not carried out, and forgets its id, so that a repeat is carried out.
   * Throws CONFLICT when there is no open intent.
   */
  withdraw(key: StoredActionKey, outcome: NewTimelineEvent): Promise<TimelineEvent> {
    return this.timeline.transaction(async (tx, append) => {
      const open = tx.deleteFrom('action_results').where('state', '=', 'intended');
      demandOne((await whereKey(open, key).executeTakeFirstOrThrow()).numDeletedRows, key);
      return append(key.workspace, key.session, { ...outcome, phase: 'outcome' });
    });
  }

  /**
   * Called at start: marks every open action as OUTCOME_UNKNOWN and writes the outcome row that its intent lacks.
   * Actions are never repeated (F11).
   */
  resolveUnfinished(): Promise<Unfinished[]> {
    return this.timeline.transaction(async (tx, append) => {
      const open = await tx.selectFrom('action_results').selectAll().where('state', '=', 'intended').execute();
      const closed: Unfinished[] = [];
      for (const row of open) {
        await close(tx, row, { state: 'unknown', reply_json: null });
        const unknown = await this.#unknown(tx, row, row.event_id);
        closed.push({ ...keyOf(row), event: await append(row.workspace, row.session, unknown) });
      }
      return closed;
    });
  }

  /** The outcome row of an intent whose outcome is unknown. */
  async #unknown(tx: Database, key: StoredActionKey, eventId: string): Promise<NewTimelineEvent> {
    const [intent] = await this.timeline.find(tx, key.workspace, key.session, eventId);
    if (!intent) throw new WheelhouseError('INTERNAL', `The intent "${eventId}" has no timeline row.`);
    const { seq: _seq, at: _at, ...kept } = intent;
    return { ...kept, phase: 'outcome', outcome: 'unknown', code: 'OUTCOME_UNKNOWN' };
  }

  #answerAgain(
    key: StoredActionKey,
    earlier: { state: string; fingerprint: string; reply_json: string | null },
    fingerprint: string,
  ): EarlierResult {
    if (earlier.fingerprint !== fingerprint) return { state: 'different' };
    if (earlier.state === 'intended') return { state: 'running' };
    if (earlier.reply_json === null) return { state: 'unknown' };
    const whole = this.#answers.of(nameOf(key), this.now().getTime());
    return { state: 'done', reply: replySchema.parse(JSON.parse(whole ?? earlier.reply_json)) };
  }

  #earlier(db: Database, key: StoredActionKey) {
    const rows = db.selectFrom('action_results').select(['state', 'fingerprint', 'reply_json']);
    const live = rows.where((row) => row.or([row('state', '=', 'intended'), row('created_at', '>', this.#oldest())]));
    return whereKey(live, key).executeTakeFirst();
  }

  /** Deletes results that are too old to be asked for, once a minute. */
  async #prune(tx: Database): Promise<void> {
    const now = this.now().getTime();
    if (Math.abs(now - this.#prunedAt) < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    const done = tx.deleteFrom('action_results').where('state', '!=', 'intended');
    await done.where('created_at', '<=', this.#oldest()).execute();
  }

  #oldest(): string {
    return new Date(this.now().getTime() - RESULT_LIFE_MS).toISOString();
  }
}

async function close(
  tx: Database,
  key: StoredActionKey,
  change: { readonly state: 'done' | 'unknown'; readonly reply_json: string | null },
): Promise<void> {
  const update = tx.updateTable('action_results').set(change).where('state', '=', 'intended');
  demandOne((await whereKey(update, key).executeTakeFirstOrThrow()).numUpdatedRows, key);
}

function demandOne(rows: bigint, key: StoredActionKey): void {
  if (rows !== 1n) throw new WheelhouseError('CONFLICT', `The action "${key.action}" is not open.`);
}

const KEY = ['workspace', 'session', 'participant', 'action'] as const satisfies readonly (keyof StoredActionKey)[];

function keyOf({ workspace, session, participant, action }: StoredActionKey): StoredActionKey {
  return { workspace, session, participant, action };
}

/** Narrows a query of `action_results` to one action. */
function whereKey<Q extends { where(column: keyof StoredActionKey, operator: '=', value: string): Q }>(
  query: Q,
  key: StoredActionKey,
): Q {
  return query
    .where('workspace', '=', key.workspace)
    .where('session', '=', key.session)
    .where('participant', '=', key.participant)
    .where('action', '=', key.action);
}

function nameOf(key: StoredActionKey): string {
  return JSON.stringify(Object.values(keyOf(key)));
}
