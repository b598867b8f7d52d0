import { z } from 'zod';
import type { Selectable } from 'kysely';
import { pausedSchema, sessionSchema, type PausedView } from '@/lib/protocol/views';
import { activeSchema, type Active } from '@/lib/state/active';
import type { Database } from './connection';
import type { Tables } from './tables';
import type { TimelineRepository } from './timeline';

const { isolation: isolationSchema, state: stateSchema, viewport: viewportSchema } = sessionSchema.shape;
const contextsSchema = z.array(z.string());
const storedPause = pausedSchema.nullable();
const policySchema = z.record(z.string(), z.unknown());

export interface SessionRecord {
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly browser: string;
  readonly isolation: z.infer<typeof isolationSchema>;
  /** Chrome's ids of its contexts, the ordinary one first; empty for the default context of an attached Chrome. */
  readonly contexts: readonly string[];
  /** Port of the egress proxy of its contexts; null if they have none. */
  readonly egressPort: number | null;
  /** CSS pixels. */
  readonly viewport: z.infer<typeof viewportSchema>;
  readonly policy: z.infer<typeof policySchema>;
  readonly state: z.infer<typeof stateSchema>;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly active?: Active;
  /** Who paused its agents. */
  readonly paused?: PausedView | undefined;
  /**
   * The credential that made it, in the form of `credentialName`; absent for sessions that an attached Chrome showed.
   */
  readonly maker?: string | undefined;
  /** The person who made it, or whose key made it. */
  readonly owner?: string | undefined;
}

export type SessionChange = Partial<
  Pick<
    SessionRecord,
    | 'name'
    | 'browser'
    | 'isolation'
    | 'contexts'
    | 'egressPort'
    | 'viewport'
    | 'policy'
    | 'state'
    | 'endedAt'
    | 'active'
  > & { readonly paused: PausedView | null }
>;

export class SessionRepository {
  constructor(
    private readonly db: Database,
    private readonly timeline: TimelineRepository,
  ) {}

  /** Adds the session together with its empty timeline. */
  async add(record: SessionRecord): Promise<void> {
    const { id, workspace, name, browser, isolation, state } = record;
    const row = {
      id,
      workspace,
      name,
      browser,
      isolation,
      state,
      contexts_json: JSON.stringify(record.contexts),
      egress_port: record.egressPort,
      viewport_json: JSON.stringify(record.viewport),
      policy_json: JSON.stringify(record.policy),
      created_at: record.createdAt,
      ended_at: record.endedAt,
      maker: record.maker ?? null,
      owner: record.owner ?? null,
    };
    await this.db.transaction().execute(async (tx) => {
      await tx.insertInto('sessions').values(row).execute();
      await this.timeline.begin(tx, workspace, id);
    });
  }

  /** Changes the named fields; the others stay. */
  async update(workspace: string, id: string, change: SessionChange): Promise<void> {
    const columns = {
      name: change.name,
      browser: change.browser,
      isolation: change.isolation,
      contexts_json: change.contexts && JSON.stringify(change.contexts),
      egress_port: change.egressPort,
      state: change.state,
      ended_at: change.endedAt,
      viewport_json: change.viewport && JSON.stringify(change.viewport),
      policy_json: change.policy && JSON.stringify(change.policy),
      active_json: change.active && JSON.stringify(change.active),
      paused_json: change.paused === undefined ? undefined : JSON.stringify(change.paused),
    };
    if (Object.values(columns).every((value) => value === undefined)) return;
    await this.db
      .updateTable('sessions')
      .set(columns)
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute();
  }

  async get(workspace: string, id: string): Promise<SessionRecord | undefined> {
    const row = await this.db
      .selectFrom('sessions')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Every session of the workspace that has not ended, oldest first. */
  async listOpen(workspace: string): Promise<SessionRecord[]> {
    const open = this.db
      .selectFrom('sessions')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('state', '!=', 'ended');
    return (await open.orderBy('created_at').execute()).map(toRecord);
  }
}

function toRecord(row: Selectable<Tables['sessions']>): SessionRecord {
  return {
    id: row.id,
    workspace: row.workspace,
    name: row.name,
    browser: row.browser,
    isolation: isolationSchema.parse(row.isolation),
    contexts: contextsSchema.parse(JSON.parse(row.contexts_json)),
    egressPort: row.egress_port,
    viewport: viewportSchema.parse(JSON.parse(row.viewport_json)),
    policy: policySchema.parse(JSON.parse(row.policy_json)),
    state: stateSchema.parse(row.state),
    createdAt: row.created_at,
    endedAt: row.ended_at,
    active: activeSchema.parse(JSON.parse(row.active_json)),
    paused: storedPause.parse(JSON.parse(row.paused_json)) ?? undefined,
    maker: row.maker ?? undefined,
    owner: row.owner ?? undefined,
  };
}
