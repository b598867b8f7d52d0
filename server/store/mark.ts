import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Chain } from './chain';
import { touchPrivate } from './data-dir';
import { codeOf } from './failures';

const FILE = 'timeline.mark';

/**
 * What the mark says against what the database holds at start; undefined when they agree. A sentence for people and how
 * many rows are gone, when known.
 */
export interface TimelineLoss {
  readonly message: string;
  readonly rows: number | undefined;
}

/**
 * How many timeline rows were ever committed, signed, in a file of its own (T21, F17). SQLite drops a damaged end of
 * its log without a word, and a whole older copy of the database is sound in itself; against this file both show.
 * Written after each commit: killed in between, the file is behind, which is no loss.
 */
export class Mark {
  readonly #chain: Chain;
  readonly #file: number;
  #rows: number;
  #trouble: string | undefined;

  private constructor(chain: Chain, file: number, rows: number) {
    this.#chain = chain;
    this.#file = file;
    this.#rows = rows;
  }

  /** Opens the file beside a database that holds `rows` rows, says what is missing, and goes on from `rows`. */
  static open(dataDir: string, chain: Chain, rows: number): { mark: Mark; loss: TimelineLoss | undefined } {
    const path = join(dataDir, FILE);
    const loss = lossOf(read(path), chain, rows);
    touchPrivate(path);
    const mark = new Mark(chain, openSync(path, 'r+'), rows);
    mark.#write();
    return { mark, loss };
  }

  /** One more row is committed. Never throws: the row is safe whatever becomes of this file; see `trouble`. */
  advance(): void {
    this.#rows += 1;
    try {
      this.#write();
      this.#trouble = undefined;
    } catch (thrown) {
      this.#trouble = `The file that counts the timeline rows cannot be written (${codeOf(thrown)}).`;
    }
  }

  /** What is wrong with the file, for `/readyz`. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Always the same length, in one write: a reader sees the old or the new. */
  #write(): void {
    writeSync(this.#file, `${String(this.#rows).padStart(16, '0')} ${this.#chain.count(this.#rows)}\n`, 0);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function lossOf(text: string | undefined, chain: Chain, rows: number): TimelineLoss | undefined {
  if (text === undefined)
    return rows === 0
      ? undefined
      : { message: 'The file that counts the timeline rows is missing, so a loss would not show.', rows: undefined };
  const [count = '', mac = ''] = text.trim().split(' ');
  if (!chain.same(chain.count(Number(count)), mac))
    return {
      message: 'The file that counts the timeline rows was changed, so a loss would not show.',
      rows: undefined,
    };
  const missing = Number(count) - rows;
  if (missing <= 0) return undefined;
  return {
    message: `The newest ${missing} rows of the timelines are missing: the database was damaged, or put back from an older copy.`,
    rows: missing,
  };
}
