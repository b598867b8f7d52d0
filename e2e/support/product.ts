import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { test as base, devices, expect, type BrowserContext, type Page } from '@playwright/test';
import { LOCALE_COOKIE } from '@/components/messages/locale';
import { startDemoSite } from '@/server/demo/site';
import { NO_SPARE } from '@/server/testing/chrome-args';
import { startOidcProvider, type TestProvider } from '@/server/testing/oidc-provider';
import { LOOKS, lookOf, nameOf, windowOf, type Look, type Size } from './look';
import { wordsIn, type Words } from './words';

const KEY = 'wh_key_of_the_browser_stories';
const READY_MS = 60_000;
/** The domain whose people the provider lets in. */
export const DOMAIN = 'clay.example';

/**
 * The product nearly as its user starts it: the built server in a process of its own, on a free port, with an empty
 * data directory. Other than a user's, its Chrome keeps no renderer in reserve (`NO_SPARE`), and it has limits for many
 * sessions.
 */
export class ProductFixture {
  private constructor(
    private child: ChildProcess,
    readonly origin: string,
    /** The link that the last start printed. */
    public printedLink: string,
    readonly dataDir: string,
    private readonly settings: Settings,
  ) {}

  static async start(settings: Settings = {}): Promise<ProductFixture> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'wheelhouse-story-'));
    const child = startServer(dataDir, '0', settings);
    const link = await linkOf(child);
    return new ProductFixture(child, new URL(link).origin, link, dataDir, settings);
  }

  /** A fresh sign-in link, printed by the product's own command beside the running server. */
  async freshLink(): Promise<string> {
    const { port } = new URL(this.origin);
    const env = {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production' as const,
      PORT: port,
      DATA_DIR: this.dataDir,
      LOG_LEVEL: 'warn',
    };
    return linkOf(
      spawn(process.execPath, ['dist/server.mjs', '--link'], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
  }

  /** One call of the HTTP API by key, as an agent makes it. */
  async api(method: string, route: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}${route}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'x-agent': 'story-bot', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  async session(url: string, name: string): Promise<string> {
    return textField(await this.api('POST', '/api/v1/sessions', { url, name }), 'id');
  }

  /**
   * Ends the sessions of a finished story, as its person: their pages are painted whether or not somebody watches, and
   * would slow down every later story.
   */
  async endSessions({ request }: BrowserContext): Promise<void> {
    const sessions = `${this.origin}/api/v1/sessions`;
    const all: unknown = await (await request.get(sessions)).json();
    const headers = { origin: this.origin };
    for (const one of Array.isArray(all) ? all : [])
      await request.delete(`${sessions}/${textField(one, 'id')}`, { headers });
  }

  act(session: string, action: unknown): Promise<unknown> {
    return this.api('POST', `/api/v1/sessions/${session}/tabs/active/act`, action);
  }

  /** Whether the state that restores this session is on disk (BR5). */
  hasSaved(session: string): boolean {
    return existsSync(path.join(this.dataDir, 'saved', `${session}.sealed`));
  }

  /** Kills every Chrome of this product, as a crash would (Linux). */
  killChromes(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = commandOf(pid);
      if (command.includes(`--user-data-dir=${this.dataDir}`) && !command.includes('--type='))
        process.kill(Number(pid), 'SIGKILL');
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const gone = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.kill(signal);
    await gone;
  }

  /** Kills the server, and starts it again on the same port and data. */
  async restart(signal: NodeJS.Signals): Promise<void> {
    await this.kill(signal);
    this.child = startServer(this.dataDir, new URL(this.origin).port, this.settings);
    this.printedLink = await linkOf(this.child);
  }

  /** Stops the server and the Chromes it started. */
  async stop(): Promise<void> {
    const browsers = await this.api('GET', '/api/v1/browsers');
    for (const browser of Array.isArray(browsers) ? browsers : [])
      await this.api('DELETE', `/api/v1/browsers/${textField(browser, 'id')}`);
    await this.kill('SIGTERM');
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process ended in this moment.
    return '';
  }
}

/** Variables of the server. */
type Settings = Readonly<Record<string, string>>;

function startServer(dataDir: string, port: string, settings: Settings): ChildProcess {
  const chrome = process.env['WHEELHOUSE_TEST_CHROME'];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    NODE_ENV: 'production' as const,
    PORT: port,
    DATA_DIR: dataDir,
    WHEELHOUSE_API_KEY: KEY,
    LOG_LEVEL: 'warn',
    LIMITS: 'sessions=200 sessions-server=200',
    CHROME_ARGS: NO_SPARE,
    ...(chrome === undefined ? {} : { CHROME_PATH: chrome }),
    ...settings,
  };
  return spawn(process.execPath, ['dist/server.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

export function textField(value: unknown, name: string): string {
  const found = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
  if (typeof found === 'string') return found;
  throw new Error(`No "${name}" in ${JSON.stringify(value)}`);
}

async function linkOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output.');
  const late = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    const link = /^Open (http\S+)$/.exec(line)?.[1];
    if (link === undefined) continue;
    clearTimeout(late);
    child.stdout.resume();
    return link;
  }
  throw new Error('The server ended before it printed its link.');
}

interface Shared {
  product: ProductFixture;
  /** The provider with which people can sign in. */
  provider: TestProvider;
  /** The windows of the signed-in person, on a desk. */
  windows: BrowserContext;
  /** The same person's phone. */
  phone: BrowserContext;
  /** Starts to serve a page with that body; returns its address. */
  serve: (body: string) => string;
  /** Address of the demo's shop, which runs here without the demo's agent. */
  shop: string;
}

/** The fixtures and options of each story. */
export interface Each {
  /** The name of the combination to play; empty: the one that belongs to the story. */
  combination: string;
  /** The sizes that the story knows. */
  sizes: readonly Size[];
  look: Look;
  /** The texts of the interface in the story's language. */
  t: Words;
  person: Page;
  /** Opens a page in a browser of somebody else, which looks like the person's. */
  stranger: () => Promise<Page>;
}

/**
 * One product, shop and signed-in person for all stories of a worker; each story has a window of its own, and its
 * sessions and the settings of the interface end with it.
 */
export const test = base.extend<Each, Shared>({
  serve: [
    async ({}, use) => {
      const bodies: string[] = [];
      const site = createServer(({ url = '' }, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><meta charset="utf-8"><title>Plain</title><body>${bodies[Number(url.slice(1))] ?? ''}`),
      );
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      const address = site.address();
      await use(
        (body) =>
          `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}/${bodies.push(body) - 1}`,
      );
      site.closeAllConnections();
      site.close();
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({}, use) => {
      const site = await startDemoSite();
      await use(site.url);
      await site.close();
    },
    { scope: 'worker' },
  ],
  provider: [
    async ({}, use) => {
      const provider = await startOidcProvider();
      await use(provider);
      provider.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ provider }, use) => {
      const product = await ProductFixture.start({
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        OIDC_DOMAINS: DOMAIN,
      });
      provider.leadsTo(`${product.origin}/api/v1/sign-in/oidc/callback`);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  windows: [
    async ({ browser, product }, use) => {
      const windows = await browser.newContext(devices['Desktop Chrome']);
      const page = await windows.newPage();
      await page.goto(await product.freshLink());
      await page.close();
      await use(windows);
      await windows.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  phone: [
    async ({ browser, windows }, use) => {
      const phone = await browser.newContext({
        ...devices['Desktop Chrome'],
        hasTouch: true,
        isMobile: true,
        storageState: await windows.storageState(),
      });
      await use(phone);
      await phone.close();
    },
    { scope: 'worker' },
  ],
  combination: ['', { option: true }],
  sizes: [['desk', 'tablet', 'phone'], { option: true }],
  look: async ({ combination, sizes }, use, { title, skip }) => {
    const look = LOOKS.find((one) => nameOf(one) === combination) ?? lookOf(title, sizes);
    skip(!sizes.includes(look.size), 'This story has sizes of its own.');
    process.stdout.write(`${nameOf(look)}: ${title}\n`);
    await use(look);
  },
  t: async ({ look }, use) => use(wordsIn(look.locale)),
  person: async ({ product, windows, phone, look }, use) => {
    const page = await openIn(look.size === 'phone' ? phone : windows, look, product.origin);
    await use(page);
    if (page.url() !== 'about:blank') await page.evaluate(() => localStorage.clear());
    await page.close();
    await product.endSessions(windows);
  },
  stranger: async ({ browser, look }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ ...devices['Desktop Chrome'], ...windowOf(look) });
      opened.push(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
});

/** A page of a browser that other stories use, too, in which the interface looks as this story wants it. */
async function openIn(context: BrowserContext, look: Look, origin: string): Promise<Page> {
  const { viewport, colorScheme } = windowOf(look);
  await context.addCookies([{ name: LOCALE_COOKIE, value: look.locale, url: origin }]);
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  return page;
}

export { expect };
