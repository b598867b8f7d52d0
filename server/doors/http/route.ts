import { z } from 'zod';
import { badRequest } from '@/lib/actions/parse';
import type { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import type { WheelhouseError } from '@/lib/errors/error';
import {
  admit,
  demandRight,
  endsWithRight,
  type Addresses,
  type DoorCall,
  type Found,
  type Right,
  type ThingKind,
} from '../things';
import type { MediaAnswer } from './answers';
import type { RequestFacts } from '@/server/access/credential';
import { memberCaller, type Caller, type MemberCaller } from '@/server/session/caller';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every handler receives besides its parsed input. */
export interface RouteContext extends DoorCall {
  readonly request: RequestFacts;
  readonly budget: Budget;
  /** Aborts when the client disconnects (BU2), or loses the right. */
  readonly signal: AbortSignal;
  /** Ends the call. */
  readonly abort: (reason: WheelhouseError) => void;
  /** The function runs when the answer, also one that is sent bit by bit, is over. */
  readonly lasting: (off: () => void) => void;
}

/** A call after `admit` has found the thing and checked the right. */
export type Call<K extends ThingKind, P, Q, B, Who extends Caller = MemberCaller> = RouteContext &
  Found[K] & { readonly caller: Who; readonly params: P; readonly query: Q; readonly body: B };

/** A call on a session or on a thing in one. */
export type InSession = RouteContext & Found['session'];

/** The path parameters that name each kind of thing. */
interface PathParams {
  connection: object;
  workspace: object;
  server: object;
  session: { readonly s: string };
  tab: { readonly s: string; readonly t: string };
  file: { readonly s: string; readonly name: string };
  download: { readonly s: string; readonly id: string };
  browser: { readonly id: string };
  key: { readonly id: string };
  invitation: { readonly id: string };
  member: { readonly id: string };
  account: object;
  link: { readonly s: string; readonly id: string };
}

const ADDRESS_IN: { readonly [K in ThingKind]: (params: PathParams[K]) => Addresses[K] } = {
  connection: () => ({}),
  workspace: () => ({}),
  server: () => ({}),
  session: ({ s }) => ({ session: s }),
  tab: ({ s, t }) => ({ session: s, tab: t }),
  file: ({ s, name }) => ({ session: s, file: name }),
  download: ({ s, id }) => ({ session: s, download: id }),
  browser: ({ id }) => ({ browser: id }),
  key: ({ id }) => ({ key: id }),
  invitation: ({ id }) => ({ invitation: id }),
  member: ({ id }) => ({ member: id }),
  account: () => ({}),
  link: ({ s, id }) => ({ session: s, link: id }),
};

/** The result of a route, usually `json`. `cookies` are values of `Set-Cookie`. */
export type Answer =
  | { readonly status: number; readonly json: unknown; readonly cookies?: readonly string[] }
  | { readonly status: number; readonly bytes: Uint8Array; readonly type: string }
  | { readonly status: number; readonly text: string; readonly type: string }
  /** Leads a browser to another address. */
  | { readonly status: 302; readonly location: string; readonly cookies: readonly string[] }
  /** A text of unknown length, produced while the client reads it. */
  | { readonly status: number; readonly lines: AsyncGenerator<string, void>; readonly type: string }
  /** A file, always sent as an attachment; `size` in bytes. */
  | {
      readonly status: number;
      readonly file: ReadableStream<Uint8Array>;
      readonly name: string;
      readonly size: number;
    };

/** What the API documents say of a row of the route registry, and the HTTP door needs to run it. */
export interface Documented {
  readonly method: Method;
  /** The path in Hono's syntax: `/api/v1/sessions/:s`. */
  readonly path: string;
  readonly about: string;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  /** The body is not JSON; the handler reads it as a stream. */
  readonly streams: boolean;
  /** The documented schema of a body that the handler parses itself. */
  readonly bodyShown?: z.ZodType | undefined;
  /** The schema or media type of a successful answer. */
  readonly answer: z.ZodType | MediaAnswer;
  /** The HTTP status of a successful answer. */
  readonly success: number;
  /** The timeout in milliseconds of calls that do not carry their own budget. */
  readonly timeoutMs: number;
}

/** The parts of a request before they are parsed. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: () => Promise<unknown>;
}

/** One row of the route registry: a route for signed-in people and keys. */
export interface Route extends Documented, Right<ThingKind> {
  /**
   * Builds the answer to a failed call, also when the call failed before it ran. Default: the error table's form.
   * `input` is the part of the body that was read.
   */
  readonly failed?: ((error: WheelhouseError, raw: { params: unknown; input: unknown }) => Answer) | undefined;
  /**
   * Checks the right before it reads the body and again, with the thing found, afterwards (AU3); then parses the input
   * and runs the handler. Throws what `admit` and the handler throw, and BAD_REQUEST naming the field.
   */
  run(given: RouteContext, raw: RawInput): Promise<Answer>;
}

export interface RouteSpec<
  K extends ThingKind,
  P extends z.ZodType<PathParams[K]>,
  Q extends z.ZodType,
  B extends z.ZodType,
  Who extends Caller = MemberCaller,
> extends Omit<Right<K>, 'guests'> {
  readonly method: Method;
  readonly path: string;
  readonly about: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly streams?: boolean;
  readonly bodyShown?: z.ZodType;
  readonly answer: z.ZodType | MediaAnswer;
  readonly success?: number;
  readonly timeoutMs?: number;
  readonly failed?: Route['failed'];
  readonly run: (call: Call<K, z.infer<P>, z.infer<Q>, z.infer<B>, Who>) => Promise<Answer>;
}

/** For a route without these fields: extra query fields are ignored, extra body fields are refused. */
export const nothing = z.strictObject({});
export const noBody = z.undefined();

/** A route for people and keys of the workspace. Infers the handler's types from the schemas. */
export function defineRoute<
  K extends ThingKind,
  P extends z.ZodType<PathParams[K]>,
  Q extends z.ZodType,
  B extends z.ZodType,
>(spec: RouteSpec<K, P, Q, B>): Route {
  return routeOf(spec, memberCaller, false);
}

/** A route that is open to the guests of share links too (AU4). */
export function defineGuestRoute<
  K extends ThingKind,
  P extends z.ZodType<PathParams[K]>,
  Q extends z.ZodType,
  B extends z.ZodType,
>(spec: RouteSpec<K, P, Q, B, Caller>): Route {
  return routeOf(spec, (caller) => caller, true);
}

function routeOf<
  K extends ThingKind,
  P extends z.ZodType<PathParams[K]>,
  Q extends z.ZodType,
  B extends z.ZodType,
  Who extends Caller,
>(open: RouteSpec<K, P, Q, B, Who>, callerOf: (caller: Caller) => Who, guests: boolean): Route {
  const spec = { ...open, guests };
  const { params, query, body, run } = spec;
  return {
    ...spec,
    success: spec.success ?? 200,
    timeoutMs: spec.timeoutMs ?? BUDGET_LIMITS.routeMs,
    streams: spec.streams ?? false,
    run: async (given, raw) => {
      const own = parsed(params, raw.params, 'The address is not valid');
      const address = ADDRESS_IN[spec.thing](own);
      demandRight(given, spec, address);
      given.lasting(endsWithRight(given, spec, address, given.abort));
      const sent = await raw.body();
      const parts = {
        params: own,
        query: parsed(query, raw.query, 'The query is not valid'),
        body: parsed(body, sent, 'The body is not valid'),
      };
      return run({ ...given, ...admit(given, spec, address), caller: callerOf(given.caller), ...parts });
    },
  };
}

/** Throws BAD_REQUEST naming the fields. */
export function parsed<S extends z.ZodType>(schema: S, input: unknown, prefix: string): z.infer<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw badRequest(result.error, prefix);
}
