import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Message } from '@/lib/messages/message';
import { touchPrivate } from './data-dir';
import { codeOf } from './failures';
import type { Head, Signer } from './signer';

const FILE = 'timeline.head';
/** Length of the file in characters, the same for every head, so that one write replaces the previous one. */
const LENGTH = 384;

/**
 * The difference between the file and the database at start: a message for people, and the number of missing rows, if
 * known.
 */
export interface TimelineLoss {
  readonly said: Message;
  readonly rows: number | undefined;
}

const headSchema = z.object({
  /** Number of rows of all timelines. */
  rows: z.int(),
  session: z.string(),
  seq: z.int(),
  digest: z.string(),
  at: z.string(),
  signature: z.string(),
});
type StoredHead = z.infer<typeof headSchema>;

/** The state of the database, to compare the file with. */
export interface Present {
  /** Number of rows of all timelines. */
  readonly rows: number;
  /** The head of the timeline that was written last. */
  readonly newest: Head | undefined;
  /** The digest of a row; undefined when there is no such row. */
  digestAt(session: string, seq: number): Promise<string | undefined>;
}

/**
 * The newest head of all timelines and their total number of rows, signed, in a file beside the database (F17). SQLite
 * silently drops a damaged end of its log, and an older copy of the whole database is sound in itself; a comparison
 * with this file shows both. Written at the end of the event loop's turn in which rows were committed, so that no
 * caller waits for the signature: after a kill in between the file is behind, which is no loss.
 */
export class HeadFile {
  readonly #signer: Signer;
  readonly #file: number;
  #rows: number;
  /** The newest head, until it is written. */
  #due: Head | undefined;
  #trouble: string | undefined;

  private constructor(signer: Signer, file: number, rows: number) {
    this.#signer = signer;
    this.#file = file;
    this.#rows = rows;
  }

  /** Opens the file, reports what the database lacks, and goes on from the database's state. */
  static async open(
    dataDir: string,
    signer: Signer,
    present: Present,
  ): Promise<{ heads: HeadFile; loss: TimelineLoss | undefined }> {
    const path = join(dataDir, FILE);
    const loss = await lossOf(read(path), signer, present);
    touchPrivate(path);
    const heads = new HeadFile(signer, openSync(path, 'r+'), present.rows);
    if (present.newest) heads.#write(present.newest);
    return { heads, loss };
  }

  /**
   * Records one more committed row; call it in the order of commits. Never throws, since the row is safe whether or not
   * the file can be written; see `trouble`.
   */
  appended(head: Head): void {
    this.#rows += 1;
    if (!this.#due) setImmediate(() => this.#flush());
    this.#due = head;
    // After a kill a file that is still empty would look as if someone had emptied it.
    if (this.#rows === 1) this.#flush();
  }

  #flush(): void {
    const head = this.#due;
    if (!head) return;
    this.#due = undefined;
    try {
      this.#write(head);
      this.#trouble = undefined;
    } catch (thrown) {
      this.#trouble = `The file that keeps the head of the timelines cannot be written (${codeOf(thrown)}).`;
    }
  }

  /** The problem of the last write, for `/readyz`. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #write({ session, seq, digest, at }: Head): void {
    const head = { rows: this.#rows, session, seq, digest, at };
    const text = JSON.stringify({ ...head, signature: this.#signer.sign(textOf(head)) });
    writeSync(this.#file, `${text.padEnd(LENGTH)}\n`, 0);
  }
}

function textOf({ rows, session, seq, digest, at }: Omit<StoredHead, 'signature'>): string {
  return `wheelhouse timelines 1\n${rows}\n${session}\n${seq}\n${digest}\n${at}`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

async function lossOf(text: string | undefined, signer: Signer, present: Present): Promise<TimelineLoss | undefined> {
  if (text === undefined || text === '')
    return present.rows === 0 ? undefined : { said: { code: 'headMissing' }, rows: undefined };
  const head = parsed(text);
  if (!head || !signer.verifies(textOf(head), head.signature))
    return { said: { code: 'headChanged' }, rows: undefined };
  const missing = head.rows - present.rows;
  if (missing > 0) return { said: { code: 'rowsMissing', times: missing }, rows: missing };
  if ((await present.digestAt(head.session, head.seq)) === head.digest) return undefined;
  return { said: { code: 'headOther' }, rows: undefined };
}

function parsed(text: string): StoredHead | undefined {
  try {
    return headSchema.parse(JSON.parse(text));
  } catch {
    // The file is truncated, or not ours.
    return undefined;
  }
}
