import type { Budget } from '@/lib/budget/budget';
import { globMatcher } from '@/lib/text/glob';
import type { RequestLog } from './request-log';

export interface ResponseQuery {
  /** Glob that matches the whole address. */
  readonly url: string;
  readonly status?: number | undefined;
  /** A cursor of the buffer: responses after it count too. Without it only responses from now on count. */
  readonly since?: number | undefined;
}

/** Settles when a matching response has begun (PS2). */
export async function forResponse(log: RequestLog, budget: Budget, query: ResponseQuery): Promise<void> {
  const fitsGlob = globMatcher(query.url);
  const fits = (url: string, status: number | undefined): boolean =>
    status !== undefined && (query.status === undefined || query.status === status) && fitsGlob(url);
  if (
    query.since !== undefined &&
    log.ring.read({ since: query.since, fits: ({ url, status }) => fits(url, status) }).items.length > 0
  )
    return;
  const label = `a response from ${query.url}${query.status === undefined ? '' : ` with status ${query.status}`}`;
  await log.onResponse.waitFor(budget, label, ({ url, status }) => fits(url, status) || undefined);
}
