import { BUDGET_LIMITS } from '@/lib/budget/limits';

/** When a page counts as hung (CO9). Milliseconds. */
export interface HangTiming {
  /** Interval between signs of life while a watcher needs them. */
  readonly everyMs: number;
  /** Hung when it has not answered for this long. */
  readonly patienceMs: number;
  /** The same for a page whose process is slowed (AC6). */
  readonly slowedMs: number;
}

/** When a Chrome counts as one that will never answer (BR5), and how long calls wait for one. Milliseconds. */
export interface ChromeTiming {
  readonly everyMs: number;
  /** Times without an answer. */
  readonly beats: number;
  /** One that is to be ended because it does not answer is asked once more, for so long. */
  readonly onceMoreMs: number;
  /** Limit for creating a context; then the caller gets an error. */
  readonly contextMs: number;
  /** Limit for an attached Chrome to show its tabs; then the caller gets an error. */
  readonly attachMs: number;
  /** Interval between attempts to remove the profile of a Chrome that was released. */
  readonly lookEveryMs: number;
}

/** When a connection that says nothing is lost. Milliseconds. */
export interface PingTiming {
  readonly everyMs: number;
  /** For the answer. */
  readonly patienceMs: number;
}

/** Waits of the server itself, apart from the budgets of its callers. */
export interface Timings {
  readonly hang: HangTiming;
  readonly chrome: ChromeTiming;
  readonly pings: PingTiming;
  /** How long Chromes and sessions of the last run may take to be found. Milliseconds. */
  readonly restoreMs: number;
  /** A dialog that nobody answered is closed after this time, unless a person holds the lease (DI1). Milliseconds. */
  readonly dialogPatienceMs: number;
  /** Interval between looks at the files of the TLS certificate. Milliseconds. */
  readonly certificateMs: number;
  /** How long before the end of a session that nobody uses people are warned (SE1). Milliseconds. */
  readonly idleWarningMs: number;
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
  certificateMs: 60_000,
  idleWarningMs: 60_000,
};

/** Shorter values for tests, which check the order of events and therefore keep the proportions. */
export interface ChangedTimings {
  readonly hang?: Partial<HangTiming>;
  readonly chrome?: Partial<ChromeTiming>;
  readonly pings?: Partial<PingTiming>;
  readonly restoreMs?: number;
  readonly dialogPatienceMs?: number;
  readonly certificateMs?: number;
  readonly idleWarningMs?: number;
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
