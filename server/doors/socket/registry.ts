import type { z } from 'zod';
import { badRequest } from '@/lib/actions/parse';
import type { ClientAnswers, ClientEvent } from '@/lib/protocol/catalog';
import type { Budget } from '@/lib/budget/budget';
import type { Grant } from '@/server/access/grants';
import type { SocketConnection } from './socket-connection';

/** Which limiter counts an event; see server/access/limits. */
export type EventLimit = 'events' | 'rawInput';

/** One row of the event registry: right, limit, budget in milliseconds, and what it does (security.md R3, T5). */
export interface EventRow<Answer> {
  readonly grant: Grant;
  readonly limit: EventLimit;
  readonly timeoutMs: number;
  /** Parses by the catalog's schema and runs. Throws BAD_REQUEST naming the field. */
  readonly handle: (connection: SocketConnection, budget: Budget, input: unknown) => Promise<Answer>;
}

/**
 * Every event there is; one that is missing, or that answers something else than the catalog says, does not compile.
 */
export type EventRegistry = { readonly [E in ClientEvent]: EventRow<ClientAnswers[E]> };

export interface EventSpec<S extends z.ZodType, Answer> {
  readonly schema: S;
  readonly grant: Grant;
  readonly limit?: EventLimit;
  readonly timeoutMs: number;
  readonly run: (call: { connection: SocketConnection; budget: Budget; payload: z.infer<S> }) => Promise<Answer>;
}

export function defineEvent<S extends z.ZodType, Answer>({
  schema,
  grant,
  limit = 'events',
  timeoutMs,
  run,
}: EventSpec<S, Answer>): EventRow<Answer> {
  return {
    grant,
    limit,
    timeoutMs,
    handle: async (connection, budget, input) => {
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw badRequest(parsed.error, 'The event is not valid');
      return run({ connection, budget, payload: parsed.data });
    },
  };
}
