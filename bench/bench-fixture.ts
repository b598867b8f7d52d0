import { withBudget, type Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { sessionSchema } from '@/lib/protocol/views';
import type { Tab } from '@/server/browser/tab';
import { serveHtml } from '@/server/testing/page-fixture';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { PlainScript, type PlainTab } from './plain-script';

/** A session of ours on one page, and a session of the plain script on the same tab, which only observes. */
export interface OurTab {
  readonly session: string;
  readonly tab: Tab;
  readonly observer: PlainTab;
}

const CALL_MS = 60_000;

/** A whole server without the interface, and a plain script on the same Chrome. */
export class BenchFixture {
  readonly #sessions = new Set<string>();
  /** Closes what the running group has opened, in the order of opening. */
  readonly #opened: (() => void | Promise<void>)[] = [];

  private constructor(
    readonly server: TestServer,
    readonly plain: PlainScript,
    /** Browser WebSocket of the Chrome that both use. */
    readonly wsUrl: string,
    /** For example `Chrome/150.0.1`. */
    readonly product: string,
    readonly chromePath: string,
    private readonly cookie: string,
    private readonly killChrome: () => void,
  ) {}

  static async open(): Promise<BenchFixture> {
    // As shipped: with action pictures, which tests turn off.
    const server = await startTestServer({ env: { TIMELINE_PICTURES_MB: '32' } });
    const { browsers, store, access } = server.running.services;
    const first = await server.session();
    const { wsUrl, product } = browsers.get(access.owner.workspace, first.browser.id);
    const [record] = await store.browsers.listOpen(access.owner.workspace);
    // Chrome is detached, and would outlive a run that crashes.
    const kill = (): void => {
      if (record?.pid) process.kill(-record.pid, 'SIGKILL');
    };
    process.once('exit', kill);
    const { chosen } = await browsers.detect();
    return new BenchFixture(
      server,
      await PlainScript.open(wsUrl),
      wsUrl,
      product,
      chosen?.path ?? '',
      await server.signIn(),
      kill,
    );
  }

  /** `policy` as in the route that creates sessions. */
  async tab(url: string, policy: object = {}): Promise<OurTab> {
    const { hub, access } = this.server.running.services;
    const { id } = sessionSchema.parse((await this.server.api('POST', '/api/v1/sessions', { url, policy })).body);
    this.#sessions.add(id);
    const { tab } = hub.get(access.owner.workspace, id).activeSessionTab();
    return { session: id, tab, observer: await this.plain.attach(tab.targetId) };
  }

  /** Does by HTTP what a person does with the lease of a session. Throws on a refusal. */
  async control(session: string, verb: 'take' | 'release' | 'hand-back'): Promise<void> {
    const { origin } = this.server;
    const headers = { cookie: this.cookie, origin, 'content-type': 'application/json' };
    const response = await fetch(`${origin}/api/v1/sessions/${session}/tabs/active/control`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ do: verb }),
    });
    if (!response.ok) throw new Error(`${verb} was refused: ${await response.text()}`);
    await response.arrayBuffer();
  }

  /** Settles when the person has the lease of a session, by HTTP. */
  async mayAct(session: string): Promise<void> {
    const { origin } = this.server;
    const response = await fetch(`${origin}/api/v1/sessions/${session}/tabs/active/control/wait?timeoutMs=20000`, {
      headers: { cookie: this.cookie },
    });
    if (!response.ok) throw new Error(`The wait was refused: ${await response.text()}`);
    await response.arrayBuffer();
  }

  /** Serves a page until the next sweep; returns its address. */
  async serve(html: string): Promise<string> {
    const { port, close } = await serveHtml(html);
    this.onSweep(close);
    return `http://127.0.0.1:${port}/`;
  }

  /** `close` is called at the next sweep, also when the group that opened it has failed. */
  onSweep(close: () => void | Promise<void>): void {
    this.#opened.push(close);
  }

  /** Ends what a group has opened, so that the next group starts with an idle Chrome. */
  async sweep(): Promise<void> {
    for (const close of this.#opened.splice(0).toReversed()) await close();
    for (const session of this.#sessions) await this.server.api('DELETE', `/api/v1/sessions/${session}`);
    this.#sessions.clear();
    await this.plain.closeTabs();
  }

  async close(): Promise<void> {
    this.plain.close();
    await this.server.close();
    process.off('exit', this.killChrome);
  }
}

/** Runs a call inside the server with a budget that is too long to affect any figure. */
export function call<T>(work: (budget: Budget) => Promise<T>): Promise<T> {
  return withBudget({ timeoutMs: CALL_MS, clock: monotonicClock }, work);
}
