import { replySchema, type Reply } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import { AnswerRepository, storedReply } from './answers';
import type { Connection } from './connection';
import type { NewTimelineEvent, TimelineRepository } from './timeline';

/** Names one action: its `id` is the caller's idempotency key, unique per participant for ten minutes (CO10). */
export interface StoredActionKey {
  readonly workspace: string;
  readonly session: string;
  readonly participant: string;
  readonly action: string;
}

export type IntentResult =
  /** New: go on and do it. */
  | { readonly state: 'recorded'; readonly event: TimelineEvent }
  /** The same request is being done right now. */
  | { readonly state: 'running' }
  /** The same request was done: this was the answer (F7). */
  | { readonly state: 'done'; readonly reply: Reply }
  /** The same request was cut off by a crash: OUTCOME_UNKNOWN. */
  | { readonly state: 'unknown' }
  /** Another request used this id: CONFLICT. */
  | { readonly state: 'different' };

/** The same without `recorded`: there was a request with that id before. */
export type EarlierResult = Exclude<IntentResult, { state: 'recorded' }>;

/** An action that a crash cut off, and the outcome row that now says so. */
export interface Unfinished extends StoredActionKey {
  readonly event: TimelineEvent;
}

/** How long an answer is kept for a repeat of the request, milliseconds (CO10). */
export const RESULT_LIFE_MS = 600_000;
const PRUNE_EVERY_MS = 60_000;

/**
 * Intent before effect (quality.md section 1): the intent of an action is committed before Chrome hears of it, its
 * outcome and answer afterwards, each together with its timeline row. What cannot be recorded is not done (F16).
 */
export class Journal {
  readonly #connection: Connection;
  readonly #timeline: TimelineRepository;
  readonly #now: () => Date;
  /** Whole answers; the database has them without what pages answered. */
  readonly #answers = new AnswerRepository(RESULT_LIFE_MS);
  #prunedAt = 0;

  constructor(connection: Connection, timeline: TimelineRepository, now: () => Date) {
    this.#connection = connection;
    this.#timeline = timeline;
    this.#now = now;
  }

  /** What became of an earlier request with this id, if there was one; nothing is written. */
  recall(key: StoredActionKey, fingerprint: string): EarlierResult | undefined {
    const earlier = this.#earlier(key);
    return earlier && this.#answerAgain(key, earlier, fingerprint);
  }

  /**
   * Commits the intent, or says what became of an earlier request with this id. Throws STORE_BUSY when it cannot be
   * written.
   */
  recordIntent(key: StoredActionKey, fingerprint: string, intent: NewTimelineEvent): IntentResult {
    return this.#connection.atomically((): IntentResult => {
      this.#prune();
      const earlier = this.#earlier(key);
      if (earlier) return this.#answerAgain(key, earlier, fingerprint);
      const event = this.#timeline.appendWithin(key.workspace, key.session, { ...intent, phase: 'intent' });
      this.#connection.run(whereKey(this.#connection.db.deleteFrom('action_results'), key));
      const row = {
        ...keyOf(key),
        state: 'intended',
        fingerprint,
        event_id: event.id,
        reply_json: null,
        created_at: this.#now().toISOString(),
      };
      this.#connection.run(this.#connection.db.insertInto('action_results').values(row));
      return { state: 'recorded', event };
    });
  }

  /**
   * Commits outcome row and answer together. Throws CONFLICT when there is no open intent: an outcome is written once
   * (I4).
   */
  recordOutcome(key: StoredActionKey, reply: Reply, outcome: NewTimelineEvent): TimelineEvent {
    const reply_json = storedReply(reply);
    const event = this.#connection.atomically(() => {
      this.#close(key, { state: 'done', reply_json });
      return this.#timeline.appendWithin(key.workspace, key.session, { ...outcome, phase: 'outcome' });
    });
    this.#answers.keep(nameOf(key), reply, this.#now().getTime());
    return event;
  }

  /**
   * At start: every action found open becomes OUTCOME_UNKNOWN, with the outcome row that its intent still lacks. Never
   * replayed (F11).
   */
  resolveUnfinished(): Unfinished[] {
    const open = this.#connection.db.selectFrom('action_results').selectAll().where('state', '=', 'intended');
    return this.#connection.atomically(() =>
      this.#connection.all(open).map((row) => {
        this.#close(row, { state: 'unknown', reply_json: null });
        return { ...keyOf(row), event: this.#appendUnknown(row, row.event_id) };
      }),
    );
  }

  #appendUnknown(key: StoredActionKey, eventId: string): TimelineEvent {
    const [intent] = this.#timeline.find(key.workspace, key.session, eventId);
    if (!intent) throw new WheelhouseError('INTERNAL', `The intent "${eventId}" has no timeline row.`);
    const { seq: _seq, at: _at, ...kept } = intent;
    return this.#timeline.appendWithin(key.workspace, key.session, {
      ...kept,
      phase: 'outcome',
      outcome: 'unknown',
      code: 'OUTCOME_UNKNOWN',
    });
  }

  #close(key: StoredActionKey, change: { state: 'done' | 'unknown'; reply_json: string | null }): void {
    const update = this.#connection.db.updateTable('action_results').set(change).where('state', '=', 'intended');
    if (this.#connection.run(whereKey(update, key)) !== 1)
      throw new WheelhouseError('CONFLICT', `The action "${key.action}" is not open.`);
  }

  #answerAgain(
    key: StoredActionKey,
    earlier: { state: string; fingerprint: string; reply_json: string | null },
    fingerprint: string,
  ): EarlierResult {
    if (earlier.fingerprint !== fingerprint) return { state: 'different' };
    if (earlier.state === 'intended') return { state: 'running' };
    if (earlier.reply_json === null) return { state: 'unknown' };
    const whole = this.#answers.of(nameOf(key), this.#now().getTime());
    return { state: 'done', reply: replySchema.parse(JSON.parse(whole ?? earlier.reply_json)) };
  }

  #earlier(key: StoredActionKey) {
    const rows = this.#connection.db.selectFrom('action_results').select(['state', 'fingerprint', 'reply_json']);
    const live = rows.where((row) => row.or([row('state', '=', 'intended'), row('created_at', '>', this.#oldest())]));
    return this.#connection.one(whereKey(live, key));
  }

  /** Deletes what is too old to be asked for again, once a minute. */
  #prune(): void {
    const now = this.#now().getTime();
    if (Math.abs(now - this.#prunedAt) < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    this.#connection.run(
      this.#connection.db
        .deleteFrom('action_results')
        .where('state', '!=', 'intended')
        .where('created_at', '<=', this.#oldest()),
    );
  }

  #oldest(): string {
    return new Date(this.#now().getTime() - RESULT_LIFE_MS).toISOString();
  }
}

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
