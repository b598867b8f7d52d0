import { BUDGET_LIMITS } from '@/lib/budget/limits';

/** When a page counts as hung (CO9). Milliseconds. */
export interface HangTiming {
  /** Asked this often while somebody is interested. */
  readonly everyMs: number;
  /** Hung when it has not answered for this long. */
  readonly patienceMs: number;
  /** The same for a page whose process is slowed (AC6). */
  readonly slowedMs: number;
}

/** When a Chrome counts as one that never answers again (BR5), and what is waited for from one. Milliseconds. */
export interface ChromeTiming {
  readonly everyMs: number;
  /** Times without an answer. */
  readonly beats: number;
  /** One that is to be ended because it does not answer is asked once more, for so long. */
  readonly onceMoreMs: number;
  /** A context of its own is there within this, or the caller is told that it is not. */
  readonly contextMs: number;
  /** An attached Chrome has shown its tabs within this, or the caller is told that it has not. */
  readonly attachMs: number;
  /** How often the profile of a Chrome that was let go is looked after. */
  readonly lookEveryMs: number;
}

/** When a connection that says nothing is lost. Milliseconds. */
export interface PingTiming {
  readonly everyMs: number;
  /** For the answer. */
  readonly patienceMs: number;
}

/** What a server waits for by itself, apart from the budgets of its callers. */
export interface Timings {
  readonly hang: HangTiming;
  readonly chrome: ChromeTiming;
  readonly pings: PingTiming;
  /** How long Chromes and sessions of the last run may take to be found. Milliseconds. */
  readonly restoreMs: number;
  /** A dialog that nobody answered is closed after this time, unless a person holds the lease (DI1). Milliseconds. */
  readonly dialogPatienceMs: number;
}

/** The product's. */
export const TIMINGS: Timings = {
  hang: { everyMs: 2_000, patienceMs: 2_500, slowedMs: 20_000 },
  chrome: {
    everyMs: 5_000,
    beats: 8,
    onceMoreMs: 5_000,
    contextMs: BUDGET_LIMITS.defaultMs,
    attachMs: BUDGET_LIMITS.attachMs,
    lookEveryMs: 15_000,
  },
  // Asked every 5 s, lost when nothing was heard for 15 s (CO7).
  pings: { everyMs: 5_000, patienceMs: 10_000 },
  // Half of it at most for a Chrome that does not answer: one on a busy machine has time, and pages are not lost for
  // nothing (F11).
  restoreMs: 30_000,
  dialogPatienceMs: 10_000,
};

/** Some of them smaller, for tests: what is promised is an order of events, in proportion. */
export interface ChangedTimings {
  readonly hang?: Partial<HangTiming>;
  readonly chrome?: Partial<ChromeTiming>;
  readonly pings?: Partial<PingTiming>;
  readonly restoreMs?: number;
  readonly dialogPatienceMs?: number;
}

/** The product's timings with some changed. */
export function timingsWith({ hang, chrome, pings, ...single }: ChangedTimings = {}): Timings {
  return {
    ...TIMINGS,
    ...single,
    hang: { ...TIMINGS.hang, ...hang },
    chrome: { ...TIMINGS.chrome, ...chrome },
    pings: { ...TIMINGS.pings, ...pings },
  };
}
