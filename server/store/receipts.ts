import { receiptSchema, type Receipt } from '@/lib/actions/receipt';
import type { Database } from './connection';

interface SessionKey {
  readonly workspace: string;
  readonly session: string;
}

/** A receipt of a person's work that was not delivered to the agent yet. */
export interface ReceiptRecord {
  readonly participant: string;
  readonly receipt: Receipt;
}

export class ReceiptRepository {
  constructor(private readonly db: Database) {}

  /** Replaces an earlier receipt of the same participant. */
  async save({ workspace, session }: SessionKey, { participant, receipt }: ReceiptRecord): Promise<void> {
    const receipt_json = JSON.stringify(receipt);
    const insert = this.db.insertInto('receipts').values({ workspace, session, participant, receipt_json });
    await insert
      .onConflict((conflict) =>
        conflict
          .columns(['session', 'participant'])
          .doUpdateSet({ receipt_json })
          .where('receipts.workspace', '=', workspace),
      )
      .execute();
  }

  /** Removes receipts that were delivered or can no longer be. Without `participant`: all of the session. */
  async remove({ workspace, session }: SessionKey, participant?: string): Promise<void> {
    const all = this.db.deleteFrom('receipts').where('workspace', '=', workspace).where('session', '=', session);
    await (participant === undefined ? all : all.where('participant', '=', participant)).execute();
  }

  async list({ workspace, session }: SessionKey): Promise<ReceiptRecord[]> {
    const rows = await this.db
      .selectFrom('receipts')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .execute();
    return rows.map(({ participant, receipt_json }) => ({
      participant,
      receipt: receiptSchema.parse(JSON.parse(receipt_json)),
    }));
  }
}
