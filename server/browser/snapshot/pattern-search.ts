import { Worker } from 'node:worker_threads';
import type { Budget } from '@/lib/budget/budget';
import { monotonicClock, type Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';

/**
 * Time limit of one pattern, milliseconds: some patterns take practically for ever. Counted from when the thread is
 * ready; a good pattern takes one or two.
 */
const MOST_MS = 300;
/** Most searches of one credential that run or wait. */
const MOST_OF_ONE = 8;
/** Most searches of all callers that wait. */
const MOST_WAITING = 200;

const PLAINER = 'Use a pattern without repeats inside repeats, or "find" for plain text.';

/**
 * The whole program of the thread, as text, so that it runs the same from source, from a bundle and under test. Pattern
 * and texts come as data, never as code. It reports when it is ready, so that its start-up time does not count as the
 * pattern's.
 */
const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ pattern, texts }) => {
    let regex;
    try {
      regex = new RegExp(pattern, 'iu');
    } catch {
      return parentPort.postMessage('invalid');
    }
    parentPort.postMessage(Uint32Array.from(texts.flatMap((text, index) => (regex.test(text) ? [index] : []))));
  });
  parentPort.postMessage('ready');
`;

interface PendingSearch {
  readonly pattern: string;
  readonly texts: readonly string[];
  readonly payer: string;
  readonly resolve: (found: ReadonlySet<number>) => void;
  readonly reject: (error: WheelhouseError) => void;
}

/**
 * Runs the patterns of callers in a thread, one at a time, so that no pattern blocks the server: a pattern that takes
 * too long ends with its thread. Each key has its own waiting line, and the lines take turns.
 */
export class PatternSearch {
  /** Waiting lines by key or person, in the order of their turns. */
  readonly #lines = new Map<string, PendingSearch[]>();
  #worker: Worker | undefined;
  #ready = false;
  #current: PendingSearch | undefined;
  /** The key or person that had the last turn. */
  #served: string | undefined;
  #endClock = (): void => undefined;

  constructor(private readonly clock: Clock) {}

  /**
   * Returns the indexes of the texts that a caller's pattern matches, ignoring case. `asker` is a participant's id, of
   * which the part before "/" is its key. Throws BAD_REQUEST when the pattern is invalid or takes too long,
   * RATE_LIMITED when too many searches of the same key wait.
   */
  async find(budget: Budget, asker: string, pattern: string, texts: readonly string[]): Promise<ReadonlySet<number>> {
    const [payer = ''] = asker.split('/', 1);
    let forget = (): void => undefined;
    const found = (): Promise<ReadonlySet<number>> =>
      new Promise((resolve, reject) => {
        const search: PendingSearch = { pattern, texts, payer, resolve, reject };
        forget = () => this.#forget(search);
        this.#enqueue(search);
      });
    try {
      return await budget.during('the pattern to be looked for', found);
    } finally {
      forget();
    }
  }

  #enqueue(search: PendingSearch): void {
    const line = this.#lines.get(search.payer) ?? [];
    const ofOne = line.length + (this.#current?.payer === search.payer ? 1 : 0);
    const waiting = [...this.#lines.values()].reduce((sum, { length }) => sum + length, 0);
    if (ofOne >= MOST_OF_ONE)
      throw tooMany(`${MOST_OF_ONE} patterns of this key or person are being looked for already.`, MOST_OF_ONE);
    if (waiting >= MOST_WAITING) throw tooMany(`${MOST_WAITING} patterns are being looked for already.`, MOST_WAITING);
    line.push(search);
    this.#lines.set(search.payer, line);
    this.#next();
  }

  /** Drops a waiting search whose caller is gone. A running search goes on until its time limit. */
  #forget(search: PendingSearch): void {
    const line = this.#lines.get(search.payer);
    const at = line?.indexOf(search) ?? -1;
    if (!line || at === -1) return;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(search.payer);
  }

  #next(): void {
    if (this.#current || this.#lines.size === 0) return;
    const worker = (this.#worker ??= this.#start());
    if (!this.#ready) return;
    this.#current = this.#turn();
    if (!this.#current) return;
    const { pattern, texts } = this.#current;
    worker.postMessage({ pattern, texts }, []);
    this.#endClock = this.clock.after(MOST_MS, () => this.#endThread('takes too long on this page'));
  }

  /**
   * The next search of the line whose turn it is; that line then goes to the end. The line that had the last turn is
   * passed over while others wait.
   */
  #turn(): PendingSearch | undefined {
    const payers = [...this.#lines.keys()];
    const payer = payers.find((one) => one !== this.#served) ?? payers[0] ?? '';
    const line = this.#lines.get(payer) ?? [];
    const search = line.shift();
    this.#served = payer;
    this.#lines.delete(payer);
    if (line.length > 0) this.#lines.set(payer, line);
    return search;
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, {
      eval: true,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    // The thread does not keep the process alive.
    worker.unref();
    worker.on('message', (message: unknown) => {
      if (worker === this.#worker) this.#said(message);
    });
    worker.on('error', (cause) => {
      if (worker === this.#worker) this.#endThread('needs too much memory on this page', cause);
    });
    return worker;
  }

  #said(message: unknown): void {
    if (message === 'ready') this.#ready = true;
    else this.#answer(message);
    this.#next();
  }

  #answer(message: unknown): void {
    const search = this.#current;
    this.#endClock();
    this.#current = undefined;
    if (message instanceof Uint32Array) search?.resolve(new Set(message));
    else
      search?.reject(
        refused(search.pattern, 'is not a regular expression', 'Correct the pattern, or use "find" for plain text.'),
      );
  }

  /**
   * Ends the thread together with the pattern that it runs; the next search starts a new one. A thread that cannot
   * start fails all waiting searches.
   */
  #endThread(problem: string, cause?: unknown): void {
    const search = this.#current;
    this.#endClock();
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
    this.#current = undefined;
    if (search) search.reject(refused(search.pattern, problem, PLAINER, cause));
    else this.#failAll(cause);
    this.#next();
  }

  #failAll(cause: unknown): void {
    const all = [...this.#lines.values()].flat();
    this.#lines.clear();
    for (const { reject } of all)
      reject(new WheelhouseError('INTERNAL', 'Patterns cannot be looked for: their thread does not start.', { cause }));
  }
}

/** The one instance of the process, shared by all callers. */
export const patternSearch = new PatternSearch(monotonicClock);

function tooMany(text: string, limit: number): WheelhouseError {
  return new WheelhouseError('RATE_LIMITED', text, {
    hint: 'Wait for them to end, or use "find" for plain text.',
    details: { limit },
  });
}

function refused(pattern: string, problem: string, hint: string, cause?: unknown): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `"findRegex" ${problem}: ${pattern.slice(0, 100)}`, {
    hint,
    cause,
    details: { fields: [{ field: 'findRegex', problem }] },
  });
}
