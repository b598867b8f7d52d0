import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WheelhouseError } from '@/lib/errors/error';
import type { PictureView } from '@/lib/protocol/views';
import type { PictureRecord } from '@/server/store/pictures';
import { sha256 } from '@/server/store/chain';
import type { SessionLedger } from '@/server/session/ledger';

/** A captured picture. */
export interface CapturedPicture {
  readonly data: Uint8Array;
  /** ISO 8601. */
  readonly at: string;
  /** CSS pixels of the viewport. */
  readonly width: number;
  readonly height: number;
}

/** Largest picture that is kept. Bytes. */
const LARGEST = 2 * 1024 * 1024;

/**
 * Stores the pictures of one session's timeline (TL2): a file each, and a database row with its hash. When the byte
 * limit is reached, the oldest are deleted; all are deleted with the session.
 */
export class ActionPictureStore {
  readonly #records: PictureRecord[] = [];
  #bytes = 0;
  /** Settles when the records of earlier runs are loaded. */
  readonly #known: Promise<void>;
  #closed = false;

  readonly #root: string;

  /**
   * @param root folder of the pictures of all sessions
   * @param most byte limit of one session; 0 keeps none
   */
  constructor(
    root: string,
    private readonly ledger: SessionLedger,
    private readonly most: number,
  ) {
    this.#root = path.join(root, ledger.session);
    this.#known = this.#load();
    // `keep` and `erase` await this promise and report its error.
    this.#known.catch(() => undefined);
  }

  get takesAny(): boolean {
    return this.most > 0 && !this.#closed;
  }

  /**
   * Stores the picture of a row. Returns its description for the row; undefined when the picture is too large or the
   * store closed. Throws errors of the disk or the database.
   */
  async keep(
    row: { readonly seq: number; readonly id: string },
    { data, ...shot }: CapturedPicture,
  ): Promise<PictureView | undefined> {
    if (!this.takesAny || data.byteLength > Math.min(LARGEST, this.most)) return undefined;
    const record: PictureRecord = {
      ...shot,
      seq: row.seq,
      eventId: row.id,
      sha256: sha256(data),
      bytes: data.byteLength,
    };
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    await writeFile(this.#file(row.seq), data, { mode: 0o600 });
    await this.#known;
    // The session ended during the write, and its folder is being removed.
    if (!this.takesAny) return void (await rm(this.#file(row.seq), { force: true }));
    await this.ledger.addPicture(record);
    // Two pictures written at once may finish out of order.
    const after = this.#records.findIndex(({ seq }) => seq > record.seq);
    this.#records.splice(after < 0 ? this.#records.length : after, 0, record);
    this.#bytes += record.bytes;
    await this.#makeRoom();
    return { at: record.at, sha256: record.sha256, width: record.width, height: record.height };
  }

  /** Reads the JPEG of a row. Throws NOT_FOUND, also when the file does not match its hash. */
  async read(eventId: string): Promise<Uint8Array> {
    const record = await this.ledger.picture(eventId);
    const data = record && (await readFile(this.#file(record.seq)).catch(() => undefined));
    if (data === undefined)
      throw new WheelhouseError(
        'NOT_FOUND',
        'That row has no picture: none was taken, or it made room for newer ones.',
      );
    if (sha256(data) !== record?.sha256)
      throw new WheelhouseError('NOT_FOUND', 'The picture of that row was changed on the disk, so it is not shown.');
    return data;
  }

  /** The server stops: takes no more pictures. */
  close(): void {
    this.#closed = true;
  }

  /** The session is over: deletes its pictures. */
  async erase(): Promise<void> {
    this.close();
    await this.#known;
    const last = this.#records.splice(0).at(-1);
    if (last) await this.ledger.removePicturesUpTo(last.seq);
    await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  async #load(): Promise<void> {
    for (const record of await this.ledger.pictures()) {
      this.#records.push(record);
      this.#bytes += record.bytes;
    }
  }

  async #makeRoom(): Promise<void> {
    const gone: PictureRecord[] = [];
    while (this.#bytes > this.most) {
      const [oldest] = this.#records.splice(0, 1);
      if (!oldest) break;
      this.#bytes -= oldest.bytes;
      gone.push(oldest);
    }
    const last = gone.at(-1);
    if (!last) return;
    await this.ledger.removePicturesUpTo(last.seq);
    await Promise.all(gone.map(({ seq }) => rm(this.#file(seq), { force: true })));
  }

  #file(seq: number): string {
    return path.join(this.#root, `${seq}.jpg`);
  }
}
