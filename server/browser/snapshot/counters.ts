import type { CdpSession } from '@/server/cdp/session';

/** What a page's process counted; -1 stands for unknown, and is never equal to anything. */
export interface PageCounters {
  /** Event listeners that memory holds. Their number falls only when it is tidied up. */
  readonly listeners: number;
  /**
   * How often styles were computed anew, for whatever reason: also for a rule that a script edited, which no event
   * tells of.
   */
  readonly restyles: number;
}

/** Sessions on which counting has begun. */
const counting = new WeakSet<CdpSession>();

/**
 * About a millisecond. CDP: `Memory.getDOMCounters`, `Performance.getMetrics` (`RecalcStyleCount`, counted since the
 * first `Performance.enable`).
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
