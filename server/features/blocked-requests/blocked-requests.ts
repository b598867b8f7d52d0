import { Timers } from '@/lib/async/timers';
import type { SessionView } from '@/lib/protocol/views';
import type { Denial } from '@/server/access/egress/egress';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';

/**
 * The first blocked request of a burst gets a row at once; later ones are reported as a number at this interval.
 * Milliseconds.
 */
const BURST_MS = 5_000;
const MINUTE_MS = 60_000;
/** This many blocked requests within a minute raise an alert (GU1). */
const ALERT_AT = 20;

/**
 * Counts requests of a session's pages that the egress proxy blocked (GU1), and reports them in few rows however often
 * a page tries.
 */
class BlockedRequests implements Hooks {
  readonly #timers: Timers;
  readonly #off: () => void;
  /** Times of the last `ALERT_AT` blocked requests, monotonic milliseconds. */
  readonly #recent: number[] = [];
  #total = 0;
  /** Blocked requests of the current burst that were not reported yet; undefined between bursts. */
  #untold: number | undefined;
  #alert: string | undefined;

  constructor(private readonly kernel: SessionKernel) {
    const { id, services } = kernel;
    this.#timers = new Timers(services.clock);
    this.#off = services.egress.onDenied((denial) => denial.session === id && this.#denied(denial));
  }

  view(view: SessionView): SessionView {
    if (this.#total === 0) return view;
    return { ...view, blocked: { requests: this.#total, ...(this.#alert !== undefined && { alert: this.#alert }) } };
  }

  dispose(): void {
    this.#off();
    this.#timers.dispose();
  }

  #denied(denial: Denial): void {
    this.#total += 1;
    this.#warn();
    if (this.kernel.visibility.any) return;
    if (this.#untold === undefined) this.#begin(denial);
    else this.#untold += 1;
  }

  #begin({ host, port, rule }: Denial): void {
    this.#untold = 0;
    void this.kernel.timeline.tell({
      kind: 'blocked',
      said: { code: 'requestBlocked', host: `${host}:${port}`, rule },
    });
    this.kernel.changed();
    this.#timers.plan('burst', BURST_MS, () => this.#goOn());
  }

  #goOn(): void {
    const times = this.#untold ?? 0;
    this.#untold = times > 0 ? 0 : undefined;
    if (times === 0) return;
    if (!this.kernel.visibility.any)
      void this.kernel.timeline.tell({ kind: 'blocked', said: { code: 'requestsBlocked', times } });
    this.kernel.changed();
    this.#timers.plan('burst', BURST_MS, () => this.#goOn());
  }

  #warn(): void {
    const now = this.kernel.services.clock.now();
    this.#recent.push(now);
    if (this.#recent.length > ALERT_AT) this.#recent.shift();
    const [first = now] = this.#recent;
    if (this.#recent.length < ALERT_AT || now - first > MINUTE_MS) return;
    if (this.#alert === undefined) {
      this.#alert = new Date().toISOString();
      void this.kernel.timeline.tell({ kind: 'blocked', said: { code: 'manyRequestsBlocked', times: ALERT_AT } });
      this.kernel.changed();
    }
    this.#timers.plan('calm', MINUTE_MS, () => this.#calm());
  }

  #calm(): void {
    this.#alert = undefined;
    this.kernel.changed();
  }
}

export const blockedRequests: Feature = { name: 'blocked requests', start: (kernel) => new BlockedRequests(kernel) };
