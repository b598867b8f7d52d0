import { z } from 'zod';
import { timelineEventSchema } from '@/lib/protocol/views';
import { requestEntrySchema } from '@/lib/buffers/entries';
import type { EgressPolicy } from '@/lib/egress/policy';
import type { TimelineFilter } from '@/lib/timeline/search';
import { fromWire, WheelhouseError, wireErrorSchema } from '@/lib/errors/error';
import { presentLink, presentWorkspace } from './workspace';

/** The HTTP API for the page: same origin, signed in by cookie, answers parsed with zod. */

const createdSession = z.object({ id: z.string(), name: z.string() });
const browser = z.object({ id: z.string(), product: z.string(), origin: z.enum(['launched', 'attached']) });
const demo = z.object({ state: z.string().optional(), session: z.string().optional() });
const failure = z.object({ error: wireErrorSchema });
const anything = z.unknown();

export interface NewSession {
  readonly name?: string;
  readonly url?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly browser?: string;
  readonly isolation?: 'context' | 'browser' | 'default';
  readonly policy?: { readonly idleMs?: number; readonly egress?: EgressPolicy };
}

/** All calls reject with WheelhouseError. */
export const api = {
  createSession: (body: NewSession) => call('POST', '/sessions', createdSession, body),
  renameSession: (id: string, name: string) => call('PATCH', `/sessions/${encodeURIComponent(id)}`, anything, { name }),
  endSession: (id: string) => call('DELETE', `/sessions/${encodeURIComponent(id)}`, anything),
  pauseAgents: (id: string) => call('POST', `/sessions/${encodeURIComponent(id)}/pause`, anything),
  resumeAgents: (id: string) => call('POST', `/sessions/${encodeURIComponent(id)}/resume`, anything),
  stay: (id: string) => call('POST', `/sessions/${encodeURIComponent(id)}/stay`, anything),
  reviveSession: (id: string) => call('POST', `/sessions/${encodeURIComponent(id)}/browser`, anything),
  listBrowsers: () => call('GET', '/browsers', z.array(browser)),
  attachBrowser: (cdpUrl: string) => call('POST', '/browsers', browser, { cdpUrl }),
  demoStatus: () => call('GET', '/demo', demo),
  clearBuffer: (session: string, tab: string, buffer: 'console' | 'errors' | 'requests') =>
    call('DELETE', `${tabPath(session, tab)}/${buffer}`, anything),
  request: (session: string, tab: string, id: number) =>
    call('GET', `${tabPath(session, tab)}/requests/${id}`, requestEntrySchema),
  deleteFile: (session: string, name: string) =>
    call('DELETE', `/sessions/${encodeURIComponent(session)}/files/${encodeURIComponent(name)}`, anything),
  dropDownload: (session: string, id: string) =>
    call('DELETE', `/sessions/${encodeURIComponent(session)}/downloads/${encodeURIComponent(id)}`, anything),
  /** The newest events before `before` that fit the filter, oldest first. The server searches the whole timeline. */
  searchTimeline: (session: string, before: number, { actor, kind, search = '' }: TimelineFilter) => {
    const query = Object.entries({ before: `${before}`, limit: '500', actor, kind, q: search.trim() }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    );
    return call(
      'GET',
      `/sessions/${encodeURIComponent(session)}/timeline?${new URLSearchParams(query).toString()}`,
      z.array(timelineEventSchema),
    );
  },
  startDemo: () => call('POST', '/demo', demo),
  stopDemo: () => call('DELETE', '/demo', anything),
  /** The server's counters as Prometheus text. */
  metrics: async () => {
    const answer = await send('GET', '/metrics', undefined);
    if (!answer.ok) throw failureOf(answer.status, {});
    return answer.text();
  },
} as const;

/** URL that downloads a session's timeline, one JSON object a line (TL2). */
export function timelineExportUrl(session: string): string {
  return inWorkspace(`/api/v1/sessions/${encodeURIComponent(session)}/timeline?format=jsonl`);
}

/** URL of the action picture of a timeline event (TL2). */
export function pictureUrl(session: string, event: string): string {
  return inWorkspace(`/api/v1/sessions/${encodeURIComponent(session)}/timeline/${encodeURIComponent(event)}/picture`);
}

/** URL to put and get a file of a session. */
export function fileUrl(session: string, name: string): string {
  return inWorkspace(`/api/v1/sessions/${encodeURIComponent(session)}/files/${encodeURIComponent(name)}`);
}

/** URL that downloads the requests of a tab as an HTTP Archive (PS2). */
export function harUrl(session: string, tab: string): string {
  return inWorkspace(`/api/v1${tabPath(session, tab)}/har`);
}

/** Links and pictures have no headers, so their address names the workspace, or the share link of a guest. */
function inWorkspace(url: string): string {
  const named = Object.entries(whoAsks()).map(([name, id]) => `${name}=${encodeURIComponent(id)}`);
  return named.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${named.join('&')}`;
}

/** The share link or the workspace that this page is for. */
function whoAsks(): { link: string } | { workspace: string } | Record<string, never> {
  const link = presentLink();
  if (link !== undefined) return { link };
  const workspace = presentWorkspace();
  return workspace === undefined ? {} : { workspace };
}

/** The headers that say for which share link or workspace a call is. */
export function headersOfPage(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(whoAsks()).map(([name, id]) => [`x-${name}`, id]));
}

function tabPath(session: string, tab: string): string {
  return `/sessions/${encodeURIComponent(session)}/tabs/${encodeURIComponent(tab)}`;
}

/** True when the server answers that the page is not signed in; false when it cannot be reached. */
export async function isSignedOut(): Promise<boolean> {
  // Of a share link, the handshake itself says what is wrong.
  if (presentLink() !== undefined) return false;
  const answer = await fetch('/api/v1/sessions', { headers: { accept: 'application/json' }, cache: 'no-store' }).catch(
    () => undefined,
  );
  return answer?.status === 401;
}

/** One call of the API; rejects with WheelhouseError. `path` comes after `/api/v1`. */
export async function call<T>(method: string, path: string, schema: z.ZodType<T>, body?: unknown): Promise<T> {
  return read(await send(method, `/api/v1${path}`, body), schema);
}

/** A call for the home workspace of the person, whatever the address of the page names: that one may have ended. */
export async function callHome<T>(method: string, path: string, schema: z.ZodType<T>, body?: unknown): Promise<T> {
  return read(await send(method, `/api/v1${path}`, body, 'home'), schema);
}

async function read<T>(answer: Response, schema: z.ZodType<T>): Promise<T> {
  const parsed = await bodyOf(answer);
  if (!answer.ok) throw failureOf(answer.status, parsed);
  const data = schema.safeParse(parsed);
  if (data.success) return data.data;
  throw new WheelhouseError(
    'INTERNAL',
    { code: 'answerUnreadable' },
    { cause: data.error, hint: { code: 'reloadCure' } },
  );
}

/** One call with its raw answer, whatever its status; rejects when the server cannot be reached. */
export async function send(
  method: string,
  url: string,
  body: unknown,
  where: 'here' | 'home' = 'here',
): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(where === 'here' && headersOfPage()),
  };
  try {
    return await fetch(url, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new WheelhouseError('ABORTED', { code: 'serverUnreachable' }, { cause, hint: { code: 'serverRunsCure' } });
  }
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WheelhouseError(
      'INTERNAL',
      { code: 'serverGaveNoReason', status: answer.status },
      { cause, details: { status: answer.status, body: text.slice(0, 500) } },
    );
  }
}

/** The error in the body of a failed call; `body` is parsed JSON. */
export function failureOf(status: number, body: unknown): WheelhouseError {
  const parsed = failure.safeParse(body);
  if (parsed.success) return fromWire(parsed.data.error);
  return new WheelhouseError('INTERNAL', { code: 'serverGaveNoReason', status }, { details: { status } });
}
