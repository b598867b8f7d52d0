import { globMatcher } from '@/lib/text/glob';
import type { ConsoleEntry, PageError, RequestSummary } from './entries';

/** Which entries of a buffer a reader wants. Text is compared ignoring case. */
export interface BufferFilter {
  /** A part of the text, or of a request's address. */
  readonly filter?: string | undefined;
}

export interface ConsoleFilter extends BufferFilter {
  readonly levels?: readonly string[] | undefined;
}

export interface RequestFilter extends BufferFilter {
  /** Glob over the whole address: `*` anything but `/`, `**` anything. */
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly method?: string | undefined;
  /** `404`, `4xx`, `failed` or `pending`. */
  readonly status?: string | undefined;
}

export function fitsConsole({
  levels,
  filter,
}: ConsoleFilter): (entry: Pick<ConsoleEntry, 'level' | 'text'>) => boolean {
  return ({ level, text }) => (levels === undefined || levels.includes(level)) && holds(text, filter);
}

export function fitsErrors({ filter }: BufferFilter): (entry: Pick<PageError, 'text' | 'stack'>) => boolean {
  return ({ text, stack = '' }) => holds(`${text}\n${stack}`, filter);
}

export function fitsRequests({
  filter,
  url,
  types,
  method,
  status,
}: RequestFilter): (entry: Pick<RequestSummary, 'url' | 'type' | 'method' | 'state' | 'status'>) => boolean {
  const fitsGlob = url === undefined ? () => true : globMatcher(url);
  return (entry) =>
    holds(entry.url, filter) &&
    fitsGlob(entry.url) &&
    (types === undefined || types.includes(entry.type)) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || statusFits(entry, status));
}

function statusFits(entry: Pick<RequestSummary, 'state' | 'status'>, wanted: string): boolean {
  if (wanted === 'failed' || wanted === 'pending') return entry.state === wanted;
  const code = String(entry.status ?? '');
  return wanted.endsWith('xx') ? code.length === 3 && code.startsWith(wanted.slice(0, 1)) : code === wanted;
}

function holds(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}
