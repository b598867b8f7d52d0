import type { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import type { Services } from '../services';
import type { RequestFacts } from '@/server/access/credential';
import { parsed, type Answer, type Documented, type Method, type RawInput } from './route';
import type { MediaAnswer } from './answers';

/** What the handler of a public route receives besides its parsed input. */
interface PublicContext {
  readonly services: Services;
  readonly budget: Budget;
  readonly request: RequestFacts;
}

/**
 * A row of the registry that needs no sign-in, because it is how people sign in. It has no thing and no grant: its
 * handler trusts nothing but what the caller proves in this call, and has limits of its own.
 */
export interface PublicRoute extends Documented {
  run(given: PublicContext, raw: RawInput): Promise<Answer>;
}

interface PublicRouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly method: Method;
  readonly path: string;
  readonly about: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly answer: z.ZodType | MediaAnswer;
  readonly success?: number;
  readonly run: (
    call: PublicContext & { readonly params: z.infer<P>; readonly query: z.infer<Q>; readonly body: z.infer<B> },
  ) => Promise<Answer>;
}

/** Infers the handler's types from the schemas of a public route. */
export function definePublicRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  spec: PublicRouteSpec<P, Q, B>,
): PublicRoute {
  const { params, query, body, run } = spec;
  return {
    ...spec,
    success: spec.success ?? 200,
    timeoutMs: BUDGET_LIMITS.routeMs,
    streams: false,
    run: async (given, raw) =>
      run({
        ...given,
        params: parsed(params, raw.params, 'The address is not valid'),
        query: parsed(query, raw.query, 'The query is not valid'),
        body: parsed(body, await raw.body(), 'The body is not valid'),
      }),
  };
}
