import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { Budget } from '@/lib/budget/budget';
import { timelineEventSchema, type TimelineEvent } from '@/lib/protocol/views';
import { fits } from '@/lib/timeline/search';
import { WheelhouseError } from '@/lib/errors/error';
import { GENESIS, type Chain } from './chain';
import type { Connection } from './connection';
import { digestBefore, digestOf } from './digest';
import type { Mark } from './mark';
import type { SignedEnds } from './signed-ends';

/** An event before it has its place; `at` (ISO 8601) is filled in when it is left out. */
export type NewTimelineEvent = Omit<TimelineEvent, 'seq' | 'at'> & { readonly at?: string };

/** Rows looked at in one go of a search: a few milliseconds of the loop that everybody shares. */
const SEARCH_PAGE = 500;

export interface TimelineQuery {
  /** Only events after this position. */
  readonly since?: number | undefined;
  /** Only events before this position. */
  readonly before?: number | undefined;
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  /** Only events whose texts, names, addresses or codes hold this. */
  readonly search?: string | undefined;
  /** At most this many; the newest ones unless `since` is given. */
  readonly limit: number;
}

/**
 * The ordered record of a session (TL1): appended to, never changed. Writes are synchronous: acknowledged means
 * committed.
 */
export class TimelineRepository {
  readonly #connection: Connection;
  readonly #chain: Chain;
  readonly #mark: Mark | undefined;
  readonly #ends: SignedEnds | undefined;

  /** @param mark counts every row, `ends` signs them; a guest, who appends nothing, has neither. */
  constructor(connection: Connection, chain: Chain, mark: Mark | undefined, ends: SignedEnds | undefined) {
    this.#connection = connection;
    this.#chain = chain;
    this.#mark = mark;
    this.#ends = ends;
  }

  /** Makes the empty chain of a new session. Call inside the transaction that makes the session. */
  begin(workspace: string, session: string): void {
    const head = { workspace, session, seq: 0, hash: GENESIS };
    this.#connection.run(
      this.#connection.db
        .insertInto('timeline_heads')
        .values({ ...head, seal: this.#chain.seal(head), digest: digestBefore(session) }),
    );
    this.#connection.afterCommit(() => this.#ends?.appended(workspace, session));
  }

  /**
   * Appends one event and gives it back with its place. Throws STORE_BUSY when it cannot be written, NOT_FOUND for an
   * unknown session.
   */
  append(workspace: string, session: string, event: NewTimelineEvent): TimelineEvent {
    return this.#connection.atomically(() => this.appendWithin(workspace, session, event));
  }

  /** As `append`, as a part of the caller's own transaction. */
  appendWithin(workspace: string, session: string, event: NewTimelineEvent): TimelineEvent {
    const { db } = this.#connection;
    const head = this.#connection.one(
      db
        .selectFrom('timeline_heads')
        .select(['seq', 'hash', 'digest'])
        .where('workspace', '=', workspace)
        .where('session', '=', session),
    );
    if (!head) throw new WheelhouseError('NOT_FOUND', `There is no session "${session}".`);
    const placed: TimelineEvent = { ...event, seq: head.seq + 1, at: event.at ?? new Date().toISOString() };
    const link = {
      workspace,
      session,
      seq: placed.seq,
      event_id: placed.id,
      phase: placed.phase,
      kind: placed.kind,
      actor: placed.actor.id,
      payload: JSON.stringify(placed),
      prev_hash: head.hash,
    };
    const hash = this.#chain.hash(link);
    const digest = digestOf(head.digest, link.payload);
    this.#connection.run(db.insertInto('timeline').values({ ...link, hash, digest }));
    const seal = this.#chain.seal({ workspace, session, seq: placed.seq, hash });
    this.#connection.run(
      db.updateTable('timeline_heads').set({ seq: placed.seq, hash, seal, digest }).where('session', '=', session),
    );
    this.#connection.afterCommit(() => {
      this.#mark?.advance();
      this.#ends?.appended(workspace, session);
    });
    return placed;
  }

  /** Events in order of their place, oldest first. */
  async list(workspace: string, session: string, query: TimelineQuery): Promise<TimelineEvent[]> {
    const own = this.#connection.db
      .selectFrom('timeline')
      .where('timeline.workspace', '=', workspace)
      .where('timeline.session', '=', session);
    const pictured = own.leftJoin('pictures', (join) =>
      join.onRef('pictures.session', '=', 'timeline.session').onRef('pictures.seq', '=', 'timeline.seq'),
    );
    let rows = pictured.select(['payload', 'pictures.at', 'sha256', 'width', 'height']);
    if (query.since !== undefined) rows = rows.where('timeline.seq', '>', query.since);
    if (query.before !== undefined) rows = rows.where('timeline.seq', '<', query.before);
    if (query.actor !== undefined) rows = rows.where('actor', '=', query.actor);
    if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind);
    const forward = query.since !== undefined;
    const found = await rows
      .orderBy('timeline.seq', forward ? 'asc' : 'desc')
      .limit(query.limit)
      .execute();
    const events: TimelineEvent[] = [];
    // Reading many rows takes long: others have their turn (F28).
    for (let from = 0; from < found.length; from += SEARCH_PAGE) {
      if (from > 0) await yieldTurn();
      events.push(...found.slice(from, from + SEARCH_PAGE).map(pictureOf));
    }
    return forward ? events : events.reverse();
  }

  /**
   * Events that hold `search`, oldest first: the newest such ones, or the first after `since`. Looks through the whole
   * timeline if need be, page by page, so that others have their turn; throws TIMEOUT at the budget's end.
   */
  async search(budget: Budget, workspace: string, session: string, query: TimelineQuery): Promise<TimelineEvent[]> {
    const forward = query.since !== undefined;
    const found: TimelineEvent[] = [];
    let { since, before } = query;
    for (;;) {
      budget.check();
      const page = await this.list(workspace, session, { ...query, since, before, limit: SEARCH_PAGE });
      const fitting = page.filter((event) => fits(event, query));
      if (forward) found.push(...fitting);
      else found.unshift(...fitting);
      if (page.length < SEARCH_PAGE || found.length >= query.limit)
        return forward ? found.slice(0, query.limit) : found.slice(-query.limit);
      if (forward) since = page.at(-1)?.seq;
      else before = page[0]?.seq;
      await yieldTurn();
    }
  }

  /** The rows of one action: its intent and, when there is one, its outcome. */
  find(workspace: string, session: string, id: string): TimelineEvent[] {
    const rows = this.#connection.db
      .selectFrom('timeline')
      .select('payload')
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('event_id', '=', id);
    return this.#connection.all(rows.orderBy('seq')).map((row) => parseEvent(row.payload));
  }
}

function pictureOf({
  payload,
  at,
  sha256,
  width,
  height,
}: {
  payload: string;
  at: string | null;
  sha256: string | null;
  width: number | null;
  height: number | null;
}): TimelineEvent {
  const event = parseEvent(payload);
  if (at === null || sha256 === null || width === null || height === null) return event;
  return { ...event, picture: { at, sha256, width, height } };
}

function parseEvent(payload: string): TimelineEvent {
  return timelineEventSchema.parse(JSON.parse(payload));
}
