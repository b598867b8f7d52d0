import type { CdpSession } from '@/server/cdp/session';

/** What a page's process counted; -1 stands for unknown, and is never equal to anything. */
export interface PageCounters {
  /** Event listeners that memory holds. Their number falls only when it is tidied up. */
  readonly listeners: number;
  /** How often styles were computed anew, for whatever reason: also for a rule that a script edited, which no event tells of. */
  readonly restyles: number;
}

/** About a millisecond. CDP: `Memory.getDOMCounters`, `Performance.getMetrics` (`RecalcStyleCount`, counted since the first `Performance.enable`). */
export async function readCounters(session: CdpSession): Promise<PageCounters> {
  const [counters, , performance] = await Promise.all([
    session.sendMayFail('Memory.getDOMCounters'),
    session.sendMayFail('Performance.enable'),
    session.sendMayFail('Performance.getMetrics'),
  ]);
  return {
    listeners: counters?.jsEventListeners ?? -1,
    restyles: performance?.metrics.find((metric) => metric.name === 'RecalcStyleCount')?.value ?? -1,
  };
}

export function isSameCount(one: number, other: number): boolean {
  return one >= 0 && one === other;
}
