import { helpQuestionSchema, helpOutcomeSchema, type HelpQuestion, type HelpOutcome } from '@/lib/help/help-request';
import type { Connection } from './connection';

/** A question that must survive a restart: an open one has no outcome. */
export interface HelpRequestRecord {
  readonly asked: HelpQuestion;
  readonly outcome: HelpOutcome | null;
}

interface SessionKey {
  readonly workspace: string;
  readonly session: string;
}

const storedOutcome = helpOutcomeSchema.nullable();

export class HelpRequestRepository {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Written before it counts; at once, no promise. */
  save({ workspace, session }: SessionKey, { asked, outcome }: HelpRequestRecord): void {
    const outcome_json = JSON.stringify(outcome);
    const row = {
      workspace,
      session,
      id: asked.id,
      asked_json: JSON.stringify(asked),
      outcome_json,
      created_at: asked.askedAt,
    };
    const insert = this.#connection.db.insertInto('questions').values(row);
    this.#connection.run(
      insert.onConflict((conflict) =>
        conflict.columns(['session', 'id']).doUpdateSet({ outcome_json }).where('questions.workspace', '=', workspace),
      ),
    );
  }

  /** Nobody asks for it any more. */
  remove({ workspace, session }: SessionKey, id: string): void {
    this.#connection.run(
      this.#connection.db
        .deleteFrom('questions')
        .where('workspace', '=', workspace)
        .where('session', '=', session)
        .where('id', '=', id),
    );
  }

  /** Oldest first. */
  async list({ workspace, session }: SessionKey): Promise<HelpRequestRecord[]> {
    const rows = await this.#connection.db
      .selectFrom('questions')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .orderBy('created_at')
      .execute();
    return rows.map(({ asked_json, outcome_json }) => ({
      asked: helpQuestionSchema.parse(JSON.parse(asked_json)),
      outcome: storedOutcome.parse(JSON.parse(outcome_json)),
    }));
  }
}
