import { z } from 'zod';
import { badRequest } from '@/lib/actions/parse';
import type { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import type { WheelhouseError } from '@/lib/errors/error';
import { admit, demandRight, type Addresses, type Asker, type Found, type Right, type ThingKind } from '../things';
import type { MediaAnswer } from './answers';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every handler is given beside its own parsed parts. */
export interface RouteContext extends Asker {
  readonly budget: Budget;
  /** Aborted when the client goes away (BU2). */
  readonly signal: AbortSignal;
}

/** With the thing that the route is about, found and allowed. */
export type Call<K extends ThingKind, P, Q, B> = RouteContext &
  Found[K] & { readonly params: P; readonly query: Q; readonly body: B };

/** Of a call about a session, or about something in one. */
export type InSession = RouteContext & Found['session'];

/** How the paths of the contract name things. */
interface PathParams {
  connection: object;
  workspace: object;
  session: { readonly s: string };
  tab: { readonly s: string; readonly t: string };
  file: { readonly s: string; readonly name: string };
  download: { readonly s: string; readonly id: string };
  browser: { readonly id: string };
  key: { readonly id: string };
}

const ADDRESS_IN: { readonly [K in ThingKind]: (params: PathParams[K]) => Addresses[K] } = {
  connection: () => ({}),
  workspace: () => ({}),
  session: ({ s }) => ({ session: s }),
  tab: ({ s, t }) => ({ session: s, tab: t }),
  file: ({ s, name }) => ({ session: s, file: name }),
  download: ({ s, id }) => ({ session: s, download: id }),
  browser: ({ id }) => ({ browser: id }),
  key: ({ id }) => ({ key: id }),
};

/** What a route gives back. `json` is the usual one. */
export type Answer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly bytes: Uint8Array; readonly type: string }
  | { readonly status: number; readonly text: string; readonly type: string }
  /** As long as it gets, made while it is read. */
  | { readonly status: number; readonly lines: AsyncGenerator<string, void>; readonly type: string }
  /** A file, given out as an attachment whatever it is; `size` in bytes. */
  | {
      readonly status: number;
      readonly file: ReadableStream<Uint8Array>;
      readonly name: string;
      readonly size: number;
    };

/** One row of the registry: everything the door needs to know about a route, and the documents are made from. */
export interface Route extends Right<ThingKind> {
  readonly method: Method;
  /** Hono's form: `/api/v1/sessions/:s`. */
  readonly path: string;
  readonly about: string;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  /** The body is not JSON, and is handed on unread. */
  readonly streams: boolean;
  /** What the documents say of a body that the handler parses itself. */
  readonly bodyShown?: z.ZodType | undefined;
  /** What a successful answer holds. */
  readonly answer: z.ZodType | MediaAnswer;
  /** Status of a successful answer. */
  readonly success: number;
  /** Milliseconds for calls that do not carry their own budget. */
  readonly timeoutMs: number;
  /**
   * The answer when the call fails, also before it is run; the error table's form when left out. `input` is the body as
   * far as it was read.
   */
  readonly failed?: ((error: WheelhouseError, raw: { params: unknown; input: unknown }) => Answer) | undefined;
  /**
   * Asks for the right before the body is read, and again, with the thing found, once it is there (AU3); parses and
   * runs. Throws what `admit` throws, BAD_REQUEST naming the field, and whatever the handler throws.
   */
  run(given: RouteContext, raw: { params: unknown; query: unknown; body: () => Promise<unknown> }): Promise<Answer>;
}

export interface RouteSpec<
  K extends ThingKind,
  P extends z.ZodType<PathParams[K]>,
  Q extends z.ZodType,
  B extends z.ZodType,
> extends Right<K> {
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
  readonly run: (call: Call<K, z.infer<P>, z.infer<Q>, z.infer<B>>) => Promise<Answer>;
}

/** For what a route does not take: it is ignored in an address, refused in a body. */
export const nothing = z.strictObject({});
export const noBody = z.undefined();

/** Ties the schemas of a route to the types that its handler sees. */
export function defineRoute<
  K extends ThingKind,
  P extends z.ZodType<PathParams[K]>,
  Q extends z.ZodType,
  B extends z.ZodType,
>(spec: RouteSpec<K, P, Q, B>): Route {
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
      const sent = await raw.body();
      const parts = {
        params: own,
        query: parsed(query, raw.query, 'The query is not valid'),
        body: parsed(body, sent, 'The body is not valid'),
      };
      return run({ ...given, ...admit(given, spec, address), ...parts });
    },
  };
}

function parsed<S extends z.ZodType>(schema: S, input: unknown, prefix: string): z.infer<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw badRequest(result.error, prefix);
}
