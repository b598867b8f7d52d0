import { WheelhouseError } from '@/lib/errors/error';
import type { Database } from './connection';
import { pictureText, type Signer } from './signer';

/** The action picture of one timeline row; its bytes are in a file (TL2). */
export interface PictureRecord {
  /** Position of the action's outcome row. */
  readonly seq: number;
  readonly eventId: string;
  /** When it was taken, ISO 8601. */
  readonly at: string;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Size of the page's viewport, CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Records which rows have pictures. Each is signed by itself: a row is written before its reply, and its picture after
 * that, so the picture's hash cannot be in the row's own chain.
 */
export class PictureRepository {
  constructor(
    private readonly db: Database,
    private readonly signer: Signer | undefined,
  ) {}

  /** Throws STORE_BUSY. */
  async add(workspace: string, session: string, { eventId, ...picture }: PictureRecord): Promise<void> {
    if (!this.signer) throw new WheelhouseError('UNSUPPORTED', 'Only the server keeps pictures.');
    const signature = this.signer.sign(pictureText({ session, ...picture }));
    const row = { workspace, session, event_id: eventId, signature, ...picture };
    await this.db.insertInto('pictures').values(row).execute();
  }

  /** The oldest row first. */
  list(workspace: string, session: string): Promise<PictureRecord[]> {
    return this.#of(workspace, session).orderBy('seq').execute();
  }

  find(workspace: string, session: string, eventId: string): Promise<PictureRecord | undefined> {
    return this.#of(workspace, session).where('event_id', '=', eventId).executeTakeFirst();
  }

  /** Deletes the pictures up to and including this row. */
  async removeUpTo(workspace: string, session: string, seq: number): Promise<void> {
    await this.db
      .deleteFrom('pictures')
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .where('seq', '<=', seq)
      .execute();
  }

  #of(workspace: string, session: string) {
    const own = this.db.selectFrom('pictures').where('workspace', '=', workspace).where('session', '=', session);
    return own.select(['seq', 'event_id as eventId', 'at', 'sha256', 'bytes', 'width', 'height']);
  }
}
