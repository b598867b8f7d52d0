import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, type CompiledQuery, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { messageOf } from '@/lib/errors/error';
import { codeOf, storeFailure } from './failures';
import type { Tables } from './tables';

/** A query that kysely has built; `Row` is what it gives. */
interface Query<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * The one connection. Single statements go through `db` (kysely, promises). What must be atomic, or must not wait, is
 * built by kysely and run at once by `all`, `one`, `run` inside `atomically`. Invariant: nobody uses `db.transaction()`
 * after start, because an open transaction of a promise chain would swallow the synchronous writes that come in
 * between.
 */
export class Connection {
  readonly db: Kysely<Tables>;
  readonly #sqlite: Sqlite.Database;
  readonly #afterCommit: (() => void)[] = [];
  #fault: string | undefined;

  /** Opens or makes the file. `busyMs`: how long a statement waits for another program's write. */
  constructor(path: string, busyMs: number) {
    this.#sqlite = new Sqlite(path, { timeout: busyMs });
    this.db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: this.#guarded() }) });
  }

  /** WAL with synchronous NORMAL: a commit survives kill -9 of this process, not a power cut (TL1). */
  configure(): void {
    this.#guard(() => {
      this.#sqlite.pragma('journal_mode = WAL');
      this.#sqlite.pragma('synchronous = NORMAL');
      this.#sqlite.pragma('foreign_keys = ON');
      this.#sqlite.pragma('trusted_schema = OFF');
    });
  }

  /** What `PRAGMA quick_check` found wrong; empty when the file is sound. */
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

  all<Row>(query: Query<Row>): Row[] {
    const { sql, parameters } = query.compile();
    return this.#guard(() => this.#sqlite.prepare<unknown[], Row>(sql).all(...parameters));
  }

  one<Row>(query: Query<Row>): Row | undefined {
    const { sql, parameters } = query.compile();
    return this.#guard(() => this.#sqlite.prepare<unknown[], Row>(sql).get(...parameters));
  }

  /** Rows one at a time, for tables that do not fit in memory. */
  *each<Row>(query: Query<Row>): Generator<Row> {
    const { sql, parameters } = query.compile();
    yield* this.#sqlite.prepare<unknown[], Row>(sql).iterate(...parameters);
  }

  /** Runs a change; gives the number of rows it touched. */
  run(query: Query<unknown>): number {
    const { sql, parameters } = query.compile();
    const { changes } = this.#guard(() => this.#sqlite.prepare<unknown[]>(sql).run(...parameters));
    this.#fault = undefined;
    return changes;
  }

  /**
   * All of `work` or nothing of it; committed when this returns. The write lock is taken first, so STORE_BUSY comes
   * before any effect.
   */
  atomically<T>(work: () => T): T {
    const outer = !this.#sqlite.inTransaction;
    const waiting = this.#afterCommit.length;
    try {
      const result = this.#guard(() => this.#sqlite.transaction(work).immediate());
      this.#fault = undefined;
      if (outer) for (const effect of this.#afterCommit.splice(0)) effect();
      return result;
    } catch (thrown) {
      this.#afterCommit.length = waiting;
      throw thrown;
    }
  }

  /** Inside `atomically`: runs `effect` once the outermost transaction is committed, never when it is undone. */
  afterCommit(effect: () => void): void {
    this.#afterCommit.push(effect);
  }

  /** Tries a real write without waiting for other writers, for `/readyz`; gives what is wrong, or undefined. */
  probe(busyMs: number): string | undefined {
    this.#sqlite.pragma('busy_timeout = 0');
    try {
      const query = this.db.insertInto('meta').values({ name: 'probe', value: new Date().toISOString() });
      this.run(
        query.onConflict((conflict) =>
          conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
        ),
      );
    } catch (thrown) {
      return this.#fault ?? messageOf(thrown);
    } finally {
      this.#sqlite.pragma(`busy_timeout = ${busyMs}`);
    }
    return this.#fault;
  }

  /** Copies the whole database into a new file while others go on writing. */
  async copyTo(path: string): Promise<void> {
    await this.#sqlite.backup(path);
  }

  close(): void {
    this.#sqlite.close();
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      const failure = storeFailure(thrown);
      if (/^SQLITE_(?:READONLY|IOERR|FULL|CORRUPT|NOTADB)/.test(codeOf(thrown))) this.#fault = messageOf(failure);
      throw failure;
    }
  }

  /** The face that kysely sees: the same connection with our errors. */
  #guarded(): SqliteDatabase {
    return {
      close: () => this.close(),
      prepare: (sql) => this.#guardedStatement(this.#guard(() => this.#sqlite.prepare<unknown[]>(sql))),
    };
  }

  #guardedStatement(statement: Sqlite.Statement<unknown[]>): SqliteStatement {
    return {
      reader: statement.reader,
      all: (parameters) => this.#guard(() => statement.all(...parameters)),
      run: (parameters) => this.#guard(() => statement.run(...parameters)),
      iterate: (parameters) => this.#guard(() => statement.iterate(...parameters)),
    };
  }
}
