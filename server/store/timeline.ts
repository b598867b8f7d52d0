import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { Selectable, Transaction } from 'kysely';
import type { Budget } from '@/lib/budget/budget';
import { timelineEventSchema, type TimelineEvent } from '@/lib/protocol/views';
import { fits } from '@/lib/timeline/search';
import { WheelhouseError } from '@/lib/errors/error';
import { digestBefore, digestOf, sha256 } from './chain';
import type { Database } from './connection';
import type { Signatures } from './signatures';
import { headText, type Head, type SignedHead } from './signer';
import type { Tables } from './tables';

/** An event before it has a position; `at` (ISO 8601) is filled in if it is absent. */
export type NewTimelineEvent = Omit<TimelineEvent, 'seq' | 'at'> & { readonly at?: string };

/** Rows that a search reads at once: a few milliseconds of the event loop. */
const SEARCH_PAGE = 500;

export interface TimelineQuery {
  /** Only events after this position. */
  readonly since?: number | undefined;
  /** Only events before this position. */
  readonly before?: number | undefined;
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  /** Only events whose texts, names, addresses or codes contain this. */
  readonly search?: string | undefined;
  /** At most this many; the newest ones unless `since` is given. */
  readonly limit: number;
}

/** Appends one event inside a transaction and returns it with its position. Throws NOT_FOUND for an unknown session. */
type Append = (workspace: string, session: string, event: NewTimelineEvent) => Promise<TimelineEvent>;

/** Most heads that are remembered as signed by this process. */
const MOST_KNOWN = 10_000;

/** The ordered record of a session (TL1): rows are appended, never changed. */
export class TimelineRepository {
  /** By session: position and digest of the head that this process signed last. */
  readonly #known = new Map<string, string>();

  /** @param signatures sign each head; undefined for a guest, which appends nothing */
  constructor(
    private readonly db: Database,
    private readonly signatures: Signatures | undefined,
    private readonly now: () => Date,
  ) {}

  /** Starts the empty chain of a new session. */
  async begin(tx: Database, workspace: string, session: string): Promise<void> {
    const { signer } = this.#server();
    const at = this.now().toISOString();
    const { key: _, at: signed_at, ...head } = signer.signHead({ session, seq: 0, digest: digestBefore(session), at });
    await tx
      .insertInto('timeline_heads')
      .values({ workspace, ...head, signed_at })
      .execute();
  }

  /** Throws STORE_BUSY when the row cannot be written, NOT_FOUND for an unknown session. */
  append(workspace: string, session: string, event: NewTimelineEvent): Promise<TimelineEvent> {
    return this.transaction((_, append) => append(workspace, session, event));
  }

  /** Commits all of `work`, with the rows that it appends, or nothing of it. */
  async transaction<T>(work: (tx: Transaction<Tables>, append: Append) => Promise<T>): Promise<T> {
    const { heads } = this.#server();
    const signed: SignedHead[] = [];
    const result = await this.db.transaction().execute((tx) =>
      work(tx, async (workspace, session, event) => {
        const { placed, head } = await this.#append(tx, workspace, session, event);
        signed.push(head);
        return placed;
      }),
    );
    for (const head of signed) heads.appended(head);
    return result;
  }

  async #append(tx: Database, workspace: string, session: string, event: NewTimelineEvent) {
    const { signer } = this.#server();
    const own = tx.selectFrom('timeline_heads').select(['session', 'seq', 'digest', 'signed_at', 'signature']);
    const before = await own.where('workspace', '=', workspace).where('session', '=', session).executeTakeFirst();
    if (!before) throw new WheelhouseError('NOT_FOUND', `There is no session "${session}".`);
    const at = this.now().toISOString();
    const placed: TimelineEvent = { ...event, seq: before.seq + 1, at: event.at ?? at };
    const { seq, id: event_id, phase, kind, actor } = placed;
    const payload = JSON.stringify(placed);
    const digest = digestOf(this.#digestOf(before), payload);
    const row = { workspace, session, seq, event_id, phase, kind, actor: actor.id, payload, digest };
    await tx.insertInto('timeline').values(row).execute();
    const head = signer.signHead({ session, seq, digest, at });
    const change = { seq, digest, signed_at: at, signature: head.signature };
    await tx.updateTable('timeline_heads').set(change).where('session', '=', session).execute();
    this.#remember(head);
    return { placed, head };
  }

  /**
   * The digest that the next row continues from. For a head that we did not sign it is a digest that does not fit, so
   * that the chain stays broken there: our next signature must not cover somebody's change.
   */
  #digestOf({
    session,
    seq,
    digest,
    signed_at,
    signature,
  }: Omit<Selectable<Tables['timeline_heads']>, 'workspace'>): string {
    const { signer } = this.#server();
    const text = headText({ session, seq, digest, at: signed_at ?? '' });
    const ours = this.#known.get(session) === `${seq} ${digest}` || signer.verifies(text, signature ?? '');
    return ours ? digest : sha256(`wheelhouse timeline broken\n${digest}`);
  }

  #remember({ session, seq, digest }: Head): void {
    this.#known.delete(session);
    this.#known.set(session, `${seq} ${digest}`);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MOST_KNOWN) this.#known.delete(oldest);
  }

  #server(): Signatures {
    if (this.signatures) return this.signatures;
    throw new WheelhouseError('UNSUPPORTED', 'Only the server writes timelines.');
  }

  /** Events in the order of their position, oldest first. */
  async list(workspace: string, session: string, query: TimelineQuery): Promise<TimelineEvent[]> {
    const own = this.db
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
    // Parsing many rows takes long, so other work gets its turn (F28).
    for (let from = 0; from < found.length; from += SEARCH_PAGE) {
      if (from > 0) await yieldTurn();
      events.push(...found.slice(from, from + SEARCH_PAGE).map(pictureOf));
    }
    return forward ? events : events.reverse();
  }

  /**
   * Events that contain `search`, oldest first: the newest ones, or the first after `since`. Reads the whole timeline
   * if need be, page by page, so that other work gets its turn; throws TIMEOUT at the budget's end.
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

  /** The rows of one action: its intent and, if there is one, its outcome. */
  async find(db: Database, workspace: string, session: string, id: string): Promise<TimelineEvent[]> {
    const rows = db
      .selectFrom('timeline')
      .select('payload')
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('event_id', '=', id);
    return (await rows.orderBy('seq').execute()).map((row) => parseEvent(row.payload));
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
