import type { Reply } from '@/lib/actions/reply';
import { sessionSchema } from '@/lib/protocol/views';
import { TIMINGS, timingsWith } from '@/server/config/timings';
import type { Session } from '@/server/session/session';
import type { Disturb } from '@/server/testing/disturbed-store';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/page-fixture';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Proof</title>
<button id="b" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button><input id="f" aria-label="Field">
<script>window.ticks = 0; setInterval(() => { window.ticks += 1; }, 10);</script>`;

/**
 * A machine busy with other work answers heartbeats late; a connection that is lost for that is not what a campaign
 * tries. Milliseconds.
 */
const PINGS = { everyMs: 5_000, patienceMs: 60_000 } as const;

/** All clients of a campaign use one key, and campaigns create many sessions. */
const LIMITS = 'sockets=400 sockets-server=800 sessions=1000 sessions-server=1000 requests=20000';

/** Starts a whole server with limits and timings for campaigns. `dialogPatienceMs`: the product's when absent. */
export function startCampaignServer({
  disturb,
  dialogPatienceMs = TIMINGS.dialogPatienceMs,
}: {
  readonly disturb?: Disturb | undefined;
  readonly dialogPatienceMs?: number;
}): Promise<TestServer> {
  const timings = timingsWith({ pings: PINGS, dialogPatienceMs });
  return startTestServer({ timings, env: { LIMITS }, ...(disturb && { disturb }) });
}

/** A server and a test page, on which campaigns cause their faults. */
export class CampaignFixture {
  readonly counts = new Map<string, number>();
  /** Milliseconds by name of the measurement. */
  readonly times = new Map<string, number[]>();

  private constructor(
    private readonly running: { readonly server: TestServer; readonly cookie: string } | undefined,
    readonly pageUrl: string,
    readonly close: () => void,
  ) {}

  /** @param server none for campaigns that start and kill server processes themselves */
  static async open(server: TestServer | undefined): Promise<CampaignFixture> {
    const page = await serveHtml(PAGE);
    const running = server && { server, cookie: await server.signIn() };
    return new CampaignFixture(running, `http://127.0.0.1:${page.port}/`, page.close);
  }

  get server(): TestServer {
    return this.#there.server;
  }

  /** Cookie of the owner, signed in. */
  get cookie(): string {
    return this.#there.cookie;
  }

  get #there(): NonNullable<CampaignFixture['running']> {
    if (!this.running) throw new Error('A bare ground has no server.');
    return this.running;
  }

  /** Creates a session that shows the page. */
  async session(policy: object = {}): Promise<string> {
    const { status, body } = await this.server.api('POST', '/api/v1/sessions', { url: this.pageUrl, policy });
    if (status !== 201) throw new Error(`A session was answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    return sessionSchema.parse(body).id;
  }

  act(session: string, action: object): Promise<Reply> {
    return this.server.act(session, action);
  }

  /** The value of the page's field, read past all doors and queues. */
  async field(session: string): Promise<string> {
    const { sentinel } = this.inside(session).activeSessionTab().tab.sessions;
    return String(
      (
        await sentinel.send('Runtime.evaluate', {
          expression: 'document.querySelector("#f").value',
          returnByValue: true,
        })
      ).result.value,
    );
  }

  /** Counts an event of a campaign for its summary. */
  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  /** Records a time for the summary; nothing is asserted about it, since the machine may be busy. */
  took(what: string, ms: number): void {
    this.times.set(what, [...(this.times.get(what) ?? []), ms]);
  }

  /** The session object of the server, for faults that no door can cause. */
  inside(session: string): Session {
    const { hub, access } = this.server.running.services;
    return hub.get(access.owner.workspace, session);
  }

  /** The process of the only running Chrome. */
  async chromePid(): Promise<number> {
    const { store, access } = this.server.running.services;
    const [record] = await store.browsers.listOpen(access.owner.workspace);
    if (!record || record.pid === null) throw new Error('No Chrome of ours is running.');
    return record.pid;
  }

  /** The total of a counter of `/metrics`, over all its labels. */
  async total(name: string): Promise<number> {
    return (await this.server.running.services.metrics.totals())[`wheelhouse_${name}`] ?? 0;
  }
}

/**
 * Whether `work` came before a marker timer of `ms`, and after how many milliseconds: a bound is asserted as an order
 * of events, not as a measured time.
 */
export async function before<T>(
  ms: number,
  work: Promise<T>,
): Promise<{ readonly value: T; readonly late: boolean; readonly ms: number }> {
  const start = performance.now();
  let late = false;
  const marker = setTimeout(() => (late = true), ms);
  const value = await work;
  clearTimeout(marker);
  return { value, late, ms: performance.now() - start };
}
