import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchTestChrome, type TestChrome } from '@/server/testing/chrome';
import { presentedBy, single } from './credential';
import { checkHostOrigin, isSentByPage } from './host-origin';
import { pageHeaders } from './page-headers';
import { sitesOf } from './sites';

/** A request that reached our server from a real Chrome with our cookie, and whether it was admitted. */
interface Visit {
  readonly what: string;
  readonly ok: boolean;
}

let chrome: TestChrome;
let browser: Browser;
let ours: Server;
let theirs: Server;
const visits: Visit[] = [];
/** Visits that a page of another site made without a click. */
const sent: string[] = [];
let port = 0;

function judge(request: IncomingMessage, upgrade: boolean): boolean {
  const header = (name: string): string | undefined => single(request.headers, name);
  const verdict = checkHostOrigin(
    {
      host: header('host'),
      origin: header('origin'),
      method: request.method ?? '',
      upgrade,
      secFetchSite: header('sec-fetch-site'),
      secFetchMode: header('sec-fetch-mode'),
      secFetchDest: header('sec-fetch-dest'),
      credential: presentedBy(request.headers, `wh_${port}`).kind,
    },
    sitesOf({ host: '127.0.0.1', port, publicUrl: undefined, tls: false }),
  );
  if (isSentByPage({ secFetchSite: header('sec-fetch-site'), secFetchUser: header('sec-fetch-user') }))
    sent.push(request.url ?? '');
  visits.push({ what: `${request.method} ${request.url}`, ok: verdict.ok });
  return verdict.ok;
}

const listen = (server: Server): Promise<number> =>
  new Promise((done) => server.listen(0, '127.0.0.1', () => done(portOf(server.address()))));
const portOf = (address: string | AddressInfo | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

beforeAll(async () => {
  ours = createServer((request, response) => {
    const ok = judge(request, false);
    response.writeHead(ok ? 200 : 403, {
      ...pageHeaders({ nonce: 'bm9uY2U=', development: false, secure: false }),
      'Content-Type': 'text/html',
      'Set-Cookie': `wh_${port}=secret; Path=/; HttpOnly; SameSite=Lax`,
    });
    response.end('<title>ours</title><h1>Ours</h1>');
  });
  ours.on('upgrade', (request, socket) => {
    judge(request, true);
    socket.destroy();
  });
  theirs = createServer((_request, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<title>theirs</title><script>if (location.hash) location.href = location.hash.slice(1);</script>'),
  );
  port = await listen(ours);
  await listen(theirs);
  chrome = await launchTestChrome();
  browser = await puppeteer.connect({ browserWSEndpoint: chrome.wsUrl });
});

afterAll(async () => {
  await browser?.disconnect();
  await chrome?.close();
  ours?.closeAllConnections();
  ours?.close();
  theirs?.close();
});

/**
 * Runs `script` in a page of `url`, in which `ours` is our server's origin, and returns the requests that reached our
 * server.
 */
async function from(page: Page, url: string, script: string): Promise<Visit[]> {
  await page.goto(url);
  visits.length = 0;
  await page.evaluate(`(async () => { const ours = 'http://127.0.0.1:${port}'; ${script} })()`);
  return visits.filter(({ what }) => !what.includes('favicon'));
}

describe('a real Chrome with our cookie', () => {
  it('[T1] our own page may read, change and open a socket, with no word of complaint from Chrome about our headers', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const reached = await from(
      page,
      `http://127.0.0.1:${port}/`,
      `
      await fetch('/read'); await fetch('/change', { method: 'POST' });
      await new Promise((done) => { new WebSocket(ours.replace('http', 'ws') + '/socket').onclose = done; });`,
    );
    expect(reached).toEqual([
      { what: 'GET /read', ok: true },
      { what: 'POST /change', ok: true },
      { what: 'GET /socket', ok: true },
    ]);
    expect(complaints.filter((text) => /policy|feature|header/i.test(text))).toEqual([]);
    await page.close();
  });

  it('[T1] a page on another port of this computer gets only a visible link', async () => {
    const page = await browser.newPage();
    const reached = await from(
      page,
      `http://127.0.0.1:${portOf(theirs.address())}/`,
      `
      const quiet = (work) => work.catch(() => undefined);
      await quiet(fetch(ours + '/read', { credentials: 'include' }));
      await quiet(fetch(ours + '/read-no-cors', { mode: 'no-cors', credentials: 'include' }));
      await quiet(fetch(ours + '/change', { method: 'POST', mode: 'no-cors', credentials: 'include' }));
      await quiet(fetch(ours + '/put', { method: 'PUT', credentials: 'include' }));
      navigator.sendBeacon(ours + '/beacon', 'x');
      await new Promise((done) => { const image = new Image(); image.onload = image.onerror = done; image.src = ours + '/image'; });
      await new Promise((done) => { const script = document.createElement('script'); script.onload = script.onerror = done; script.src = ours + '/script'; document.body.append(script); });
      await new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = done; frame.src = ours + '/frame'; document.body.append(frame); });
      await new Promise((done) => { const frame = document.createElement('iframe'); frame.name = 'f'; document.body.append(frame);
        const form = document.createElement('form'); form.method = 'POST'; form.action = ours + '/form'; form.target = 'f'; document.body.append(form); frame.onload = done; form.submit(); });
      await new Promise((done) => { new WebSocket(ours.replace('http', 'ws') + '/socket').onclose = done; });`,
    );
    expect(reached.filter(({ ok }) => ok)).toEqual([]);
    expect(new Set(reached.map(({ what }) => what.split('/')[1]))).toEqual(
      new Set(['read', 'read-no-cors', 'change', 'put', 'beacon', 'image', 'script', 'frame', 'form', 'socket']),
    );
    await page.close();
  });

  it('[AU6] our own page reaches only the very origin it came from', async () => {
    const page = await browser.newPage();
    const reached = await from(
      page,
      `http://localhost:${port}/`,
      `
      await fetch(ours + '/crossed', { method: 'POST', mode: 'no-cors' }).catch(() => undefined);
      await fetch('/straight', { method: 'POST' });`,
    );
    expect(reached).toEqual([{ what: 'POST /straight', ok: true }]);
    await page.close();
  });

  it('[AU1] a link in a mail or on another page still opens Wheelhouse', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${portOf(theirs.address())}/`);
    visits.length = 0;
    await page.evaluate(`document.body.innerHTML = '<a href="http://127.0.0.1:${port}/linked">go</a>'`);
    await Promise.all([page.waitForNavigation(), page.click('a')]);
    expect(visits.filter(({ what }) => !what.includes('favicon'))).toEqual([{ what: 'GET /linked', ok: true }]);
    await page.close();
  });

  it("[AU1] [T1] Chrome distinguishes a person's click from a redirect by a page, also on loopback addresses", async () => {
    const page = await browser.newPage();
    sent.length = 0;
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${portOf(theirs.address())}/#http://127.0.0.1:${port}/sent-from-${host}`);
      await page.waitForFunction(() => document.title === 'ours');
    }
    await page.goto(`http://127.0.0.1:${port}/typed`);
    await page.goto(`http://localhost:${portOf(theirs.address())}/`);
    await page.evaluate(`document.body.innerHTML = '<a href="http://127.0.0.1:${port}/clicked">go</a>'`);
    await Promise.all([page.waitForNavigation(), page.click('a')]);
    expect(sent.filter((path) => !path.includes('favicon'))).toEqual(['/sent-from-127.0.0.1', '/sent-from-localhost']);
    await page.close();
  });
});
