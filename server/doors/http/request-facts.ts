import type { IncomingMessage } from 'node:http';
import { linkNamed, single } from '@/server/access/credential';
import type { RequestFacts } from '@/server/access/credential';
import type { Services } from '../services';

/**
 * The request facts for sign-in: the headers, the address that limits count (T15), and the workspace or share link,
 * which links and pictures of a page name in the query, because they have no headers.
 */
export function requestFacts({ access }: Pick<Services, 'access'>, request: IncomingMessage): RequestFacts {
  const { headers, url = '/' } = request;
  const { searchParams } = new URL(url, 'http://local');
  const workspace = single(headers, 'x-workspace') ?? searchParams.get('workspace') ?? undefined;
  return { headers, address: access.addressOf(request), workspace, link: linkOf(request) };
}

/** The share link that a request is for. A change names it in a header, which no page of another site can send. */
export function linkOf({ headers, method, url = '/' }: IncomingMessage): string | undefined {
  const inQuery = method === 'GET' ? new URL(url, 'http://local').searchParams.get('link') : null;
  return linkNamed(headers) ?? inQuery ?? undefined;
}
