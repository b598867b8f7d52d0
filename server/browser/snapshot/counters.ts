import type { CdpSession } from '@/server/cdp/session';

/** Counters of a page's process; -1 means unknown, and is never equal to anything. */
export interface PageCounters {
  /** Event listeners in memory. The number falls only at a garbage collection. */
  readonly listeners: number;
  /**
   * How often styles were recalculated, for whatever reason, including rules edited by a script, of which no event
   * tells.
   */
  readonly restyles: number;
}

/** Sessions on which `Performance.enable` was sent. */
const counting = new WeakSet<CdpSession>();

/**
 * Takes about a millisecond. CDP: `Memory.getDOMCounters`, `Performance.getMetrics` (`RecalcStyleCount`, counted since
 * the first `Performance.enable`).
 */
export async function readCounters(session: CdpSession): Promise<PageCounters> {
  const listeners = session.sendMayFail('Memory.getDOMCounters');
  if (!counting.has(session)) void session.sendMayFail('Performance.enable');
  counting.add(session);
  const [counters, performance] = await Promise.all([listeners, session.sendMayFail('Performance.getMetrics')]);
  return {
    listeners: counters?.jsEventListeners ?? -1,
    restyles: performance?.metrics.find((metric) => metric.name === 'RecalcStyleCount')?.value ?? -1,
  };
}

export function isSameCount(one: number, other: number): boolean {
  return one >= 0 && one === other;
}
