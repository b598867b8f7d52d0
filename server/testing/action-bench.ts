import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { ResolvedTarget, HandlerResult } from '@/server/actions/context';
import { runHandler } from '@/server/actions/registry';
import { searchUrl } from '@/lib/actions/search-engines';
import { parseAction } from '@/lib/actions/parse';
import { Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { axText } from '@/lib/snapshot/ax-node';
import { asWheelhouseError, type WheelhouseError } from '@/lib/errors/error';
import { settle, type Settled } from '@/server/browser/settle';
import type { FrameView } from '@/server/browser/frames/tab-frames';
import { RendererGroups } from '@/server/browser/renderer-group';
import { Tab } from '@/server/browser/tab';
import type { TabSessions } from '@/server/browser/tab-sessions';
import { fencedSession, type FencedSession } from '@/server/browser/write';
import type { CdpSession } from '@/server/cdp/session';
import { closeLanes, openLanes, type Lanes } from '@/server/cdp/lanes';
import { TIMINGS } from '@/server/config/timings';
import { bareContext } from './bare-context';
import { sharedTestChrome } from './chrome';

/** The result of one action: its outcome or error, its targets, and how the page settled. */
export interface Acted {
  readonly outcome?: HandlerResult;
  readonly error?: WheelhouseError;
  readonly targets: ResolvedTarget[];
  readonly settled?: Settled;
  readonly ms: number;
}

/** One request that the bench's server received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

const VIEWPORT = { width: 800, height: 600 } as const;

/**
 * One real tab, in a context of its own of the worker's Chrome, on tiny pages from loopback, and the handlers without
 * the session around them: for tests.
 */
export class ActionBench {
  readonly #pages = new Map<string, string>();
  /** Called before every write; throw to simulate a takeover. */
  fence: (method: string) => void = () => undefined;

  private constructor(
    readonly lanes: Lanes,
    readonly tab: Tab,
    /** Serves the pages; `elsewhere` is the same server as another site. */
    readonly origin: string,
    readonly close: () => Promise<void>,
    pages: Map<string, string>,
    /** The requests that the server received since the page was shown, in order. */
    readonly asked: ReceivedRequest[],
    /** Address of its Chrome. */
    readonly wsUrl: string,
  ) {
    this.#pages = pages;
  }

  /** @param hangTiming when its page and frames count as hung; the product's when absent */
  static async open(hangTiming = TIMINGS.hang): Promise<ActionBench> {
    const pages = new Map<string, string>();
    const asked: ReceivedRequest[] = [];
    const [chrome, server] = await Promise.all([sharedTestChrome(), serve(pages, asked)]);
    const budget = newBudget(15_000);
    const lanes = await openLanes(budget, chrome.wsUrl, {});
    const { browser } = lanes.commands;
    const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true });
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const shared = { opener: undefined, contextId: browserContextId, url: 'about:blank', title: '', lastRefNumber: 0 };
    const tab = await Tab.attach({
      id: 't1',
      targetId,
      lanes,
      clock: monotonicClock,
      renderers: new RendererGroups(monotonicClock, hangTiming),
      viewport: VIEWPORT,
      count: () => undefined,
      ended: () => undefined,
      ...shared,
    });
    await tab.start();
    budget.dispose();
    const close = async (): Promise<void> => {
      tab.dispose();
      await browser.send('Target.disposeBrowserContext', { browserContextId });
      closeLanes(lanes);
      server.close();
      server.closeAllConnections();
    };
    return new ActionBench(lanes, tab, originOf(server), close, pages, asked, chrome.wsUrl);
  }

  /** The same pages as another site: Chrome gives its frames a process of their own. */
  get elsewhere(): string {
    return this.origin.replace('127.0.0.1', 'localhost');
  }

  /**
   * Loads a page in place of the present one; `others` are further paths of the same site: documents, and scripts where
   * they end in `.js`. What a test that failed has left is gone: its fence, dialog, loop, held keys and buttons.
   */
  async show(body: string, others: Record<string, string> = {}): Promise<void> {
    this.fence = () => undefined;
    if (this.tab.dialogs.current) await this.tab.dialogs.answer(undefined, { accept: true });
    if (!(await this.tab.sentinel.answers(2_000))) await this.tab.sentinel.terminate(10_000);
    await this.tab.input.releaseAll(this.write);
    this.#pages.clear();
    this.asked.length = 0;
    this.#pages.set('/', document(body));
    for (const [path, text] of Object.entries(others))
      this.#pages.set(path, path.endsWith('.js') ? text : document(text));
    const budget = newBudget(10_000);
    const { loaderId } = await this.tab.sessions.commands.send('Page.navigate', { url: `${this.origin}/` });
    await this.tab.page.waitFor(budget, 'load', loaderId);
    budget.dispose();
  }

  /** Waits until the server has received a request for each of these paths; returns the first for each. */
  async until(...paths: string[]): Promise<ReceivedRequest[]> {
    for (;;) {
      const found = paths.flatMap((path) => this.asked.find((one) => one.path === path) ?? []);
      if (found.length === paths.length) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Runs one action as a door would pass it on, and settles. Never throws what the action throws. */
  async run(input: unknown, options: { timeoutMs?: number; settle?: boolean } = {}): Promise<Acted> {
    const action = parseAction(input);
    const budget = newBudget(options.timeoutMs ?? 8_000);
    const targets: ResolvedTarget[] = [];
    const engines = new Map([['web', `${this.origin}/found?q=%s`]]);
    const context = {
      ...bareContext(this.tab, budget, this.write, (resolved) => void targets.push(resolved)),
      searchUrl: (query: string, engine: string | undefined) => searchUrl(engines, query, engine),
    };
    const start = performance.now();
    try {
      const outcome = await runHandler(context, action);
      const settled = options.settle === true ? await settle(budget, this.tab) : undefined;
      return { outcome, targets, ms: performance.now() - start, ...(settled ? { settled } : {}) };
    } catch (error) {
      return { error: asWheelhouseError(error), targets, ms: performance.now() - start };
    } finally {
      budget.dispose();
    }
  }

  /** The value of an expression in the page's own world. */
  async read(expression: string): Promise<unknown> {
    const answer = await this.tab.sessions.evaluate.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    const value: unknown = answer.result.value;
    return value;
  }

  /**
   * Gives a ref to the element that an expression returns, as a snapshot would. `frame`: name of the same-process frame
   * that holds it.
   */
  async ref(expression: string, frame?: string): Promise<string> {
    const { targetId, sessions } = this.tab;
    return this.#assign(sessions.bulk, expression, { targetId, ...(await this.#documentOf(frame)) });
  }

  /** The frame that shows a path, in whatever process, once it has loaded. */
  async frame(path: string): Promise<FrameView & { readonly sessions: TabSessions }> {
    const { frames } = this.tab;
    for (;;) {
      const found = frames.list().find(({ url, loaderId }) => loaderId !== '' && new URL(url).pathname === path);
      const sessions = found?.sessions;
      if (found && sessions) {
        const { result } = await sessions.evaluate.send('Runtime.evaluate', { expression: 'document.readyState' });
        if (result.value === 'complete') return { ...found, sessions };
      }
      await new Promise<void>((resolve) => {
        const off = frames.onChange.on(() => resolve(off()));
        setTimeout(resolve, 50);
      });
    }
  }

  /** The value of an expression in the own process of the frame that shows a path. */
  async readIn(path: string, expression: string): Promise<unknown> {
    const { sessions } = await this.frame(path);
    const { result } = await sessions.evaluate.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    const value: unknown = result.value;
    return value;
  }

  /** Gives a ref to the element that an expression returns in the process of the frame that shows a path. */
  async refIn(path: string, expression: string): Promise<string> {
    const { sessions, targetId, frameId, loaderId } = await this.frame(path);
    return this.#assign(sessions.bulk, expression, { targetId, frameId, loaderId });
  }

  /** A fenced session, for using input directly. */
  get write(): FencedSession {
    return fencedSession(this.tab.sessions.commands, (session) => async (method, ...params) => {
      this.fence(method);
      return session.send(method, ...params);
    });
  }

  async #assign(
    bulk: CdpSession,
    expression: string,
    document: { targetId: string; frameId: string; loaderId: string },
  ): Promise<string> {
    const { result } = await bulk.send('Runtime.evaluate', { expression });
    if (result.objectId === undefined) throw new Error(`Nothing is at ${expression}.`);
    const { node } = await bulk.send('DOM.describeNode', { objectId: result.objectId });
    const { nodes } = await bulk.send('Accessibility.getPartialAXTree', {
      backendNodeId: node.backendNodeId,
      fetchRelatives: false,
    });
    const [said] = nodes;
    return this.tab.refs.assign({
      ...document,
      backendNodeId: node.backendNodeId,
      role: axText(said?.role),
      name: axText(said?.name),
      nth: 0,
    });
  }

  async #documentOf(name: string | undefined): Promise<{ frameId: string; loaderId: string }> {
    const { frameId, loaderId } = this.tab.page.document;
    if (name === undefined) return { frameId, loaderId };
    const { frameTree } = await this.tab.sessions.bulk.send('Page.getFrameTree');
    const child = frameTree.childFrames?.find(({ frame }) => frame.name === name);
    if (!child) throw new Error(`No frame is called ${name}.`);
    return { frameId: child.frame.id, loaderId: child.frame.loaderId };
  }
}

export function newBudget(timeoutMs: number): Budget {
  return new Budget({ timeoutMs, clock: monotonicClock });
}

function document(body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>body { margin: 0; font: 16px sans-serif }</style><body>${body}</body>`;
}

async function serve(pages: ReadonlyMap<string, string>, asked: ReceivedRequest[]): Promise<Server> {
  const server = createServer(({ url = '/', headers }, response) => {
    const page = pages.get(url);
    asked.push({ path: url, headers });
    response
      .writeHead(page === undefined ? 404 : 200, {
        'content-type': `${url.endsWith('.js') ? 'text/javascript' : 'text/html'}; charset=utf-8`,
      })
      .end(page ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return `http://127.0.0.1:${address.port}`;
}
