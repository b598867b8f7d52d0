import { z } from 'zod';
import type { Database } from './connection';

const holderSchema = z.object({ id: z.string(), name: z.string(), kind: z.enum(['human', 'agent']) }).nullable();
type StoredHolder = z.infer<typeof holderSchema>;
const privateHoldSchema = z.object({ reason: z.string(), until: z.enum(['field', 'ended']) }).nullable();
type StoredPrivateHold = z.infer<typeof privateHoldSchema>;

/** The lease of one tab as stored for a restart, after which it is void and its epoch goes on from here (F11, CO7). */
export interface LeaseRecord {
  readonly workspace: string;
  readonly session: string;
  readonly tab: string;
  readonly epoch: number;
  readonly holder: StoredHolder;
  readonly takenFrom: StoredHolder;
  readonly reason: string;
  /** The private hold of the holder (CO8). */
  readonly privateHold: StoredPrivateHold;
}

export class LeaseRepository {
  constructor(private readonly db: Database) {}

  /** Writes the lease before its epoch is published. False when the stored row has a higher epoch, which is kept. */
  async save(lease: LeaseRecord, now: Date): Promise<boolean> {
    const { workspace, session, tab, epoch, reason } = lease;
    const row = {
      workspace,
      session,
      tab,
      epoch,
      reason,
      holder_json: JSON.stringify(lease.holder),
      taken_from_json: JSON.stringify(lease.takenFrom),
      cover_json: JSON.stringify(lease.privateHold),
      updated_at: now.toISOString(),
    };
    const { workspace: _w, session: _s, tab: _t, ...changes } = row;
    const insert = this.db.insertInto('leases').values(row);
    const upsert = insert.onConflict((conflict) =>
      conflict
        .columns(['session', 'tab'])
        .doUpdateSet(changes)
        .where('leases.epoch', '<=', epoch)
        .where('leases.workspace', '=', workspace),
    );
    const [result] = await upsert.execute();
    return (result?.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async list(workspace: string, session: string): Promise<LeaseRecord[]> {
    const rows = await this.db
      .selectFrom('leases')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .execute();
    return rows.map(({ tab, epoch, reason, holder_json, taken_from_json, cover_json }) => ({
      workspace,
      session,
      tab,
      epoch,
      reason,
      holder: holderSchema.parse(JSON.parse(holder_json)),
      takenFrom: holderSchema.parse(JSON.parse(taken_from_json)),
      privateHold: privateHoldSchema.parse(JSON.parse(cover_json)),
    }));
  }
}
