import { setTimeout as pause } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { BoundedMap } from '@/lib/async/bounded-map';
import { codeOf } from './failures';

/** Pause before a statement that met another program's write is tried again. Milliseconds. */
const WRITE_RETRY_MS = 10;

/** Most statements that stay prepared. */
const MOST_PREPARED = 200;

/** Settles when the caller may use the connection; the returned function passes it on. */
export type Turn = () => Promise<() => void>;

/** The functions of the connection, which owns the file, that the driver needs. */
interface SqlitePort {
  readonly sqlite: Sqlite.Database;
  readonly turn: Turn;
  /** Most time that a statement waits for another program's write. Milliseconds. */
  readonly busyMs: number;
  /** Converts a failure into the error for callers of the store. */
  failure(thrown: unknown): unknown;
  /** Called after each write. */
  wrote(): void;
}

/**
 * better-sqlite3 behind kysely's promises. There is one connection, given out in the order of requests; a transaction
 * keeps it from its first statement to its last. Transactions that write begin IMMEDIATE: they take the write lock
 * first, so that STORE_BUSY comes before any effect. A locked file is tried again in turns of the event loop, so that
 * other work goes on.
 */
export function sqliteDialect(port: SqlitePort): Dialect {
  return {
    createDriver: () => new SqliteTurns(port),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

class SqliteTurns implements Driver {
  readonly #connection: DatabaseConnection;
  #handOn = (): void => undefined;

  constructor(private readonly port: SqlitePort) {
    this.#connection = new SqliteConnection(port);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#handOn = await this.port.turn();
    return this.#connection;
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** Rolls back, unless SQLite has done so by itself because the disk is full or fails. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.port.sqlite.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {
    this.#handOn();
  }

  async destroy(): Promise<void> {
    this.port.sqlite.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  /** Prepared statements by their text: preparing one costs as much as running it. */
  readonly #prepared = new BoundedMap<string, Sqlite.Statement<unknown[]>>(MOST_PREPARED);

  constructor(private readonly port: SqlitePort) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const until = performance.now() + this.port.busyMs;
    for (;;) {
      try {
        return this.#run<R>(sql, parameters);
      } catch (thrown) {
        if (!isLocked(thrown) || performance.now() >= until) throw this.port.failure(thrown);
      }
      await pause(WRITE_RETRY_MS);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const statement = this.#prepare<R>(sql);
    if (statement.reader) return { rows: statement.all(...parameters) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    this.port.wrote();
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare<R>(sql: string): Sqlite.Statement<unknown[], R>;
  // The rows are what the query that kysely built from our tables gives.
  #prepare(sql: string): Sqlite.Statement<unknown[]> {
    const statement = this.#prepared.get(sql) ?? this.port.sqlite.prepare<unknown[]>(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function isLocked(thrown: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(thrown));
}
