import axe from 'axe-core';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { STRANGE } from '@/server/demo/pages/playground';
import { startDemoSite, type DemoSite } from '@/server/demo/site';
import { sized } from '@/server/testing/sized';
import { sharedTestChrome, type TestChrome } from '@/server/testing/chrome';

/** The pages as a real Chrome sees them. */

// Chrome and child processes share few cores with everything else here.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let chrome: TestChrome;
let browser: Browser;
let site: DemoSite;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  chrome = await sharedTestChrome();
  browser = await puppeteer.connect({ browserWSEndpoint: chrome.wsUrl, defaultViewport: { width: 1280, height: 720 } });
  context = await browser.createBrowserContext();
  page = await context.newPage();
});
afterAll(async () => {
  await context.close();
  await browser.disconnect();
  await chrome.close();
});
/** A visitor who has not been here before, in the one page. */
beforeEach(async () => {
  site = await startDemoSite();
  await context.deleteCookie(...(await context.cookies()));
});
afterEach(async () => {
  for (const event of ['dialog', 'popup', 'console'] as const) page.removeAllListeners(event);
  await page.goto('about:blank');
  await site.close();
});

async function counts(): Promise<Record<string, number>> {
  const response = await fetch(`${site.url}/__effects`);
  return response.json();
}

/** Acts, and waits for the page that follows. */
async function follow(act: Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForNavigation(), act]);
}

async function addToCart(slug: string): Promise<void> {
  await page.goto(`${site.url}/products/${slug}`);
  await follow(page.locator('aria/Add to cart[role="button"]').click());
}

/** What axe says of a page. */
const results = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** Settles behind everything that the page has queued so far. */
const LATER = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve, 0), 0)))';

const PAGES = [
  '/',
  '/plants',
  '/pots',
  '/search?q=fern',
  '/search?q=zzz',
  '/products/monstera',
  '/cart',
  '/checkout',
  '/care',
  '/size-guide',
  '/playground',
  '/hang',
  '/strange-text',
  '/frames/reviews?product=monstera',
  '/frames/delivery-map',
];

describe('the shop in Chrome', () => {
  it('[DM1] is searched, bought from and paid at by labels alone', async () => {
    await page.goto(site.url);
    await page.locator('aria/Search plants and pots').fill('fern');
    await follow(page.locator('aria/Search[role="button"]').click());
    await follow(page.locator('aria/Boston fern').click());
    await page.locator('aria/Medium, 17 cm £24.50').click();
    await follow(page.locator('aria/Add to cart[role="button"]').click());
    await follow(page.locator('aria/Go to checkout').click());
    const texts = {
      'Full name': 'Lin Yue',
      Email: 'lin@example.org',
      'Street and number': '12 Harbour Road',
      'Town or city': 'Bristol',
      Postcode: 'BS1 4QA',
      'Card number': '4242 4242 4242 4242',
      'Expiry (MM/YY)': '12/40',
      'Security code': '123',
    };
    for (const [label, text] of Object.entries(texts)) await page.locator(`aria/${label}`).fill(text);
    await page.locator('aria/Country').fill('IE');
    await page.locator('aria/Express').click();
    await page.locator('aria/Delivery date').fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10));
    await page.locator('aria/This is a gift: leave out the prices').click();
    await page.locator('aria/I agree to the terms of sale').click();
    await follow(page.locator('aria/Place order').click());

    expect(new URL(page.url()).pathname).toMatch(/^\/orders\/FF-/);
    expect(await page.$eval('main', (main) => main.innerText)).toMatch(
      /Thank you, Lin Yue[\s\S]*Boston fern, Medium[\s\S]*Express delivery[\s\S]*Ireland[\s\S]*Prices left out/,
    );
    expect(await counts()).toMatchObject({ searches: 1, addToCart: 1, orderAttempts: 1, orders: 1 });
  });

  it("[DM1] shows the server's complaints beside each field and in a list", async () => {
    await addToCart('monstera');
    await page.goto(`${site.url}/checkout`);

    await follow(page.locator('aria/Place order').click());

    expect(await page.$$eval('[aria-invalid="true"]', (fields) => fields.map(({ id }) => id))).toEqual([
      'fullName',
      'email',
      'street',
      'city',
      'postcode',
      'country',
      'deliveryDate',
      'cardNumber',
      'cardExpiry',
      'cardCode',
      'terms',
    ]);
    expect(await page.$$eval('[role="alert"] li', (items) => items.length)).toBe(11);
  });

  it.each([
    ['accepts', true, 1],
    ['declines', false, 0],
  ] as const)(
    '[DM1] asks in a dialog before it removes an article from the cart: a visitor who %s',
    async (_word, accept, removed) => {
      await addToCart('monstera');
      const asked = new Promise<string>((resolve) => {
        page.once(
          'dialog',
          (dialog) => void (accept ? dialog.accept() : dialog.dismiss()).then(() => resolve(dialog.message())),
        );
      });

      const clicked = page.locator('aria/Remove Monstera deliciosa').click();
      if (accept) await follow(clicked);
      await clicked;

      expect(await asked).toBe('Remove Monstera deliciosa from your cart?');
      expect(await counts()).toMatchObject({ removeFromCart: removed });
    },
  );

  it('[DM1] opens alert, confirm and prompt on the playground, and shows the answer', async () => {
    await page.goto(`${site.url}/playground`);
    const seen: string[] = [];
    page.on('dialog', (dialog) => {
      seen.push(dialog.type());
      void dialog.accept('Ada');
    });

    for (const name of ['Show an alert', 'Ask to confirm', 'Ask for a name'])
      await page.locator(`aria/${name}`).click();

    await page.waitForFunction(() => document.getElementById('answer')?.textContent === 'Ada');
    expect(seen).toEqual(['alert', 'confirm', 'prompt']);
  });

  it('[DM1] opens the size guide in a window of its own, and closes it from inside', async () => {
    await page.goto(`${site.url}/products/monstera`);
    const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve));

    await page.locator('aria/Size guide[role="button"]').click();
    const popup = await opened;
    const button = await popup?.waitForSelector('aria/Close this window');
    const closed = new Promise<void>((resolve) => popup?.once('close', () => resolve()));
    const title = await popup?.title();
    // The window may be gone before Chrome has acknowledged the click in it; a locator would then look for its button
    // for half a minute.
    void button?.click().catch(() => undefined);
    await closed;

    expect(title).toBe('Size guide · Fern & Field');
  });

  it('[DM1] shows reviews in a frame of the same site, where a click counts once', async () => {
    await page.goto(`${site.url}/products/monstera`);
    const frame = await page.waitForFrame((candidate) => candidate.url().includes('/frames/reviews'));

    await Promise.all([frame.waitForNavigation(), frame.locator('aria/These reviews are helpful').click()]);

    expect(await frame.$eval('[role="status"]', (said) => said.textContent)).toBe('Thank you for telling us.');
    expect(await counts()).toMatchObject({ helpfulVotes: 1 });
  });

  it('[EV3] really hangs at a button, until the script is ended from outside', async () => {
    await page.goto(`${site.url}/hang`);
    const session = await page.createCDPSession();
    await page.locator('aria/Start the endless loop').click();

    const asked = session.send('Runtime.evaluate', { expression: LATER, awaitPromise: true }).then(
      () => 'answered',
      () => 'answered',
    );
    const first = await Promise.race([asked, silence(500)]);
    await session.send('Runtime.terminateExecution');
    await asked;
    await page.locator('aria/Count a tap').click();

    expect(first).toBe('silent');
    expect(await page.$eval('#taps', (taps) => taps.textContent)).toBe('1');
  });

  it('[EV3] hangs while it loads, at another address', async () => {
    const session = await page.createCDPSession();
    await session.send('Page.navigate', { url: `${site.url}/hang/on-load` });
    await page.waitForResponse((response) => response.url().endsWith('/assets/endless.js')).catch(() => undefined);

    const asked = session.send('Runtime.evaluate', { expression: 'document.readyState' }).then(
      () => 'answered',
      () => 'answered',
    );
    const first = await Promise.race([asked, silence(500)]);
    await session.send('Runtime.terminateExecution');

    expect(first).toBe('silent');
    expect(await page.$eval('main', (main) => main.innerText)).toContain('Nobody ever reads this.');
  });

  it('[GU3] has markup and bidi text in its title and console, as text', async () => {
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));

    await page.goto(`${site.url}/strange-text`);

    expect(await page.title()).toBe(`${STRANGE} · Fern & Field`);
    expect(said.slice(0, 2)).toEqual([STRANGE, `warning: ${STRANGE}`]);
    expect(await page.$$('main b, main img')).toEqual([]);
  });

  it('[FR3][DM1] moves on the home page only, and there until it is stopped; fits a window of 1280 x 720 and a phone of 390 x 844 without sideways scrolling', async () => {
    const moving: Record<string, number> = {};
    const wide: string[] = [];
    const session = await page.createCDPSession();
    const show = async (path: string, width: number, height: number): Promise<number> => {
      const mobile = width < 500;
      await session.send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        mobile,
        deviceScaleFactor: 1,
        screenWidth: width,
        screenHeight: height,
      });
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile });
      const seen = await page.evaluate(async (shown) => {
        while (window.screen.width !== shown) await new Promise((later) => setTimeout(later, 20));
        const { scrollWidth, clientWidth } = document.documentElement;
        return { over: scrollWidth > clientWidth, moving: document.getAnimations().length };
      }, width);
      if (seen.over) wide.push(`${path} at ${width}`);
      return seen.moving;
    };
    await addToCart('monstera');

    for (const path of PAGES) {
      await page.goto(site.url + path);
      moving[path] = await show(path, 1280, 720);
      await show(path, 390, 844);
    }
    await page.goto(site.url);
    await show('/', 1280, 720);
    await page.locator('aria/Stop the leaves').click();
    const stopped = await page.evaluate(() => document.getAnimations().length);
    await session.detach();

    expect(moving).toEqual({ ...Object.fromEntries(PAGES.map((path) => [path, 0])), '/': 4 });
    expect(stopped).toBe(0);
    expect(wide).toEqual([]);
  });

  it('[DM1] has no accessibility violations that axe can find', async () => {
    const found: string[] = [];
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await addToCart('monstera');

    for (const path of sized(['/search?q=fern', '/products/monstera', '/checkout'], PAGES)) {
      await page.goto(site.url + path);
      // The frames are of this site: axe in the page asks axe in them.
      for (const frame of page.frames()) await frame.evaluate(axe.source);
      const { violations } = results.parse(await page.evaluate('axe.run(document, { resultTypes: ["violations"] })'));
      found.push(
        ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${path} ${id} ${html.slice(0, 120)}`)),
      );
    }
    await page.emulateMediaFeatures();

    expect(found).toEqual([]);
  });
});

/** The other side of a race against a page that must not answer. */
function silence(ms: number): Promise<'silent'> {
  return new Promise((resolve) => setTimeout(() => resolve('silent'), ms));
}
