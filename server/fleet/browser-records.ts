import { randomUUID } from 'node:crypto';
import type { Budget } from '@/lib/budget/budget';
import { messageOf } from '@/lib/errors/error';
import { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { LaunchedChrome } from '@/server/browser/launch';
import { resumeProcessGroup, endProcess, processStartTime } from '@/server/browser/process-id';
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
export function reachChrome(
  budget: Budget,
  { id, origin, cdpUrl }: BrowserRecord,
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
): Promise<ChromeBrowser> {
  const onSendFailure = (method: string): void => metrics.sendFailed(method);
  const onFault = (error: unknown): void => {
    metrics.fault('browser-event');
    logger.error({ browser: id, error }, 'an event of Chrome could not be handled');
  };
  const onMalformed = (method: string): void => metrics.malformed(method);
  return ChromeBrowser.connect(budget, {
    id,
    origin,
    cdpUrl: cdpUrl ?? '',
    telling: { onSendFailure, onMalformed, onFault },
  });
}

/** Shares of the startup budget for the first and second attempt to reach a Chrome of the last run. */
const RESTORE_SHARES = [0.3, 0.2] as const;

/**
 * Connects to a Chrome of the last run, in two attempts. Returns `silent` when it answered neither in time; undefined
 * when an attempt failed for another reason.
 */
export async function reachAgain(
  budget: Budget,
  record: BrowserRecord,
  deps: { readonly metrics: Metrics; readonly logger: Logger },
): Promise<ChromeBrowser | 'silent' | undefined> {
  const remainingMs = budget.remainingMs();
  let silent = true;
  for (const share of RESTORE_SHARES) {
    // The rest of the budget is for launching replacements.
    const patience = budget.child(remainingMs * share);
    try {
      return await reachChrome(patience, record, deps);
    } catch (error) {
      silent &&= patience.over;
      deps.logger.warn({ browser: record.id, reason: messageOf(error) }, 'a Chrome of the last run does not answer');
    } finally {
      patience.dispose();
    }
  }
  return silent ? 'silent' : undefined;
}

/** Ends the process of a record with all of its children, unless another process has got its pid since. */
export function endOwn({ pid, processStarted }: BrowserRecord): void {
  const now = pid === null ? undefined : processStartTime(pid);
  if (pid !== null && (now === undefined || now === processStarted)) endProcess(pid);
}

/** Resumes all processes of a launched Chrome that an earlier server may have stopped (AC6). */
export function continueOwn(record: BrowserRecord): void {
  if (record.origin === 'launched' && record.pid !== null && runs(record)) resumeProcessGroup(record.pid);
}

/** Whether the process of a record still runs; always true for an attached Chrome, which has no process of ours. */
export function runs({ origin, pid, processStarted }: BrowserRecord): boolean {
  return origin === 'attached' || (pid !== null && processStartTime(pid) === processStarted);
}

export function launchedRecord(
  id: string,
  workspace: string,
  chrome: LaunchedChrome,
  { userDataDir, floorPort }: { readonly userDataDir: string; readonly floorPort: number },
): BrowserRecord {
  const { pid, port, cdpUrl, startTime } = chrome;
  return {
    id,
    workspace,
    origin: 'launched',
    cdpUrl,
    pid,
    port,
    processStarted: startTime,
    userDataDir,
    floorPort,
    product: '',
    state: 'live',
    createdAt: new Date().toISOString(),
  };
}

export function newBrowserId(): string {
  return `b_${randomUUID().slice(0, 8)}`;
}

export function attachedRecord(id: string, workspace: string, cdpUrl: string): BrowserRecord {
  return {
    id,
    workspace,
    origin: 'attached',
    cdpUrl,
    pid: null,
    port: null,
    processStarted: null,
    userDataDir: null,
    floorPort: null,
    product: '',
    state: 'live',
    createdAt: new Date().toISOString(),
  };
}

export function viewOf(browser: ChromeBrowser): BrowserView {
  return {
    id: browser.id,
    origin: browser.origin,
    product: browser.product,
    state: browser.gone ? 'down' : 'live',
    tabs: browser.targets().length,
  };
}
