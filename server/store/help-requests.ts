import {
  helpClaimSchema,
  helpOutcomeSchema,
  helpQuestionSchema,
  type HelpClaim,
  type HelpOutcome,
  type HelpQuestion,
} from '@/lib/help/help-request';
import type { Database } from './connection';

/** A help request that must survive a restart; an open one has no outcome. */
export interface HelpRequestRecord {
  readonly asked: HelpQuestion;
  readonly outcome: HelpOutcome | null;
  /** The person who is on an open one. */
  readonly claimed: HelpClaim | null;
}

interface SessionKey {
  readonly workspace: string;
  readonly session: string;
}

const storedOutcome = helpOutcomeSchema.nullable();
const storedClaim = helpClaimSchema.nullable();

export class HelpRequestRepository {
  constructor(private readonly db: Database) {}

  async save({ workspace, session }: SessionKey, { asked, outcome, claimed }: HelpRequestRecord): Promise<void> {
    const changes = { outcome_json: JSON.stringify(outcome), claimed_json: JSON.stringify(claimed) };
    const row = {
      workspace,
      session,
      id: asked.id,
      asked_json: JSON.stringify(asked),
      ...changes,
      created_at: asked.askedAt,
    };
    const insert = this.db.insertInto('questions').values(row);
    await insert
      .onConflict((conflict) =>
        conflict.columns(['session', 'id']).doUpdateSet(changes).where('questions.workspace', '=', workspace),
      )
      .execute();
  }

  /** Deletes a closed request whose answer has been delivered. */
  async remove({ workspace, session }: SessionKey, id: string): Promise<void> {
    await this.db
      .deleteFrom('questions')
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('id', '=', id)
      .execute();
  }

  /** Oldest first. */
  async list({ workspace, session }: SessionKey): Promise<HelpRequestRecord[]> {
    const rows = await this.db
      .selectFrom('questions')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .orderBy('created_at')
      .execute();
    return rows.map(({ asked_json, outcome_json, claimed_json }) => ({
      asked: helpQuestionSchema.parse(JSON.parse(asked_json)),
      outcome: storedOutcome.parse(JSON.parse(outcome_json)),
      claimed: storedClaim.parse(JSON.parse(claimed_json)),
    }));
  }
}
