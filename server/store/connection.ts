import Sqlite from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import { messageOf } from '@/lib/errors/error';
import { codeOf, storeFailure } from './failures';
import { sqliteDialect } from './sqlite';
import type { Tables } from './tables';

/** The database, or a transaction in it, for the repositories' queries. */
export type Database = Kysely<Tables>;

/** The one connection to the SQLite file. All other code of the store sees only kysely's promises. */
export class Connection {
  readonly db: Database;
  readonly #sqlite: Sqlite.Database;
  #turn: Promise<unknown> = Promise.resolve();
  #fault: string | undefined;

  /** Opens or makes the file. `busyMs`: how long a statement waits for another program's write. */
  constructor(path: string, busyMs: number) {
    this.#sqlite = new Sqlite(path, { timeout: busyMs });
    const port = {
      sqlite: this.#sqlite,
      turn: () => this.#next(),
      busyMs,
      failure: (thrown: unknown) => this.#failure(thrown),
      wrote: () => {
        this.#fault = undefined;
      },
    };
    this.db = new Kysely<Tables>({ dialect: sqliteDialect(port) });
  }

  /** WAL with synchronous NORMAL: a commit survives kill -9 of this process, not a power cut (TL1). */
  configure(): void {
    try {
      this.#sqlite.pragma('journal_mode = WAL');
      this.#sqlite.pragma('synchronous = NORMAL');
      this.#sqlite.pragma('foreign_keys = ON');
      this.#sqlite.pragma('trusted_schema = OFF');
      // From now on statements wait in turns of the event loop, not inside SQLite.
      this.#sqlite.pragma('busy_timeout = 0');
    } catch (thrown) {
      throw this.#failure(thrown);
    }
  }

  /** The problems that `PRAGMA quick_check` found; empty when the file is sound. */
  damage(): string[] {
    try {
      const rows = this.#sqlite.prepare<[], { quick_check: string }>('PRAGMA quick_check(5)').all();
      return rows.map((row) => row.quick_check).filter((line) => line !== 'ok');
    } catch (thrown) {
      const code = codeOf(thrown);
      if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return [code];
      throw thrown;
    }
  }

  /** Commits all of `work` or nothing of it before this settles. Throws STORE_BUSY before any effect. */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(work);
  }

  /** Tries a write without waiting for other writers, for `/readyz`; returns the problem, or undefined. */
  async probe(): Promise<string | undefined> {
    // A transaction is open, possibly waiting for another program: reports the last known problem.
    if (this.#sqlite.inTransaction) return this.#fault;
    try {
      this.#sqlite
        .prepare<[string]>(
          `INSERT INTO meta (name, value) VALUES ('probe', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        )
        .run(new Date().toISOString());
    } catch (thrown) {
      const failure = this.#failure(thrown);
      return this.#fault ?? messageOf(failure);
    }
    this.#fault = undefined;
    return undefined;
  }

  /** Copies the whole database into a new file while writes go on. */
  async copyTo(path: string): Promise<void> {
    await this.#sqlite.backup(path);
  }

  /** Closes after the work under way; later calls fail. */
  async close(): Promise<void> {
    const handOn = await this.#next();
    this.#sqlite.close();
    handOn();
  }

  /** Waits for the connection, which is given out in the order of requests; the returned function passes it on. */
  async #next(): Promise<() => void> {
    let handOn = (): void => undefined;
    const before = this.#turn;
    this.#turn = new Promise<void>((resolve) => {
      handOn = resolve;
    });
    await before;
    return handOn;
  }

  #failure(thrown: unknown): unknown {
    const failure = storeFailure(thrown);
    if (/^SQLITE_(?:READONLY|IOERR|FULL|CORRUPT|NOTADB)/.test(codeOf(thrown))) this.#fault = messageOf(failure);
    return failure;
  }
}
