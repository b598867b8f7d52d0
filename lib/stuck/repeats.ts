/** Number of failures of the same action in a row that count as stuck (CO9). */
const FAILURES = 3;
/**
 * After this many successes of the same action the page is compared; an unchanged page twice in a row counts as stuck.
 */
const LOOK_EVERY = 6;

/** Failures caused by the page; others come from leases, rights or limits, or are reported as stuck already. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([
  'TIMEOUT',
  'EVAL_THREW',
  'REF_UNKNOWN',
  'REF_STALE_DOCUMENT',
  'NODE_GONE',
  'AMBIGUOUS',
  'NOT_VISIBLE',
  'OFFSCREEN',
  'COVERED',
  'DISABLED',
  'WRONG_ELEMENT',
  'NAV_FAILED',
]);

/** One action of the lease's agent that may change the page, and its result. */
export interface AgentAttempt {
  /** Equal for the same action on the same element. */
  readonly key: string;
  readonly code: string | undefined;
}

export type RepeatVerdict =
  | { readonly state: 'fine' }
  /** The caller must read the page's content and pass it to `looked`. */
  | { readonly state: 'look' }
  | { readonly state: 'fails'; readonly times: number; readonly code: string }
  | { readonly state: 'repeats'; readonly times: number };

const FINE: RepeatVerdict = { state: 'fine' };

/**
 * Detects an agent that repeats an action in one tab that fails each time or changes nothing (CO9). It judges late:
 * another action, or any change of the page, starts the count anew.
 */
export class RepeatDetector {
  #run: { readonly attempt: AgentAttempt; readonly times: number } | undefined;
  #page: string | undefined;

  did(attempt: AgentAttempt): RepeatVerdict {
    const { code } = attempt;
    if (code !== undefined && !OF_THE_PAGE.has(code)) return FINE;
    const same = this.#run?.attempt.key === attempt.key && this.#run.attempt.code === code;
    const times = same ? (this.#run?.times ?? 0) + 1 : 1;
    if (!same) this.#page = undefined;
    this.#run = { attempt, times };
    if (code !== undefined) return times >= FAILURES ? { state: 'fails', times, code } : FINE;
    return times % LOOK_EVERY === 0 ? { state: 'look' } : FINE;
  }

  /** Reports the page's content after the last action. */
  looked(page: string): RepeatVerdict {
    const same = this.#page === page;
    this.#page = page;
    return same && this.#run ? { state: 'repeats', times: this.#run.times } : FINE;
  }

  /** Call when the page or the holder has changed. */
  forget(): void {
    this.#run = undefined;
    this.#page = undefined;
  }
}
