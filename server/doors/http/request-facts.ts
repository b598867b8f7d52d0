import type { IncomingMessage } from 'node:http';
import type { Services } from '../services';

/** The headers of a request, and the address that limits count (T15). */
export interface RequestFacts {
  readonly headers: IncomingMessage['headers'];
  readonly address: string;
}

/** The request facts for sign-in. */
export function requestFacts({ access }: Pick<Services, 'access'>, request: IncomingMessage): RequestFacts {
  return { headers: request.headers, address: access.addressOf(request) };
}
