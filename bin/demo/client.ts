import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SnapshotAnswer } from '@/bin/demo/page';
import type { DemoAction } from '@/bin/demo/step';

/** The calls of Wheelhouse's HTTP API that the demo agent needs, written from its published documentation alone. */

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  retry: z.string().optional(),
});
const failureSchema = z.object({ error: errorSchema });
const sessionSchema = z.object({ id: z.string(), links: z.object({ view: z.string() }).partial().optional() });
const snapshotSchema = z.object({
  text: z.string(),
  url: z.string(),
  refs: z.array(z.object({ ref: z.string(), role: z.string(), name: z.string() })),
});
const handoffSchema = z.object({
  by: z.string().optional(),
  note: z.string().optional(),
  returnedAt: z.string().optional(),
});
const replySchema = z.object({ ok: z.boolean(), ms: z.number().optional(), handoff: handoffSchema.nullish() });
const waitSchema = z.object({
  handoff: handoffSchema.nullish(),
  receipt: handoffSchema.nullish(),
  note: z.string().nullish(),
});
const controlSchema = z.object({ state: z.string(), holder: z.object({ kind: z.string().optional() }).nullish() });

type Reply = z.infer<typeof replySchema>;
export type Handoff = z.infer<typeof handoffSchema>;

/** An error that the server answered, with its code; `UNREACHABLE` when it did not answer at all. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(
    code: string,
    message: string,
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? '';
  }
}

interface ClientOptions {
  /** Address of Wheelhouse, such as `http://127.0.0.1:7400`. */
  readonly url: string;
  readonly key: string;
  /** Aborts all running calls. */
  readonly signal: AbortSignal;
}

export interface DemoApiClient {
  openSession(name: string, url: string): Promise<{ readonly id: string; readonly view: string | undefined }>;
  endSession(session: string): Promise<void>;
  openTab(session: string, url: string): Promise<void>;
  snapshot(session: string): Promise<SnapshotAnswer>;
  act(session: string, action: DemoAction): Promise<Reply>;
  control(session: string): Promise<z.infer<typeof controlSchema>>;
  release(session: string): Promise<void>;
  /** Resolves when this agent may act again; throws TIMEOUT or CONTROL_HELD when it may not in time. */
  waitForLease(session: string): Promise<Handoff | undefined>;
}

/** Milliseconds for calls that only read or write a record. */
const SHORT_MS = 15_000;
/** Longer than the longest action of this agent, so that the server answers first. */
const LONG_MS = 45_000;
const LEASE_WAIT_MS = 60_000;

export function createClient(options: ClientOptions): DemoApiClient {
  const call = (method: string, path: string, timeoutMs: number, body?: unknown): Promise<unknown> =>
    send(options, method, `/api/v1/sessions${path}`, timeoutMs, body);
  const tab = (session: string): string => `/${encodeURIComponent(session)}/tabs/active`;
  return {
    async openSession(name, url) {
      const { id, links } = understand(
        sessionSchema,
        await call('POST', '', LONG_MS, { name, url, viewport: { width: 1280, height: 720 } }),
      );
      return { id, view: links?.view };
    },
    async endSession(session) {
      await call('DELETE', `/${encodeURIComponent(session)}`, SHORT_MS);
    },
    async openTab(session, url) {
      await call('POST', `/${encodeURIComponent(session)}/tabs`, LONG_MS, { url });
    },
    snapshot: async (session) =>
      understand(snapshotSchema, await call('GET', `${tab(session)}/snapshot?view=ai&interactive=1&refs=1`, LONG_MS)),
    act: async (session, action) =>
      understand(replySchema, await call('POST', `${tab(session)}/act`, LONG_MS, { id: randomUUID(), ...action })),
    control: async (session) => understand(controlSchema, await call('GET', `${tab(session)}/control`, SHORT_MS)),
    async release(session) {
      await call('POST', `${tab(session)}/control`, SHORT_MS, { do: 'release' });
    },
    async waitForLease(session) {
      const answer = understand(
        waitSchema,
        await call('GET', `${tab(session)}/control/wait?timeoutMs=${LEASE_WAIT_MS}`, LEASE_WAIT_MS + SHORT_MS),
      );
      return answer.handoff ?? answer.receipt ?? (typeof answer.note === 'string' ? { note: answer.note } : undefined);
    },
  };
}

/**
 * Sends one request. When the connection breaks, repeats it once if that is safe: a GET changes nothing, and an action
 * has an id, by which the server runs it once.
 */
async function send(
  options: ClientOptions,
  method: string,
  path: string,
  timeoutMs: number,
  body: unknown,
): Promise<unknown> {
  const mayRepeat = method === 'GET' || path.endsWith('/act');
  try {
    return await readAnswer(await request(options, method, path, timeoutMs, body));
  } catch (thrown) {
    if (!mayRepeat || !(thrown instanceof ApiError) || thrown.code !== 'UNREACHABLE') throw thrown;
    return readAnswer(await request(options, method, path, timeoutMs, body));
  }
}

async function request(
  { url, key, signal }: ClientOptions,
  method: string,
  path: string,
  timeoutMs: number,
  body: unknown,
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'x-agent': 'buyer-bot' };
  const content =
    body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    return await fetch(new URL(path, url), {
      method,
      ...content,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof DOMException && cause.name === 'TimeoutError')
      throw new ApiError('TIMEOUT', `No answer within ${timeoutMs} ms.`, { cause });
    throw new ApiError('UNREACHABLE', `Nothing answers at ${url}.`, { hint: 'Is Wheelhouse running there?', cause });
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  const value: unknown = await response.json().catch((cause: unknown) => {
    throw new ApiError('INTERNAL', `The server answered ${response.status} without JSON.`, { cause });
  });
  const failure = failureSchema.safeParse(value);
  if (failure.success)
    throw new ApiError(failure.data.error.code, failure.data.error.message, { hint: failure.data.error.hint });
  if (!response.ok) throw new ApiError('INTERNAL', `The server answered ${response.status}.`);
  return value;
}

function understand<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError('INTERNAL', `The server answered in a form I do not know: ${z.prettifyError(parsed.error)}`);
}
