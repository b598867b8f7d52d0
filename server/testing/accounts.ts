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

/** What a page of a browser does: it keeps cookies and sends its origin. */
export class TestPage {
  readonly #jar = new Map<string, string>();

  constructor(readonly origin: string) {}

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get cookieNames(): string[] {
    return [...this.#jar.keys()].toSorted();
  }

  /** Sets a cookie, `name=value`. */
  set(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    this.#jar.set(name, value);
  }

  /** A page with the same cookies. */
  copy(): TestPage {
    const page = new TestPage(this.origin);
    page.take(this, /^/);
    return page;
  }

  /** Takes the cookies of another page over whose names match. */
  take(from: TestPage, names: RegExp): void {
    for (const [name, value] of from.#jar) if (names.test(name)) this.#jar.set(name, value);
  }

  async send(
    method: string,
    route: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`${this.origin}/api/v1${route}`, {
      method,
      headers: { origin: this.origin, cookie: this.cookie, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (/max-age=0/i.test(one) || value === '') this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    return { status: response.status, body: await response.json() };
  }
}

/** A page where this person has signed in by password; throws when that does not work. */
export async function signedInPage(origin: string, { email, password }: Credentials): Promise<TestPage> {
  const page = new TestPage(origin);
  const { status, body } = await page.send('POST', '/sign-in/password', { email, password });
  if (JSON.stringify(body) !== '{"signedIn":true}') throw new Error(`${status} ${JSON.stringify(body)}`);
  return page;
}
