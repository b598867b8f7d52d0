import type { IncomingMessage } from 'node:http';
import { single } from '@/server/access/credential';
import type { RequestFacts } from '@/server/access/credential';
import type { Services } from '../services';

/**
 * The request facts for sign-in: the headers, the address that limits count (T15), and the workspace, which links and
 * pictures of a page name in the query, because they have no headers.
 */
export function requestFacts({ access }: Pick<Services, 'access'>, request: IncomingMessage): RequestFacts {
  const { headers, url = '/' } = request;
  const workspace = single(headers, 'x-workspace') ?? new URL(url, 'http://local').searchParams.get('workspace');
  return { headers, address: access.addressOf(request), workspace: workspace ?? undefined };
}
