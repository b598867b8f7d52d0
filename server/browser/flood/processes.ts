import { LATE, within } from '@/lib/async/within';
import { constants, setPriority } from 'node:os';
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { Sentinel } from '@/server/cdp/sentinel';
import { Renderer } from './renderer';

/** Processor seconds of each renderer of a Chrome so far, by process id. */
export type RendererTimes = ReadonlyMap<number, number>;

/** How long Chrome, or a page, may take to say what it has used. Milliseconds. */
const PATIENCE_MS = 1_000;
const PAGE_MS = 1_500;
/** What was asked so lately is not asked again. Milliseconds. */
const SAME_MS = 400;
/** Whose a process is while two sessions seem to have it. */
const DISPUTED = {};
/** Chrome tells both figures in steps of ten milliseconds. Seconds. */
const STEP_S = 0.011;
const PAGE_BYTES = 4_096;
/** A renderer above this use, cores or bytes, is mapped to its page. */
export const BUSY_CORES = 0.15;
const BUSY_BYTES = 1_073_741_824;

/**
 * The renderers of one Chrome and which of them serves whom. Chrome tells no process of a target; but
 * `SystemInfo.getProcessInfo` and the page's own `Performance.getMetrics` (ProcessTime) give the same sum of processor
 * time, and of a busy renderer that sum is no other's (Chromium 156, docs/chrome-facts.md, Processes).
 */
export class Processes {
  readonly #of = new WeakMap<Sentinel, number>();
  #before: { readonly at: number; readonly times: RendererTimes } | undefined;
  readonly #queued = new Map<number, { readonly at: number; readonly total: number }>();
  /** Which session has each process. */
  readonly #owners = new Map<number, object>();
  readonly #ownerOf = new WeakMap<Sentinel, object>();
  /** Counts up when a page has moved, perhaps to another process, while it was asked. */
  readonly #moves = new WeakMap<Sentinel, number>();
  #chromePid: number | undefined;
  #busy = false;
  #cores: Promise<ReadonlyMap<number, number> | undefined> | undefined;

  constructor(
    private readonly root: CdpSession,
    private readonly clock: Clock,
    /** It runs on this machine, started by us, and its system tells of processes. */
    readonly ours: boolean,
  ) {}

  async times(): Promise<RendererTimes | undefined> {
    const asked = await within(this.clock, PATIENCE_MS, this.root.sendMayFail('SystemInfo.getProcessInfo'));
    const answer = asked === LATE ? undefined : asked;
    this.#chromePid = answer?.processInfo.find(({ type }) => type === 'browser')?.id ?? this.#chromePid;
    return (
      answer &&
      new Map(answer.processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
    );
  }

  /** Cores that each renderer has used of late. Asked once for all sessions that look at about the same time. */
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
    this.#busy = [...cores].some(([pid, used]) => used > BUSY_CORES || (this.ours && memoryOf(pid) > BUSY_BYTES));
    return cores;
  }

  /** One of its renderers used much at the last look, so that it is to be found out whom each serves. */
  get busy(): boolean {
    return this.#busy;
  }

  /** The process, if it is a renderer of this very Chrome: else nothing may be done to it. */
  renderer(pid: number): Renderer | undefined {
    return this.ours && this.#chromePid !== undefined ? Renderer.find(pid, this.#chromePid) : undefined;
  }

  /**
   * Cores that a renderer would use if it had the machine for itself, of late: what its threads ran and what they
   * waited for their turn. What it uses says little of a flood on a machine that is full of other work. @param used
   * what it used, which is all that is known where there is no /proc/<pid>/task/<tid>/schedstat
   */
  demand(pid: number, used: number): number {
    const [total, at] = [this.ours ? queuedFor(pid) : 0, this.clock.now()];
    const before = this.#queued.get(pid);
    this.#queued.set(pid, { at, total });
    for (const known of this.#queued.keys()) if (!this.#before?.times.has(known)) this.#queued.delete(known);
    const ms = before ? at - before.at : 0;
    return Math.max(used, ms > 0 && before ? (total - before.total) / 1_000_000 / ms : 0);
  }

  /**
   * Learns which process serves each page or frame of one session; one that does not answer keeps the process it was
   * last seen in.
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
   * Chrome never shares a renderer between contexts: one that two sessions seem to have was taken for another's, and is
   * neither's until it is found again.
   */
  #found(session: object, sentinel: Sentinel, pid: number): void {
    const owner = this.#owners.get(pid) ?? session;
    this.#owners.set(pid, owner === DISPUTED ? session : owner === session ? session : DISPUTED);
    this.#of.set(sentinel, pid);
    this.#ownerOf.set(sentinel, session);
  }

  /** Undefined while it is not known. */
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
 * Bytes of a process's own memory; 0 where its system does not tell. Source: /proc/<pid>/statm, resident less shared.
 */
export function memoryOf(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return (resident - shared) * PAGE_BYTES;
  } catch {
    // It has ended, or this is not Linux.
    return 0;
  }
}

/**
 * Puts a process behind all others, or no longer; the second is refused to who is not root. On Linux each thread has a
 * priority of its own, and hands it to those it starts. @param whole its main thread, too: without it a page with many
 * threads can still be left
 */
export function lowerPriority(pid: number, behind: boolean, whole: boolean): void {
  const priority = behind ? constants.priority.PRIORITY_LOW : constants.priority.PRIORITY_NORMAL;
  for (const thread of threadsOf(pid)) {
    if (thread === pid && !whole) continue;
    try {
      setPriority(thread, priority);
    } catch {
      // It has ended, or may not be raised again: then the process stays behind until the page gets another.
    }
  }
}

/** Nanoseconds that the threads of a process have run or waited for a processor. */
function queuedFor(pid: number): number {
  let sum = 0;
  for (const thread of threadsOf(pid)) {
    try {
      const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
        .split(' ')
        .map(Number);
      sum += ran + waited;
    } catch {
      // It has ended, or its system does not tell.
    }
  }
  return sum;
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
