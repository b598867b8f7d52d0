import { createServer, type Server } from 'node:http';
import { createBudget, type Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { CdpConnection } from '@/server/cdp/connection';
import { CdpError } from '@/server/cdp/protocol';
import { CdpSession } from '@/server/cdp/session';
import { RefTable } from '@/server/browser/refs';
import { DEFAULT_SNAPSHOT_CACHE_BYTES, SnapshotCache } from '@/server/browser/snapshot/snapshot-cache';
import { TabSnapshots } from '@/server/browser/snapshot/tab-snapshots';
import { sharedTestChrome } from './chrome';

/** A page without out-of-process frames. */
export const NO_OTHERS = { targets: () => [], of: () => undefined } as const;

/** A tab with its snapshots; its refs follow replaced documents as in the product. */
export interface SnapshotPage {
  readonly targetId: string;
  /** The commands session, as an agent would act. */
  readonly acting: CdpSession;
  readonly bulk: CdpSession;
  readonly refs: RefTable;
  readonly snapshots: TabSnapshots;
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>;
  run(expression: string): Promise<unknown>;
}

/**
 * A context of its own in the worker's Chrome, a bulk and an acting lane, and a loopback site of the pages given by
 * path.
 */
export class SnapshotFixture {
  #site: Server | undefined;
  readonly #pages = new Map<string, string>();
  readonly #made: SnapshotPage[] = [];
  /** Targets that show a page of an earlier test. */
  readonly #free: string[] = [];
  origin = '';

  private constructor(
    private readonly acting: CdpConnection,
    private readonly bulk: CdpConnection,
    private readonly contextId: string,
  ) {}

  static async open(): Promise<SnapshotFixture> {
    const chrome = await sharedTestChrome();
    const budget = budgetOf(15_000);
    const acting = await CdpConnection.open(budget, chrome.wsUrl, { lane: 'commands' });
    const bulk = await CdpConnection.open(budget, chrome.wsUrl, { lane: 'bulk' });
    budget.dispose();
    const { browserContextId } = await acting.browser.send('Target.createBrowserContext', { disposeOnDetach: true });
    const fixture = new SnapshotFixture(acting, bulk, browserContextId);
    await fixture.#serve();
    return fixture;
  }

  /** Serves `html` at `path` and gives its address. */
  put(path: string, html: string): string {
    this.#pages.set(path, html);
    return `${this.origin}${path}`;
  }

  /** `snapshotCache`: where its snapshots are kept. */
  async page(html?: string, snapshotCache = new SnapshotCache(DEFAULT_SNAPSHOT_CACHE_BYTES)): Promise<SnapshotPage> {
    const targetId = (html === undefined ? undefined : this.#free.pop()) ?? (await this.#newTarget());
    const [acting, bulk] = await Promise.all([this.acting.attach(targetId), this.bulk.attach(targetId)]);
    await acting.send('Page.enable');
    await acting.send('Emulation.setDeviceMetricsOverride', {
      width: 800,
      height: 600,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await bulk.send('DOM.enable');
    const refs = new RefTable({ firstNumber: 1 });
    let document = { frameId: targetId, loaderId: '', url: 'about:blank' };
    acting.on('Page.frameNavigated', ({ frame }) => {
      refs.documentReplaced(frame.id, frame.loaderId);
      if (frame.parentId === undefined) document = { frameId: frame.id, loaderId: frame.loaderId, url: frame.url };
    });
    const snapshots = new TabSnapshots({
      session: bulk,
      refs,
      targetId,
      clock: monotonicClock,
      frames: NO_OTHERS,
      currentDocument: () => document,
      title: () => 'A title',
      snapshotCache,
    });
    const run = async (expression: string): Promise<unknown> => {
      const answer = await acting.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      return answer.result.value;
    };
    const goto = async (url: string): Promise<void> => {
      const loaded = new Promise<void>((resolve) => {
        const off = acting.on('Page.loadEventFired', () => {
          off();
          resolve();
        });
      });
      await acting.send('Page.navigate', { url });
      await loaded;
    };
    const made = { targetId, acting, bulk, refs, snapshots, goto, run };
    this.#made.push(made);
    if (html !== undefined) await goto(this.put(`/${targetId}`, html));
    return made;
  }

  /** After a test: its pages end, and later ones show in their tabs, since a new tab would be a process more. */
  async endPages(): Promise<void> {
    for (const { targetId, acting, bulk, snapshots } of this.#made.splice(0)) {
      snapshots.dispose();
      if (acting.ended) continue;
      await Promise.all([this.acting.detach(acting), this.bulk.detach(bulk)]);
      this.#free.push(targetId);
    }
  }

  async #newTarget(): Promise<string> {
    const { targetId } = await this.acting.browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: this.contextId,
    });
    return targetId;
  }

  /** The page's bulk session with one method refused by Chrome; everything else is real. */
  refusing(page: SnapshotPage, method: string): CdpSession {
    return this.#through(page, (wanted, send) =>
      wanted === method ? Promise.reject(new CdpError(method, -32_000, 'refused by the test')) : send(),
    );
  }

  /**
   * The page's bulk session; notes each command when it is sent and answered: `+ Page.getFrameTree`, `-
   * Page.getFrameTree`.
   */
  noting(page: SnapshotPage, notes: string[]): CdpSession {
    return this.#through(page, async (method, send) => {
      notes.push(`+ ${method}`);
      const answer = await send();
      notes.push(`- ${method}`);
      return answer;
    });
  }

  #through(page: SnapshotPage, pass: (method: string, send: () => Promise<unknown>) => Promise<unknown>): CdpSession {
    const wire = {
      request: (sessionId: string | undefined, method: string, params: unknown): Promise<unknown> =>
        pass(method, () => this.bulk.request(sessionId, method, params)),
      failPending: (): void => undefined,
      forget: (): void => undefined,
      countFailure: (): void => undefined,
      fault: (): void => undefined,
    };
    return new CdpSession(wire, page.bulk.id, page.targetId);
  }

  async close(): Promise<void> {
    await this.acting.browser.send('Target.disposeBrowserContext', { browserContextId: this.contextId });
    this.acting.close();
    this.bulk.close();
    this.#site?.close();
    this.#site?.closeAllConnections();
  }

  async #serve(): Promise<void> {
    const site = createServer((request, response) => {
      const html = this.#pages.get(new URL(request.url ?? '/', 'http://site').pathname);
      response
        .writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(html ?? '');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const address = site.address();
    if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
    this.#site = site;
    this.origin = `http://127.0.0.1:${address.port}`;
  }
}

/** A budget on the real clock; its timer does not keep a test alive. */
export function budgetOf(timeoutMs: number): Budget {
  return createBudget({ timeoutMs, clock: monotonicClock });
}
