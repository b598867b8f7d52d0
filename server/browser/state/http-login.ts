import type { Emulation } from '@/lib/state/emulation';
import { parseUrl } from '@/lib/text/url';
import type { Protocol } from '@/server/cdp/protocol';
import type { EventParams } from '@/server/cdp/shapes/read';
import type { CdpSession } from '@/server/cdp/session';

type Credentials = NonNullable<Emulation['credentials']>;

/**
 * Answers HTTP authentication (PS4). Uses a CDP session of its own, so that other users of Fetch are not disturbed, and
 * only while there are credentials, since every request of the page is held until we answer. Source: Fetch.enable
 * {handleAuthRequests}.
 */
export class HttpLogin {
  #session: CdpSession | undefined;
  #credentials: Credentials | undefined;
  /** Requests that got the credentials once: if Chrome asks again, they were wrong. */
  readonly #tried = new Set<string>();
  /** Sessions beside its own on which requests are held for us now. */
  readonly #served = new Set<CdpSession>();
  readonly #heard = new WeakSet<CdpSession>();

  constructor(
    private readonly attach: () => Promise<CdpSession>,
    private readonly detach: (session: CdpSession) => Promise<void>,
  ) {}

  /**
   * Sets the credentials from now on; undefined for none. `childTargets`: the sessions of the page's out-of-process
   * frames and workers.
   */
  async use(credentials: Credentials | undefined, childTargets: readonly CdpSession[]): Promise<void> {
    this.#credentials = credentials;
    this.#tried.clear();
    if (credentials === undefined) return this.#stop();
    for (const session of childTargets) this.serve(session);
    if (this.#session) return;
    const session = await this.attach();
    this.#session = session;
    await this.#listen(session);
  }

  /**
   * Answers for a frame of another process or a worker too, while there are credentials. Not awaited, since it may
   * hang.
   */
  serve(session: CdpSession): void {
    if (this.#served.has(session)) return;
    this.#served.add(session);
    session.onEnd(() => this.#served.delete(session));
    this.#listen(session).catch(() => this.#served.delete(session));
  }

  async #listen(session: CdpSession): Promise<void> {
    if (!this.#heard.has(session)) {
      session.on(
        'Fetch.requestPaused',
        ({ requestId }) => void session.sendMayFail('Fetch.continueRequest', { requestId }),
      );
      session.on(
        'Fetch.authRequired',
        (event) =>
          void session.sendMayFail('Fetch.continueWithAuth', {
            requestId: event.requestId,
            authChallengeResponse: this.#answer(event),
          }),
      );
    }
    this.#heard.add(session);
    await session.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] });
  }

  dispose(): void {
    this.#credentials = undefined;
    void this.#stop();
  }

  async #stop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    for (const served of this.#served) void served.sendMayFail('Fetch.disable');
    this.#served.clear();
    if (session) await this.detach(session);
  }

  /**
   * Provides the credentials: never to a proxy, never to another origin than the one named, and only once per request.
   */
  #answer({ requestId, authChallenge }: EventParams<'Fetch.authRequired'>): Protocol.Fetch.AuthChallengeResponse {
    const wanted = this.#credentials;
    const fits =
      wanted !== undefined &&
      authChallenge.source !== 'Proxy' &&
      (wanted.origin === undefined || parseUrl(wanted.origin)?.origin === parseUrl(authChallenge.origin)?.origin);
    if (!fits) return { response: 'CancelAuth' };
    if (this.#tried.has(requestId)) return { response: 'CancelAuth' };
    this.#tried.add(requestId);
    return { response: 'ProvideCredentials', username: wanted.username, password: wanted.password };
  }
}
