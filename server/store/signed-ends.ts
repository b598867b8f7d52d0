import { WheelhouseError } from '@/lib/errors/error';
import type { Connection } from './connection';
import { endText, type End, type PublicKey, type Signer } from './signer';

/**
 * The newest rows are signed at most this long after they are committed. Until then the keyed seal of each append
 * stands for them. Milliseconds.
 */
export const SIGNED_WITHIN_MS = 250;

export interface SignedEnd extends End {
  /** Base64, as `key`: the public half in DER. */
  readonly signature: string;
  readonly key: string;
}

/**
 * Keeps the end of each timeline signed (TL1, T21). Signing costs a third of an append, so it is done for all rows of a
 * moment together, off the path of the one who waits for the row; and at once for whoever asks, and before the store
 * closes.
 */
export class SignedEnds {
  readonly #due = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly signer: Signer,
    private readonly now: () => Date,
  ) {}

  get publicKey(): PublicKey {
    return this.signer.publicKey;
  }

  /** Rows were committed: their end is signed soon. */
  appended(workspace: string, session: string): void {
    this.#due.set(session, workspace);
    this.#timer ??= setTimeout(() => this.flush(), SIGNED_WITHIN_MS).unref();
  }

  /** The end as it is now, signed. Throws NOT_FOUND, STORE_BUSY. */
  sign(workspace: string, session: string): SignedEnd {
    const { db } = this.connection;
    const own = db.selectFrom('timeline_heads').where('workspace', '=', workspace).where('session', '=', session);
    return this.connection.atomically(() => {
      const head = this.connection.one(own.select(['seq', 'digest']));
      if (!head) throw new WheelhouseError('NOT_FOUND', `There is no session "${session}".`);
      const end: End = { session, seq: head.seq, digest: head.digest, at: this.now().toISOString() };
      const signature = this.signer.sign(endText(end));
      this.connection.run(
        db
          .updateTable('timeline_heads')
          .set({ signed_seq: end.seq, signed_at: end.at, signature })
          .where('session', '=', session),
      );
      this.#due.delete(session);
      return { ...end, signature, key: this.signer.publicKey.key };
    });
  }

  /**
   * Signs every end that waits for it. What cannot be written now is tried again with the next row, or at the next
   * start.
   */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [session, workspace] of this.#due) {
      try {
        this.sign(workspace, session);
      } catch {
        return;
      }
    }
  }

  /** Timelines whose newest rows an earlier run could not sign any more. */
  unsigned(): { readonly workspace: string; readonly session: string }[] {
    return this.connection.all(
      this.connection.db
        .selectFrom('timeline_heads')
        .select(['workspace', 'session'])
        .whereRef('signed_seq', '!=', 'seq'),
    );
  }
}
