import { LATE, within } from '@/lib/async/within';
import { constants, setPriority } from 'node:os';
import { readdir, readFile } from 'node:fs/promises';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { Sentinel } from '@/server/cdp/sentinel';
import { Renderer } from './renderer';

/** Processor seconds that each renderer of a Chrome has used, by process id. */
export type RendererTimes = ReadonlyMap<number, number>;

/** Most time for Chrome, then for a page, to report its use. Milliseconds. */
const USE_REPORT_MS = 1_000;
const PAGE_MS = 1_500;
/** Most age of an answer that is used again. Milliseconds. */
const SAME_MS = 400;
/** Stands for the owner of a process that two sessions seem to have. */
const DISPUTED = {};
/** Chrome reports both figures in steps of ten milliseconds. Seconds. */
const STEP_S = 0.011;
const PAGE_BYTES = 4_096;
/** A renderer above this use, cores or bytes, is matched with its page. */
export const BUSY_CORES = 0.15;
const BUSY_BYTES = 1_073_741_824;

/**
 * The renderers of one Chrome, and which pages each of them serves. Chrome does not tell the process of a target; but
 * `SystemInfo.getProcessInfo` and the page's own `Performance.getMetrics` (ProcessTime) report the same processor time,
 * which no other busy renderer has (Chromium 156, docs/chrome-facts.md, Processes).
 */
export class Processes {
  readonly #of = new WeakMap<Sentinel, number>();
  #before: { readonly at: number; readonly times: RendererTimes } | undefined;
  readonly #queued = new Map<number, { readonly at: number; readonly total: number }>();
  /** Bytes of each renderer's own memory at the last look. */
  readonly #memory = new Map<number, number>();
  /** The session that owns each process. */
  readonly #owners = new Map<number, object>();
  readonly #ownerOf = new WeakMap<Sentinel, object>();
  /** Counts the page's moves, perhaps to another process, so that an answer from before a move is not used. */
  readonly #moves = new WeakMap<Sentinel, number>();
  #chromePid: number | undefined;
  #busy = false;
  #cores: Promise<ReadonlyMap<number, number> | undefined> | undefined;

  constructor(
    private readonly root: CdpSession,
    private readonly clock: Clock,
    /** Whether we started this Chrome on this machine, so that /proc describes its processes. */
    readonly ours: boolean,
  ) {}

  async times(): Promise<RendererTimes | undefined> {
    const asked = await within(this.clock, USE_REPORT_MS, this.root.sendMayFail('SystemInfo.getProcessInfo'));
    const answer = asked === LATE ? undefined : asked;
    this.#chromePid = answer?.processInfo.find(({ type }) => type === 'browser')?.id ?? this.#chromePid;
    return (
      answer &&
      new Map(answer.processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
    );
  }

  /** Cores that each renderer used since the last look. Sessions that look at about the same time share one request. */
  cores(): Promise<ReadonlyMap<number, number> | undefined> {
    this.#cores ??= this.#measure().finally(() => this.clock.after(SAME_MS, () => (this.#cores = undefined)));
    return this.#cores;
  }

  async #measure(): Promise<ReadonlyMap<number, number> | undefined> {
    const [times, at] = [await this.times(), this.clock.now()];
    const before = this.#before;
    if (!times) return undefined;
    this.#before = { at, times };
    for (const pid of this.#owners.keys()) if (!times.has(pid)) this.#owners.delete(pid);
    const seconds = before ? (at - before.at) / 1_000 : 0;
    const cores = new Map(
      [...times].map(([pid, time]) => [pid, seconds > 0 ? (time - (before?.times.get(pid) ?? time)) / seconds : 0]),
    );
    if (this.ours) await this.#weigh(times, before?.times);
    this.#busy = [...cores].some(([pid, used]) => used > BUSY_CORES || this.memoryOf(pid) > BUSY_BYTES);
    return cores;
  }

  /** Reads the memory of the renderers that have used processor time since the last look; the others took no more. */
  async #weigh(times: RendererTimes, before: RendererTimes | undefined): Promise<void> {
    for (const pid of this.#memory.keys()) if (!times.has(pid)) this.#memory.delete(pid);
    const ran = [...times].filter(([pid, time]) => !this.#memory.has(pid) || time !== before?.get(pid));
    await Promise.all(ran.map(async ([pid]) => this.#memory.set(pid, await readMemory(pid))));
  }

  /** Bytes of a renderer's own memory at the last look; 0 when we did not start it or its system does not tell. */
  memoryOf(pid: number): number {
    return this.#memory.get(pid) ?? 0;
  }

  /** Whether a renderer used much at the last look, so that its pages have to be found. */
  get busy(): boolean {
    return this.#busy;
  }

  /** The process, if it is a renderer of this Chrome that we may signal; else undefined. */
  renderer(pid: number): Renderer | undefined {
    return this.ours && this.#chromePid !== undefined ? Renderer.find(pid, this.#chromePid) : undefined;
  }

  /**
   * Cores that a renderer would use if it had the machine for itself: the time that its threads ran or waited for a
   * processor. On a busy machine the time used alone says little about a flood.
   * @param used cores that it used, the only figure where /proc/<pid>/task/<tid>/schedstat is missing
   */
  async demand(pid: number, used: number): Promise<number> {
    const [total, at] = [this.ours ? await queuedFor(pid) : 0, this.clock.now()];
    const before = this.#queued.get(pid);
    this.#queued.set(pid, { at, total });
    for (const known of this.#queued.keys()) if (!this.#before?.times.has(known)) this.#queued.delete(known);
    const ms = before ? at - before.at : 0;
    return Math.max(used, ms > 0 && before ? (total - before.total) / 1_000_000 / ms : 0);
  }

  /**
   * Finds out which process serves each page or frame of one session; a page that does not answer keeps the process of
   * the last answer.
   */
  async learn(session: object, sentinels: readonly Sentinel[]): Promise<void> {
    if (sentinels.length === 0) return;
    const before = await this.times();
    const moves = sentinels.map((one) => this.#moves.get(one));
    const own = await Promise.all(sentinels.map((one) => one.processTime(PAGE_MS)));
    const after = await this.times();
    if (!before || !after) return;
    sentinels.forEach((sentinel, index) => {
      const time = own[index];
      if (time === undefined || this.#moves.get(sentinel) !== moves[index]) return;
      const fitting = [...after].filter(
        ([pid, end]) => (before.get(pid) ?? 0) - STEP_S <= time && time <= end + STEP_S,
      );
      const [only] = fitting;
      if (only && fitting.length === 1) this.#found(session, sentinel, only[0]);
    });
  }

  /**
   * Records the process of a page. Chrome never shares a renderer between contexts, so a process that two sessions seem
   * to have was matched wrongly: it counts as neither's until it is found again.
   */
  #found(session: object, sentinel: Sentinel, pid: number): void {
    const owner = this.#owners.get(pid) ?? session;
    this.#owners.set(pid, owner === DISPUTED ? session : owner === session ? session : DISPUTED);
    this.#of.set(sentinel, pid);
    this.#ownerOf.set(sentinel, session);
  }

  /** The process that serves a page; undefined while it is unknown. */
  of(sentinel: Sentinel): number | undefined {
    const pid = this.#of.get(sentinel);
    return pid !== undefined && this.#owners.get(pid) === this.#ownerOf.get(sentinel) ? pid : undefined;
  }

  forget(sentinel: Sentinel): void {
    this.#of.delete(sentinel);
    this.#moves.set(sentinel, (this.#moves.get(sentinel) ?? 0) + 1);
  }
}

/**
 * Bytes of a process's own memory; 0 where the system does not tell. Source: /proc/<pid>/statm, resident less shared.
 */
async function readMemory(pid: number): Promise<number> {
  try {
    const [, resident = 0, shared = 0] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ').map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    // The process has ended, or this is not Linux.
    return 0;
  }
}

/**
 * Gives a process the lowest priority, or the normal one again; the latter needs root. On Linux each thread has its own
 * priority, which new threads inherit.
 * @param whole whether to include the main thread: without it, a page with many threads can still be navigated away
 * @param isWanted called once the threads are known, right before anything changes
 */
export async function lowerPriority(
  pid: number,
  { behind, whole, isWanted }: { readonly behind: boolean; readonly whole: boolean; readonly isWanted: () => boolean },
): Promise<void> {
  const priority = behind ? constants.priority.PRIORITY_LOW : constants.priority.PRIORITY_NORMAL;
  const threads = await threadsOf(pid);
  if (!isWanted()) return;
  for (const thread of threads) {
    if (thread === pid && !whole) continue;
    try {
      setPriority(thread, priority);
    } catch {
      // The thread has ended, or its priority may not be raised again: then the process stays slow until the page gets
      // another.
    }
  }
}

/** Nanoseconds that the threads of a process have run or waited for a processor. */
async function queuedFor(pid: number): Promise<number> {
  const threads = await threadsOf(pid);
  const times = await Promise.all(threads.map((thread) => queuedForThread(pid, thread)));
  return times.reduce((sum, time) => sum + time, 0);
}

async function queuedForThread(pid: number, thread: number): Promise<number> {
  try {
    const [ran = 0, waited = 0] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .split(' ')
      .map(Number);
    return ran + waited;
  } catch {
    // It has ended, or its system does not tell.
    return 0;
  }
}

async function threadsOf(pid: number): Promise<number[]> {
  try {
    return (await readdir(`/proc/${pid}/task`)).map(Number);
  } catch {
    return [pid];
  }
}
