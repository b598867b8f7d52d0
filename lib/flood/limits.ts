/** Kinds that are counted as they happen, and kinds that are measured at each sample. */
export const COUNTED = ['navigations', 'popups', 'downloads', 'console', 'requests', 'dialogs'] as const;
export const MEASURED = ['processor', 'script', 'memory', 'frames'] as const;
export const FLOOD_KINDS = [...COUNTED, ...MEASURED] as const;
export type CountedKind = (typeof COUNTED)[number];
export type MeasuredKind = (typeof MEASURED)[number];
export type FloodKind = (typeof FLOOD_KINDS)[number];

/** The limit for one kind of load that a tab puts on its Chrome. */
export interface FloodLimit {
  /**
   * Counted kinds: within the window. `processor` and `script`: cores. `memory`: bytes. `frames`: how many there are.
   */
  readonly over: number;
  /** The limit above which the page is put aside; `over` if absent. */
  readonly parkOver?: number;
  /** How long the limit must be exceeded without a break. Milliseconds. */
  readonly slowAfterMs: number;
  readonly parkAfterMs: number;
  /**
   * The page is slowed by pausing it, so it also produces less (`SLOWED_SHARE`); otherwise only its priority is
   * lowered.
   */
  readonly pauses: boolean;
}

export interface FloodLimits {
  /** Interval between samples. All times here are milliseconds. */
  readonly everyMs: number;
  readonly windowMs: number;
  /** A slowed page gets full speed again after this long below all limits. */
  readonly calmMs: number;
  /** Time that its processes may stay busy after it was put aside, before the tab is closed. */
  readonly closeAfterMs: number;
  /** How long before putting the page aside a person who holds its lease is warned. */
  readonly noticeMs: number;
  readonly kinds: Readonly<Record<FloodKind, FloodLimit>>;
}

/** A slowed page runs for `runMs` and is paused for `pauseMs`, by turns. */
export const SLOWED = { runMs: 40, pauseMs: 260 } as const;
export const SLOWED_SHARE = SLOWED.runMs / (SLOWED.runMs + SLOWED.pauseMs);

const MB = 1_048_576;

/**
 * `processor` and `script` are the cores that the page would use on an idle machine, so only a page with many threads
 * exceeds the number of cores. A counted kind must exceed its limit for longer than one window before the page is put
 * aside, so a single burst is never enough.
 * @param cores cores of this machine
 * @param memory megabytes of a session above which its largest page is slowed, and above which that page is put aside
 */
export function floodLimits(cores: number, memory: { readonly slowMb: number; readonly parkMb: number }): FloodLimits {
  return {
    everyMs: 1_000,
    windowMs: 12_000,
    calmMs: 12_000,
    closeAfterMs: 8_000,
    noticeMs: 60_000,
    kinds: {
      // Chrome itself lets a page do 200 of these in ten seconds, all at once: the window is longer than that.
      navigations: { over: 150, slowAfterMs: 14_000, parkAfterMs: 30_000, pauses: true },
      popups: { over: 10, parkOver: 60, slowAfterMs: 0, parkAfterMs: 0, pauses: true },
      downloads: { over: 60, slowAfterMs: 2_000, parkAfterMs: 30_000, pauses: true },
      console: { over: 5_000, slowAfterMs: 2_000, parkAfterMs: 30_000, pauses: true },
      // A page of a development server loads thousands of modules, in one burst.
      requests: { over: 1_200, slowAfterMs: 14_000, parkAfterMs: 30_000, pauses: true },
      dialogs: { over: 100, slowAfterMs: 2_000, parkAfterMs: 30_000, pauses: true },
      processor: { over: Math.max(8, cores * 4), slowAfterMs: 1_000, parkAfterMs: 120_000, pauses: true },
      script: { over: 0.5, slowAfterMs: 30_000, parkAfterMs: 120_000, pauses: false },
      memory: {
        over: memory.slowMb * MB,
        parkOver: memory.parkMb * MB,
        slowAfterMs: 0,
        parkAfterMs: 2_000,
        pauses: false,
      },
      frames: { over: 150, parkOver: 250, slowAfterMs: 1_000, parkAfterMs: 30_000, pauses: true },
    },
  };
}

const counted: ReadonlySet<FloodKind> = new Set<FloodKind>(COUNTED);

export function isCounted(kind: FloodKind): kind is CountedKind {
  return counted.has(kind);
}
