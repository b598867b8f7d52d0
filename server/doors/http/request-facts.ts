import type { IncomingMessage } from 'node:http';
import type { Services } from '../services';

/** The request facts for sign-in: the headers, and the address that limits count (T15). */
export function requestFacts(
  { access }: Pick<Services, 'access'>,
  request: IncomingMessage,
): { headers: IncomingMessage['headers']; address: string } {
  return { headers: request.headers, address: access.addressOf(request) };
}
