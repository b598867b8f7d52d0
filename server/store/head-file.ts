import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { touchPrivate } from './data-dir';
import { codeOf } from './failures';
import type { Head, Signer } from './signer';

const FILE = 'timeline.head';
/** Characters of the file: the same for every head, so that one write replaces the one before. */
const LENGTH = 384;

/**
 * What the file says against what the database holds at start; undefined when they agree. A sentence for people and how
 * many rows are gone, when known.
 */
export interface TimelineLoss {
  readonly message: string;
  readonly rows: number | undefined;
}

const headSchema = z.object({
  /** Of all timelines together. */
  rows: z.int(),
  session: z.string(),
  seq: z.int(),
  digest: z.string(),
  at: z.string(),
  signature: z.string(),
});
type StoredHead = z.infer<typeof headSchema>;

/** What the database holds, to compare the file with. */
export interface Present {
  /** Of all timelines together. */
  readonly rows: number;
  /** The timeline that was written last. */
  readonly newest: Head | undefined;
  /** The digest of a row; undefined when there is no such row. */
  digestAt(session: string, seq: number): Promise<string | undefined>;
}

/**
 * The newest head of all timelines and how many rows they have together, signed, in a file beside the database (T21,
 * F17). SQLite drops a damaged end of its log without a word, and a whole older copy of the database is sound in
 * itself; against this file both show. Written after each commit: killed in between, the file is behind, which is no
 * loss.
 */
export class HeadFile {
  readonly #signer: Signer;
  readonly #file: number;
  #rows: number;
  #trouble: string | undefined;

  private constructor(signer: Signer, file: number, rows: number) {
    this.#signer = signer;
    this.#file = file;
    this.#rows = rows;
  }

  /** Opens the file, says what the database lacks, and goes on from what it has. */
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
   * One more row is committed; call in the order of commits. Never throws: the row is safe whatever becomes of this
   * file; see `trouble`.
   */
  appended(head: Head): void {
    this.#rows += 1;
    try {
      this.#write(head);
      this.#trouble = undefined;
    } catch (thrown) {
      this.#trouble = `The file that keeps the head of the timelines cannot be written (${codeOf(thrown)}).`;
    }
  }

  /** What is wrong with the file, for `/readyz`. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  close(): void {
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
    return present.rows === 0
      ? undefined
      : {
          message: 'The file that keeps the head of the timelines is missing, so a loss would not show.',
          rows: undefined,
        };
  const head = parsed(text);
  if (!head || !signer.verifies(textOf(head), head.signature))
    return {
      message: 'The file that keeps the head of the timelines was changed, so a loss would not show.',
      rows: undefined,
    };
  const missing = head.rows - present.rows;
  if (missing > 0)
    return {
      message: `The newest ${missing} rows of the timelines are missing: the database was damaged, or put back from an older copy.`,
      rows: missing,
    };
  if ((await present.digestAt(head.session, head.seq)) === head.digest) return undefined;
  return {
    message: 'The newest row of the timelines is another one: the database was put back from an older copy.',
    rows: undefined,
  };
}

function parsed(text: string): StoredHead | undefined {
  try {
    return headSchema.parse(JSON.parse(text));
  } catch {
    // Cut off, or not ours.
    return undefined;
  }
}
