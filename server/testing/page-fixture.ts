import { createServer } from 'node:http';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { CdpConnection } from '@/server/cdp/connection';
import type { CdpSession } from '@/server/cdp/session';
import { sharedTestChrome, type TestChrome } from './chrome';

const CONNECT_MS = 15_000;

/** A page that also paints in the background, as every tab of the product does (SE3). */
export interface FixturePage {
  readonly targetId: string;
  readonly contextId: string;
  readonly session: CdpSession;
  /** Runs an expression, awaits its promise, and returns its value. */
  run(expression: string): Promise<unknown>;
  /** Resolves when the page has painted `count` more frames. */
  painted(count: number): Promise<void>;
}

export interface PageOptions {
  /** A context of its own if absent. */
  readonly contextId?: string;
  /** CSS pixels; 800 x 600 if absent. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A real Chrome with a commands and a pictures lane, for tests and benchmarks. */
export class PageFixture {
  private constructor(
    readonly wsUrl: string,
    readonly commands: CdpConnection,
    readonly pictures: CdpConnection,
    private readonly chrome: TestChrome,
    readonly close: () => Promise<void>,
  ) {}

  /** @param starting of a Chrome that this fixture closes; the worker's when absent */
  static async open(starting: Promise<TestChrome> = sharedTestChrome()): Promise<PageFixture> {
    const chrome = await starting;
    const budget = createBudget({ timeoutMs: CONNECT_MS, clock: monotonicClock });
    const commands = await CdpConnection.open(budget, chrome.wsUrl, { lane: 'commands' });
    const pictures = await CdpConnection.open(budget, chrome.wsUrl, { lane: 'pictures' });
    budget.dispose();
    return new PageFixture(chrome.wsUrl, commands, pictures, chrome, async () => {
      commands.close();
      pictures.close();
      await chrome.close();
    });
  }

  /** Stops Chrome's own process until `goOn`. */
  pause(): void {
    this.chrome.process.kill('SIGSTOP');
  }

  goOn(): void {
    this.chrome.process.kill('SIGCONT');
  }

  async page(html: string, options: PageOptions = {}): Promise<FixturePage> {
    const { browser } = this.commands;
    const viewport = options.viewport ?? { width: 800, height: 600 };
    const browserContextId =
      options.contextId ??
      (await browser.send('Target.createBrowserContext', { disposeOnDetach: true })).browserContextId;
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const session = await this.commands.attach(targetId);
    await session.send('Page.enable');
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await session.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false });
    await session.send('Page.setDocumentContent', { frameId: targetId, html });
    const run = async (expression: string): Promise<unknown> => {
      const answer = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      return answer.result.value;
    };
    const painted = async (count: number): Promise<void> => {
      await run(
        `new Promise((done) => { let left = ${count}; const step = () => (left-- > 0 ? requestAnimationFrame(step) : done()); step(); })`,
      );
    };
    return { targetId, contextId: browserContextId, session, run, painted };
  }

  /** Closes all pages of a page's context: an animation costs a core as long as its page is open. */
  async closeContext({ contextId }: FixturePage): Promise<void> {
    await this.commands.browser.send('Target.disposeBrowserContext', { browserContextId: contextId });
  }
}

/** Serves one HTML on a loopback port; `127.0.0.1` and `localhost` are two sites to Chrome. */
export async function serveHtml(html: string): Promise<{ port: number; close: () => void }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    port: address.port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
