import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { Database } from './connection';
import type { Tables } from './tables';

const originSchema = z.enum(['launched', 'attached']);
const stateSchema = z.enum(['live', 'down', 'ended']);

/** The data by which the server finds a Chrome again after a restart (BR5, F11). */
export interface BrowserRecord {
  readonly id: string;
  readonly workspace: string;
  readonly origin: z.infer<typeof originSchema>;
  readonly cdpUrl: string | null;
  readonly pid: number | null;
  /**
   * Start time of the process as the system reports it; together with the pid it identifies one process for ever.
   * Opaque text.
   */
  readonly processStarted: string | null;
  readonly port: number | null;
  readonly userDataDir: string | null;
  /**
   * Port of the egress proxy that the whole Chrome was started with; null for attached ones, and for those of versions
   * without the proxy.
   */
  readonly floorPort: number | null;
  readonly product: string;
  readonly state: z.infer<typeof stateSchema>;
  readonly createdAt: string;
}

export type BrowserChange = Partial<Omit<BrowserRecord, 'id' | 'workspace' | 'origin' | 'createdAt'>>;

export class BrowserRepository {
  constructor(private readonly db: Database) {}

  async add(record: BrowserRecord): Promise<void> {
    const row = {
      id: record.id,
      workspace: record.workspace,
      origin: record.origin,
      product: record.product,
      state: record.state,
      created_at: record.createdAt,
      updated_at: record.createdAt,
    };
    await this.db
      .insertInto('browsers')
      .values({ ...row, ...placeColumns(record), cdp_url: record.cdpUrl })
      .execute();
  }

  /** Changes the named fields; the others stay. */
  async update(workspace: string, id: string, change: BrowserChange, now: Date): Promise<void> {
    const { cdpUrl, product, state } = change;
    const columns = { ...placeColumns(change), cdp_url: cdpUrl, product, state, updated_at: now.toISOString() };
    await this.db
      .updateTable('browsers')
      .set(columns)
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute();
  }

  async get(workspace: string, id: string): Promise<BrowserRecord | undefined> {
    const row = await this.db
      .selectFrom('browsers')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Every browser of the workspace that has not ended, oldest first. */
  async listOpen(workspace: string): Promise<BrowserRecord[]> {
    const open = this.db
      .selectFrom('browsers')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('state', '!=', 'ended');
    return (await open.orderBy('created_at').execute()).map(toRecord);
  }
}

type ProcessFields = Pick<BrowserChange, 'pid' | 'processStarted' | 'port' | 'userDataDir' | 'floorPort'>;

function placeColumns({ pid, processStarted, port, userDataDir, floorPort }: ProcessFields) {
  return { pid, process_started: processStarted, port, user_data_dir: userDataDir, floor_port: floorPort };
}

function toRecord(row: Selectable<Tables['browsers']>): BrowserRecord {
  return {
    id: row.id,
    workspace: row.workspace,
    origin: originSchema.parse(row.origin),
    cdpUrl: row.cdp_url,
    pid: row.pid,
    processStarted: row.process_started,
    port: row.port,
    userDataDir: row.user_data_dir,
    floorPort: row.floor_port,
    product: row.product,
    state: stateSchema.parse(row.state),
    createdAt: row.created_at,
  };
}
