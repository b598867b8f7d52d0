import { receiptSchema, type Receipt } from '@/lib/actions/receipt';
import type { Connection } from './connection';

interface SessionKey {
  readonly workspace: string;
  readonly session: string;
}

/** What an agent has to be told of a person's work, and has not been told yet. */
export interface ReceiptRecord {
  readonly participant: string;
  readonly receipt: Receipt;
}

export class ReceiptRepository {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** In the place of an earlier one of the same participant. Written before it counts; at once, no promise. */
  save({ workspace, session }: SessionKey, { participant, receipt }: ReceiptRecord): void {
    const receipt_json = JSON.stringify(receipt);
    const insert = this.#connection.db.insertInto('receipts').values({ workspace, session, participant, receipt_json });
    this.#connection.run(
      insert.onConflict((conflict) =>
        conflict
          .columns(['session', 'participant'])
          .doUpdateSet({ receipt_json })
          .where('receipts.workspace', '=', workspace),
      ),
    );
  }

  /** It has been told, or nobody can be told any more. `participant` left out: all of the session. */
  remove({ workspace, session }: SessionKey, participant?: string): void {
    const all = this.#connection.db
      .deleteFrom('receipts')
      .where('workspace', '=', workspace)
      .where('session', '=', session);
    this.#connection.run(participant === undefined ? all : all.where('participant', '=', participant));
  }

  async list({ workspace, session }: SessionKey): Promise<ReceiptRecord[]> {
    const rows = await this.#connection.db
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
