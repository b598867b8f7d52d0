import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Budget } from '@/lib/budget/budget';
import { formatMessage } from '@/lib/messages/format';
import type { Message } from '@/lib/messages/message';
import { fitsLog, logRowSchema, type LogRow } from '@/lib/people/log-row';
import { WheelhouseError } from '@/lib/errors/error';
import { digestOf, sha256 } from './chain';
import type { Database } from './connection';
import { newId } from './ids';
import type { Signer } from './signer';
import type { Tables } from './tables';

/** A row before it has a position. */
export type NewLogRow = Omit<LogRow, 'seq' | 'id' | 'at' | 'text' | 'said' | 'outcome'> & {
  readonly said: Message;
  /** Default: ok. */
  readonly outcome?: LogRow['outcome'];
};

export interface LogQuery {
  /** Only rows after this position. */
  readonly since?: number | undefined;
  /** Only rows before this position. */
  readonly before?: number | undefined;
  readonly kind?: string | undefined;
  readonly actor?: string | undefined;
  /** At most this many; the newest ones unless `since` is given. */
  readonly limit: number;
}

/** The same, of rows that contain `search`. */
export type LogSearch = LogQuery & { readonly search: string };

/** Rows that are read at once: a few milliseconds of the event loop. */
const PAGE = 500;

interface LogHead {
  readonly seq: number;
  readonly digest: string;
  readonly signedAt: string;
  readonly signature: string;
}

/**
 * The log of each workspace: rows are appended, never changed. Each row's digest covers the row and the digest before
 * it, and the newest is signed with the key of the timelines.
 */
export class WorkspaceLogRepository {
  /** @param signer undefined for a guest, which appends nothing */
  constructor(
    private readonly db: Database,
    private readonly signer: Signer | undefined,
    private readonly now: () => Date,
  ) {}

  /**
   * Appends a row; call it by `Store.change`, with the change that it tells of. Throws STORE_BUSY.
   */
  async append(workspace: string, { said, outcome = 'ok', ...entry }: NewLogRow): Promise<LogRow> {
    const { signer } = this;
    if (!signer) throw new WheelhouseError('UNSUPPORTED', 'Only the server writes logs.');
    const head = await this.head(workspace);
    const at = this.now().toISOString();
    const seq = (head?.seq ?? 0) + 1;
    const row: LogRow = { ...entry, ...formatMessage(said), seq, id: newId('e'), at, outcome };
    const payload = JSON.stringify(row);
    const digest = digestOf(this.#continues(workspace, head), payload);
    const { id, kind, actor } = row;
    await this.db
      .insertInto('workspace_log')
      .values({ workspace, seq, id, at, kind, actor: actor.id, payload, digest })
      .execute();
    const end = { seq, digest, signed_at: at, signature: signer.sign(logHeadText({ workspace, seq, digest, at })) };
    await this.db
      .insertInto('workspace_log_heads')
      .values({ workspace, ...end })
      .onConflict((conflict) => conflict.column('workspace').doUpdateSet(end))
      .execute();
    return row;
  }

  /**
   * The digest that the next row continues from. After an end that we did not sign it does not fit, so that the chain
   * stays broken there.
   */
  #continues(workspace: string, head: LogHead | undefined): string {
    if (!head) return logDigestBefore(workspace);
    return this.#isOurs(workspace, head) ? head.digest : sha256(`wheelhouse workspace log broken\n${head.digest}`);
  }

  async head(workspace: string): Promise<LogHead | undefined> {
    const row = await this.db
      .selectFrom('workspace_log_heads')
      .selectAll()
      .where('workspace', '=', workspace)
      .executeTakeFirst();
    return row && { seq: row.seq, digest: row.digest, signedAt: row.signed_at, signature: row.signature };
  }

  /** Rows in the order of their position, oldest first. */
  async list(workspace: string, { since, before, kind, actor, limit }: LogQuery): Promise<LogRow[]> {
    let rows = this.db.selectFrom('workspace_log').select('payload').where('workspace', '=', workspace);
    if (since !== undefined) rows = rows.where('seq', '>', since);
    if (before !== undefined) rows = rows.where('seq', '<', before);
    if (kind !== undefined) rows = rows.where('kind', '=', kind);
    if (actor !== undefined) rows = rows.where('actor', '=', actor);
    const forward = since !== undefined;
    const found = await rows
      .orderBy('seq', forward ? 'asc' : 'desc')
      .limit(limit)
      .execute();
    const parsed = found.map(({ payload }) => logRowSchema.parse(JSON.parse(payload)));
    return forward ? parsed : parsed.reverse();
  }

  /**
   * Rows that contain `search`, oldest first: the newest ones, or the first after `since`. Reads the whole log if need
   * be, page by page, so that other work gets its turn; throws TIMEOUT at the budget's end.
   */
  async search(budget: Budget, workspace: string, { search, limit, ...query }: LogSearch): Promise<LogRow[]> {
    const forward = query.since !== undefined;
    const found: LogRow[] = [];
    let { since, before } = query;
    for (;;) {
      budget.check();
      const page = await this.list(workspace, { ...query, since, before, limit: PAGE });
      const fitting = page.filter((row) => fitsLog(row, search));
      if (forward) found.push(...fitting);
      else found.unshift(...fitting);
      if (page.length < PAGE || found.length >= limit) return forward ? found.slice(0, limit) : found.slice(-limit);
      if (forward) since = page.at(-1)?.seq;
      else before = page[0]?.seq;
      await yieldTurn();
    }
  }

  /** All rows that there are now, oldest first, page by page. */
  async *pages(workspace: string, query: Omit<LogSearch, 'limit'>): AsyncGenerator<LogRow[], void> {
    const end = (await this.head(workspace))?.seq ?? 0;
    const before = Math.min(query.before ?? end + 1, end + 1);
    for (let since: number | undefined = query.since ?? 0; since !== undefined;) {
      const page: LogRow[] = await this.list(workspace, { ...query, since, before, limit: PAGE });
      yield page.filter((row) => fitsLog(row, query.search));
      since = page.length < PAGE ? undefined : page.at(-1)?.seq;
    }
  }

  /**
   * The whole log in its present state as JSON lines: each row as it is stored, with `proof` as its last field, as in
   * the export of a timeline. `bin/wheelhouse-verify.mjs` checks it. Throws STORE_BUSY, and UNSUPPORTED for a guest.
   */
  async *exportLines(workspace: string): AsyncGenerator<string, void> {
    const { signer } = this;
    if (!signer) throw new WheelhouseError('UNSUPPORTED', 'Only the server signs logs.');
    const head = await this.head(workspace);
    if (!head) return;
    const { seq: last, digest, signedAt: at, signature } = head;
    const end = { workspace, seq: last, digest, at, signature, key: signer.publicKey.key };
    for (let since = 0; since < last;) {
      const rows = this.db.selectFrom('workspace_log').select(['seq', 'payload', 'digest']);
      const own = rows.where('workspace', '=', workspace).where('seq', '>', since).where('seq', '<=', last);
      const page = await own.orderBy('seq').limit(PAGE).execute();
      if (page.length === 0) return;
      since = page.at(-1)?.seq ?? last;
      yield page
        .map(({ seq, payload, digest }) => {
          const proof = { digest, ...(seq === last && { end }) };
          return `${payload.slice(0, -1)},"proof":${JSON.stringify(proof)}}\n`;
        })
        .join('');
    }
  }

  /**
   * The first position whose row does not continue the chain, or the end that is not signed; undefined: all is well.
   *
   * @param turn called between pages of rows, so that other work can run
   */
  async broken(workspace: string, turn: () => Promise<void> = () => Promise.resolve()): Promise<number | undefined> {
    let [seq, digest] = [0, logDigestBefore(workspace)];
    for (;;) {
      const { rows, head } = await this.#pageAfter(workspace, seq);
      for (const row of rows) {
        seq += 1;
        digest = digestOf(digest, row.payload);
        if (row.seq !== seq || row.digest !== digest || !saysWhatItHolds(row)) return seq;
      }
      if (rows.length === PAGE) await turn();
      else if (!head) return seq === 0 ? undefined : seq;
      else return this.#isOurs(workspace, head) && head.seq === seq && head.digest === digest ? undefined : seq + 1;
    }
  }

  /** Reads a page of rows, and the head from the same moment. */
  #pageAfter(workspace: string, seq: number) {
    return this.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        const page = tx.selectFrom('workspace_log').selectAll().where('workspace', '=', workspace);
        const rows = await page.where('seq', '>', seq).orderBy('seq').limit(PAGE).execute();
        return { rows, head: await new WorkspaceLogRepository(tx, this.signer, this.now).head(workspace) };
      });
  }

  /** Whether we signed this end. A guest, which cannot know, trusts it. */
  #isOurs(workspace: string, { seq, digest, signedAt, signature }: LogHead): boolean {
    return this.signer?.verifies(logHeadText({ workspace, seq, digest, at: signedAt }), signature) ?? true;
  }
}

/** Whether the columns of a row match its payload: filters use the columns, while the chain covers the payload. */
function saysWhatItHolds({ payload, seq, id, at, kind, actor }: Selectable<Tables['workspace_log']>): boolean {
  const { data: row } = logRowSchema.safeParse(parsed(payload));
  return row?.seq === seq && row.id === id && row.at === at && row.kind === kind && row.actor.id === actor;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** The digest before the first row of a workspace's log. */
function logDigestBefore(workspace: string): string {
  return sha256(`wheelhouse workspace log 1\n${workspace}`);
}

/** The signed text of the end of a workspace's log. */
function logHeadText({
  workspace,
  seq,
  digest,
  at,
}: {
  readonly workspace: string;
  readonly seq: number;
  readonly digest: string;
  readonly at: string;
}): string {
  return `wheelhouse workspace log end 1\n${workspace}\n${seq}\n${digest}\n${at}`;
}
