import { randomUUID } from 'node:crypto';
import type { Budget } from '@/lib/budget/budget';
import { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { LaunchedChrome } from '@/server/browser/launch';
import { endProcess, processStartTime } from '@/server/browser/process-id';
import type { BrowserRecord } from '@/server/store/browsers';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';

export interface BrowserView {
  readonly id: string;
  readonly origin: 'launched' | 'attached';
  readonly product: string;
  readonly state: 'live' | 'down';
  readonly tabs: number;
}

/** Connects to the Chrome of a record. Throws BROWSER_DOWN, TIMEOUT. */
export function reachChrome(budget: Budget, { id, origin, cdpUrl }: BrowserRecord, { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger }): Promise<ChromeBrowser> {
  const onSendFailure = (method: string): void => metrics.sendFailed(method);
  const onFault = (error: unknown): void => {
    metrics.fault('browser-event');
    logger.error({ browser: id, error }, 'an event of Chrome could not be handled');
  };
  const onMalformed = (method: string): void => metrics.malformed(method);
  return ChromeBrowser.connect(budget, { id, origin, cdpUrl: cdpUrl ?? '', telling: { onSendFailure, onMalformed, onFault } });
}

/** Ends the process of a record with all of its children; not one that has been given its number since. */
export function endOwn({ pid, processStarted }: BrowserRecord): void {
  const now = pid === null ? undefined : processStartTime(pid);
  if (pid !== null && (now === undefined || now === processStarted)) endProcess(pid);
}

/** Whether the very process of a record is there; an attached one has none of ours. */
export function runs({ origin, pid, processStarted }: BrowserRecord): boolean {
  return origin === 'attached' || (pid !== null && processStartTime(pid) === processStarted);
}

export function launchedRecord(id: string, workspace: string, chrome: LaunchedChrome, userDataDir: string): BrowserRecord {
  const { pid, port, cdpUrl, startTime } = chrome;
  return { id, workspace, origin: 'launched', cdpUrl, pid, port, processStarted: startTime, userDataDir, product: '', state: 'live', createdAt: new Date().toISOString() };
}

export function attachedRecord(workspace: string, cdpUrl: string): BrowserRecord {
  const id = `b_${randomUUID().slice(0, 8)}`;
  return { id, workspace, origin: 'attached', cdpUrl, pid: null, port: null, processStarted: null, userDataDir: null, product: '', state: 'live', createdAt: new Date().toISOString() };
}

export function viewOf(browser: ChromeBrowser): BrowserView {
  return { id: browser.id, origin: browser.origin, product: browser.product, state: browser.gone ? 'down' : 'live', tabs: browser.targets().length };
}
