import { z } from 'zod';
import { callsOf } from './people';
import { TEST_KEY, type TestServer } from './server';

/** A share link as its maker gets it. */
export interface TestLink {
  readonly id: string;
  readonly secret: string;
}

/** Somebody who has opened a share link in a new browser. */
export interface TestGuest {
  /** Participant id. */
  readonly id: string;
  readonly link: string;
  /** What their page sends; sockets name the link in `auth` too. */
  readonly headers: Readonly<Record<'cookie' | 'origin' | 'x-link', string>>;
  /** The answer to the opening. */
  readonly opened: unknown;
}

const madeSchema = z.object({ id: z.string(), url: z.string() });
const openedSchema = z.object({ guest: z.object({ id: z.string() }) });

/** Makes a share link, by the tests' key unless somebody else does. */
export async function shareLink(
  server: Pick<TestServer, 'origin'>,
  session: string,
  terms: object = {},
  by: Parameters<typeof callsOf>[1] = { headers: { authorization: `Bearer ${TEST_KEY}` } },
): Promise<TestLink> {
  const [, body] = await callsOf(server, by)('POST', `/sessions/${session}/links`, terms);
  const { id, url } = madeSchema.parse(body);
  return { id, secret: new URL(url).hash.slice(1) };
}

/** Opens a share link in a new browser. */
export async function openLink(
  { origin }: Pick<TestServer, 'origin'>,
  { id, secret }: TestLink,
  more: { readonly name?: string; readonly password?: string } = {},
): Promise<TestGuest> {
  const answer = await fetch(`${origin}/api/v1/links/${id}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, ...more }),
  });
  const opened: unknown = await answer.json();
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { guest } = openedSchema.parse(opened);
  return { id: guest.id, link: id, headers: { cookie, origin, 'x-link': id }, opened };
}
