import type { Selectable } from 'kysely';
import { masksSchema, type Mask } from '@/lib/state/masks';
import type { Database } from './connection';
import type { Tables } from './tables';

export interface TabRecord {
  readonly workspace: string;
  readonly session: string;
  /** Short id, `t1` (SE2); never used twice in a session. */
  readonly id: string;
  readonly targetId: string;
  readonly label: string | null;
  readonly opener: string | null;
  readonly url: string;
  /** The highest ref number given out in this tab (SN4: never reused, also not after a restart). */
  readonly lastRef: number;
  readonly openedAt: string;
  readonly closedAt: string | null;
  /** The fields that stay masked in its documents (CO8). */
  readonly masks?: readonly Mask[];
}

export type TabChange = Partial<Pick<TabRecord, 'targetId' | 'label' | 'url' | 'lastRef' | 'closedAt'>>;

export class TabRepository {
  constructor(private readonly db: Database) {}

  async add(tab: TabRecord): Promise<void> {
    const { workspace, session, id, label, opener, url } = tab;
    const row = {
      workspace,
      session,
      id,
      label,
      opener,
      url,
      target_id: tab.targetId,
      last_ref: tab.lastRef,
      opened_at: tab.openedAt,
      closed_at: tab.closedAt,
    };
    await this.db.insertInto('tabs').values(row).execute();
  }

  /** Changes the named fields; the others stay. */
  async update(workspace: string, session: string, id: string, change: TabChange): Promise<void> {
    const columns = {
      target_id: change.targetId,
      label: change.label,
      url: change.url,
      last_ref: change.lastRef,
      closed_at: change.closedAt,
    };
    if (Object.values(columns).every((value) => value === undefined)) return;
    await this.db
      .updateTable('tabs')
      .set(columns)
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('id', '=', id)
      .execute();
  }

  /** Awaited before the tab becomes visible again. */
  async saveMasks(workspace: string, session: string, id: string, masks: readonly Mask[]): Promise<void> {
    await this.db
      .updateTable('tabs')
      .set({ masks_json: JSON.stringify(masks) })
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('id', '=', id)
      .execute();
  }

  /**
   * Every tab that the session ever had, in the order of opening; includes closed ones, so that ids go on from the
   * last.
   */
  async list(workspace: string, session: string): Promise<TabRecord[]> {
    const rows = await this.db
      .selectFrom('tabs')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .execute();
    return rows.map(toRecord).toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  }
}

function toRecord(row: Selectable<Tables['tabs']>): TabRecord {
  const { workspace, session, id, label, opener, url } = row;
  return {
    workspace,
    session,
    id,
    label,
    opener,
    url,
    targetId: row.target_id,
    lastRef: row.last_ref,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    masks: masksSchema.parse(JSON.parse(row.masks_json)),
  };
}
