import { PageClient } from './page-client';
import { signedInPerson } from './people';
import type { TestServer } from './server';

/** Someone who can sign in. */
interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A member of the owner's workspace with an address and a password. */
export async function personWithPassword(
  server: Pick<TestServer, 'running' | 'origin'>,
  name: string,
): Promise<Credentials & { readonly id: string }> {
  const { access, store } = server.running.services;
  const { id } = await signedInPerson(server, 'member', name);
  const [email, password] = [`${name}-${id.slice(2)}@example.com`.toLowerCase(), `the password of ${name}`];
  await store.people.setEmail(id, email, new Date());
  await access.accounts.setPassword(id, password);
  return { id, email, password };
}

/** A page where this person has signed in by password; throws when that does not work. */
export async function signedInPage(origin: string, { email, password }: Credentials): Promise<PageClient> {
  const page = new PageClient(origin);
  const { status, body } = await page.send('POST', '/sign-in/password', { email, password });
  if (JSON.stringify(body) !== '{"signedIn":true}') throw new Error(`${status} ${JSON.stringify(body)}`);
  return page;
}
