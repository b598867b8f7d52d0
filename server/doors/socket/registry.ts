import type { z } from 'zod';
import { badRequest } from '@/lib/actions/parse';
import type { ClientAnswers, ClientEvent } from '@/lib/protocol/catalog';
import type { Budget } from '@/lib/budget/budget';
import { admit, endsWithRight, type Addresses, type Found, type Right, type ThingKind } from '../things';
import type { SocketConnection } from './socket-connection';

/** The limiter that counts an event; see server/access/limits. */
export type EventLimit = 'events' | 'rawInput' | 'cursors' | 'hands';

/** One row of the event registry: right, limit, budget in milliseconds and handler (AU3). */
export interface EventRow<Answer> extends Right<ThingKind> {
  readonly limit: EventLimit;
  readonly timeoutMs: number;
  /**
   * Parses the payload by the catalog's schema, checks the right, finds the thing and runs the handler. Throws
   * BAD_REQUEST naming the field, and what `admit` throws.
   */
  readonly handle: (connection: SocketConnection, budget: Budget, input: unknown) => Promise<Answer>;
}

/** All events. A missing event, or an answer of another type than the catalog's, is a compile error. */
export type EventRegistry = { readonly [E in ClientEvent]: EventRow<ClientAnswers[E]> };

/** The payload fields that name each kind of thing. */
interface Payloads {
  connection: object;
  workspace: object;
  session: Addresses['session'];
  tab: Addresses['tab'];
}

type EventThing = keyof Payloads;

const ADDRESS_IN: { readonly [K in EventThing]: (payload: Payloads[K]) => Addresses[K] } = {
  connection: () => ({}),
  workspace: () => ({}),
  session: ({ session }) => ({ session }),
  tab: ({ session, tab }) => ({ session, tab }),
};

type EventCall<K extends EventThing, Payload> = Found[K] & {
  readonly connection: SocketConnection;
  readonly budget: Budget;
  readonly payload: Payload;
};

export interface EventSpec<K extends EventThing, S extends z.ZodType<Payloads[K]>, Answer> extends Right<K> {
  readonly schema: S;
  readonly limit?: EventLimit;
  readonly timeoutMs: number;
  readonly run: (call: EventCall<K, z.infer<S>>) => Promise<Answer>;
}

export function defineEvent<K extends EventThing, S extends z.ZodType<Payloads[K]>, Answer>(
  spec: EventSpec<K, S, Answer>,
): EventRow<Answer> {
  const { schema, limit = 'events', run, ...row } = spec;
  return {
    ...row,
    limit,
    handle: async (connection, budget, input) => {
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw badRequest(parsed.error, 'The event is not valid');
      const address = ADDRESS_IN[spec.thing](parsed.data);
      const found = admit<K>(connection, spec, address);
      const off = endsWithRight(connection, spec, address, (refusal) => budget.abort(refusal));
      try {
        return await run({ ...found, connection, budget, payload: parsed.data });
      } finally {
        off();
      }
    },
  };
}
