/** What a page of the interface does: it keeps cookies, and sends its origin. */
export class PageClient {
  readonly #jar = new Map<string, string>();

  /** @param cookie that of a sign-in, as a header has it */
  constructor(
    readonly origin: string,
    cookie = '',
  ) {
    if (cookie !== '') this.#store(cookie);
  }

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get cookieNames(): string[] {
    return [...this.#jar.keys()].toSorted();
  }

  /** Another page with the same cookies. */
  copy(): PageClient {
    const page = new PageClient(this.origin);
    page.take(this, /^/);
    return page;
  }

  /** Takes the cookies of another page whose names match. */
  take(from: PageClient, names: RegExp): void {
    for (const [name, value] of from.#jar) if (names.test(name)) this.#jar.set(name, value);
  }

  /** One call of the API, with JSON in both directions. */
  async send(method: string, route: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await this.open(`/api/v1${route}`, {
      method,
      headers: { origin: this.origin, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed: unknown = await response.json();
    return { status: response.status, body: parsed };
  }

  /** Opens an address, without following redirects. */
  async open(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const headers = { cookie: this.cookie, ...init.headers };
    const response = await fetch(`${this.origin}${path}`, { redirect: 'manual', ...init, headers });
    for (const one of response.headers.getSetCookie()) this.#store(one);
    return response;
  }

  #store(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (/max-age=0/i.test(setCookie) || value === '') this.#jar.delete(name);
    else this.#jar.set(name, value);
  }
}
