import { COMMENT_LIMITS, commentSchema, type Comment } from '@/lib/comments/comment';
import type { Database } from './connection';

interface SessionKey {
  readonly workspace: string;
  readonly session: string;
}

export type ForgottenDeliveries =
  | { readonly agent: string; readonly comments?: undefined }
  | { readonly comments: readonly string[]; readonly agent?: undefined };

/** The comments of sessions, and which agents have got them (TL3). */
export class CommentRepository {
  constructor(private readonly db: Database) {}

  /** Stores comments, or their present states, and removes others, in one commit. */
  async save(
    { workspace, session }: SessionKey,
    comments: readonly Comment[],
    removed: readonly string[] = [],
  ): Promise<void> {
    await this.db.transaction().execute(async (tx) => {
      if (removed.length > 0) {
        const theirs = tx.deleteFrom('comments').where('workspace', '=', workspace).where('session', '=', session);
        await theirs.where('id', 'in', removed).execute();
      }
      for (const comment of comments) {
        const changes = { comment_json: JSON.stringify(comment), resolved: comment.resolved ? 1 : 0 };
        await tx
          .insertInto('comments')
          .values({ workspace, session, seq: comment.seq, id: comment.id, ...changes })
          .onConflict((conflict) =>
            conflict.columns(['session', 'seq']).doUpdateSet(changes).where('comments.workspace', '=', workspace),
          )
          .execute();
      }
    });
  }

  /** All of a session, in their order. */
  async list({ workspace, session }: SessionKey): Promise<Comment[]> {
    const theirs = this.db.selectFrom('comments').select('comment_json').where('workspace', '=', workspace);
    const rows = await theirs.where('session', '=', session).orderBy('seq').limit(COMMENT_LIMITS.all).execute();
    return rows.map(({ comment_json }) => commentSchema.parse(JSON.parse(comment_json)));
  }

  /** The agent has got these comments. */
  async deliver({ workspace, session }: SessionKey, agent: string, comments: readonly string[]): Promise<void> {
    if (comments.length === 0) return;
    await this.db
      .insertInto('comment_deliveries')
      .values(comments.map((comment) => ({ workspace, session, agent, comment })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Forgets what one agent has got, or who has got these comments. */
  async forget({ workspace, session }: SessionKey, which: ForgottenDeliveries): Promise<void> {
    const all = this.db.deleteFrom('comment_deliveries').where('workspace', '=', workspace);
    const theirs = all.where('session', '=', session);
    if (which.agent !== undefined) await theirs.where('agent', '=', which.agent).execute();
    if (which.comments) await theirs.where('comment', 'in', which.comments).execute();
  }

  /** By agent, the comments that it has got. */
  async delivered({ workspace, session }: SessionKey): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const rows = await this.db
      .selectFrom('comment_deliveries')
      .select(['agent', 'comment'])
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .execute();
    const byAgent = new Map<string, Set<string>>();
    for (const { agent, comment } of rows) byAgent.set(agent, (byAgent.get(agent) ?? new Set()).add(comment));
    return byAgent;
  }
}
