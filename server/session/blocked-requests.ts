import type { Clock } from '@/lib/budget/clock';
import type { SessionView } from '@/lib/protocol/views';
import type { Denial, Egress } from '@/server/access/egress/egress';
import { Timers } from '@/lib/async/timers';
import type { Timeline } from './timeline';

export interface BlockedRequestsDeps {
  readonly session: string;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly timeline: Timeline;
  /** A page is held privately: where it wanted to go is nobody else's. */
  readonly hidden: () => boolean;
  readonly changed: () => void;
}

/** The first of a burst is told at once, those after it as a number every so often. Milliseconds. */
const BURST_MS = 5_000;
const MINUTE_MS = 60_000;
/** So many within a minute raise an alert (security.md 1.6). */
const ALERT_AT = 20;

/**
 * What the egress proxy let no page of a session reach (GU1): counted, and told in few words however often a page
 * tries.
 */
export class BlockedRequests {
  readonly #timers: Timers;
  readonly #off: () => void;
  /** When each of the last `ALERT_AT` came. */
  readonly #recent: number[] = [];
  #total = 0;
  /** Of the burst that goes on; undefined: none does. */
  #untold: number | undefined;
  #alert: string | undefined;

  constructor(private readonly deps: BlockedRequestsDeps) {
    this.#timers = new Timers(deps.clock);
    this.#off = deps.egress.onDenied((denial) => denial.session === deps.session && this.#denied(denial));
  }

  get view(): SessionView['blocked'] {
    return this.#total === 0
      ? undefined
      : { requests: this.#total, ...(this.#alert === undefined ? {} : { alert: this.#alert }) };
  }

  dispose(): void {
    this.#off();
    this.#timers.dispose();
  }

  #denied(denial: Denial): void {
    this.#total += 1;
    this.#warn();
    if (this.deps.hidden()) return;
    if (this.#untold === undefined) this.#begin(denial);
    else this.#untold += 1;
  }

  #begin({ host, port, rule }: Denial): void {
    this.#untold = 0;
    this.deps.timeline.tell({ kind: 'blocked', said: { code: 'requestBlocked', host: `${host}:${port}`, rule } });
    this.deps.changed();
    this.#timers.plan('burst', BURST_MS, () => this.#goOn());
  }

  #goOn(): void {
    const times = this.#untold ?? 0;
    this.#untold = times > 0 ? 0 : undefined;
    if (times === 0) return;
    if (!this.deps.hidden()) this.deps.timeline.tell({ kind: 'blocked', said: { code: 'requestsBlocked', times } });
    this.deps.changed();
    this.#timers.plan('burst', BURST_MS, () => this.#goOn());
  }

  #warn(): void {
    const now = this.deps.clock.now();
    this.#recent.push(now);
    if (this.#recent.length > ALERT_AT) this.#recent.shift();
    const [first = now] = this.#recent;
    if (this.#recent.length < ALERT_AT || now - first > MINUTE_MS) return;
    if (this.#alert === undefined) {
      this.#alert = new Date().toISOString();
      this.deps.timeline.tell({ kind: 'blocked', said: { code: 'manyRequestsBlocked', times: ALERT_AT } });
      this.deps.changed();
    }
    this.#timers.plan('calm', MINUTE_MS, () => this.#calm());
  }

  #calm(): void {
    this.#alert = undefined;
    this.deps.changed();
  }
}
