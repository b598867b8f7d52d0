import { createServer } from 'node:http';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { sessionSchema } from '@/lib/protocol/views';
import { detectChrome } from '@/server/browser/find-chrome';
import { CdpConnection } from '@/server/cdp/connection';
import { launchTestChrome, type TestChrome } from '@/server/testing/chrome';
import { lightLoop } from '@/server/testing/light-loop';
import { serveHtml } from '@/server/testing/page-fixture';
import { callsOf } from '@/server/testing/people';
import { startTestServer, type TestServer } from '@/server/testing/server';

const MARKER_MS = 8_000;

/** Opens a tab and waits until Chrome itself reports its address, so that a loaded page is attached to later. */
async function openAndWait(own: CdpConnection, url: string): Promise<void> {
  await own.browser.send('Target.createTarget', { url });
  await expect
    .poll(async () => (await own.browser.send('Target.getTargets')).targetInfos.map((one) => one.url), {
      timeout: 10_000,
    })
    .toContain(url);
}

describe('finding and starting Chrome', () => {
  it('[BR1] names the Chrome, its place and version, and why others were passed over', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-find-'));
    const [stable, plain] = [path.join(folder, 'google-chrome'), path.join(folder, 'chromium')];
    for (const file of [stable, plain]) writeFileSync(file, '#!/bin/sh\necho "Fake 1.2.3"\n');
    for (const file of [stable, plain]) chmodSync(file, 0o755);
    const found = await detectChrome({ configured: undefined, platform: 'linux', searchPath: folder });
    writeFileSync(path.join(folder, 'xdg-settings'), '#!/bin/sh\necho chromium.desktop\n');
    chmodSync(path.join(folder, 'xdg-settings'), 0o755);
    const preferred = await detectChrome({ configured: undefined, platform: 'linux', searchPath: folder });
    const missing = detectChrome({ configured: path.join(folder, 'nothing'), platform: 'linux', searchPath: folder });

    expect(found.chosen).toMatchObject({ name: 'Google Chrome', path: stable, version: 'Fake 1.2.3' });
    expect(preferred.chosen).toMatchObject({
      path: plain,
      source: 'os-default',
      reason: 'it is the default browser here',
    });
    expect(found.candidates).toContainEqual(
      expect.objectContaining({ path: plain, usable: true, reason: 'another one came first' }),
    );
    expect(found.candidates).toContainEqual(
      expect.objectContaining({ name: 'Microsoft Edge', usable: false, reason: 'not on PATH' }),
    );
    await expect(missing).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('CHROME_PATH'),
    });
    rmSync(folder, { recursive: true });
  });

  it('[BR2] a failed launch shows what Chrome printed, and what to do', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-broken-'));
    const broken = path.join(folder, 'chrome');
    writeFileSync(
      broken,
      '#!/bin/sh\necho "chrome: error while loading shared libraries: libnss3.so: cannot open" >&2\nexit 127\n',
    );
    chmodSync(broken, 0o755);
    const server = await startTestServer({ env: { CHROME_PATH: broken } });
    const answer = await server.api('POST', '/api/v1/sessions', {});
    await server.close();
    rmSync(folder, { recursive: true });

    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'BROWSER_DOWN',
          message: expect.stringContaining('libnss3.so'),
          hint: expect.stringContaining('system library'),
        },
      },
    });
  });
});

describe('attaching to a Chrome that runs', () => {
  let server: TestServer;
  let chrome: TestChrome;
  let own: CdpConnection;
  let page: { port: number; close: () => void };
  let wedged: string;

  beforeEach(async () => {
    [server, chrome, page] = await Promise.all([
      startTestServer(),
      launchTestChrome(),
      serveHtml('<!doctype html><title>Theirs</title><button id="b">Press</button>'),
    ]);
    own = await CdpConnection.open(createBudget({ timeoutMs: 10_000, clock: monotonicClock }), chrome.wsUrl, {
      lane: 'commands',
    });
    await openAndWait(own, `http://127.0.0.1:${page.port}/`);
    const { browserContextId } = await own.browser.send('Target.createBrowserContext', { disposeOnDetach: false });
    wedged = (await own.browser.send('Target.createTarget', { url: 'about:blank', browserContextId })).targetId;
    const stuck = await own.attach(wedged);
    await stuck.send('Runtime.evaluate', { expression: 'document.title = "Wedged"; 0' });
    stuck.send('Runtime.evaluate', { expression: await lightLoop() }).catch(() => undefined);
  });

  afterEach(async () => {
    page.close();
    await server.close();
    own.close();
    await chrome.close();
  });

  it('[BR3][BR4][EV3] shows its contexts and tabs at once, a hanging tab delays nobody, and detaching leaves it running', async () => {
    let late = false;
    const marker = setTimeout(() => (late = true), MARKER_MS);
    const attached = await server.api('POST', '/api/v1/browsers', { cdpUrl: chrome.wsUrl });
    const sessions = z.array(sessionSchema).parse((await server.api('GET', '/api/v1/sessions')).body);
    const theirs = sessions.find((session) => session.tabs.some((tab) => tab.url.includes(String(page.port))));
    const tab = theirs?.tabs.find((one) => one.url.includes(String(page.port)));
    const click = await server.api('POST', `/api/v1/sessions/${theirs?.id}/tabs/${tab?.id}/act`, {
      kind: 'click',
      selector: '#b',
    });
    clearTimeout(marker);
    const other = sessions.find((session) => session.tabs.some((one) => one.targetId === wedged));
    const stuck = await server.api('POST', `/api/v1/sessions/${other?.id}/tabs/active/act`, {
      kind: 'click',
      selector: 'body',
    });
    const id = z.object({ id: z.string() }).parse(attached.body).id;
    const policy = { egress: { kind: 'open' } };
    const narrow = await server.api('POST', '/api/v1/sessions', { browser: id, policy });
    const later = await callsOf(server, { headers: { cookie: await server.signIn(), origin: server.origin } })(
      'PATCH',
      `/sessions/${theirs?.id}/policy`,
      policy,
    );
    await server.api('DELETE', `/api/v1/browsers/${id}`);

    expect([attached.status, late, theirs?.isolation, other?.isolation]).toEqual([201, false, 'default', 'context']);
    expect(click.body).toMatchObject({ ok: true });
    // [GU1] Nothing would enforce it there.
    const refused = [400, { error: { code: 'UNSUPPORTED', hint: expect.stringContaining('launches') } }];
    expect([[narrow.status, narrow.body], later]).toMatchObject([refused, refused]);
    expect(stuck.body).toMatchObject({ ok: false, error: { code: 'TAB_UNRESPONSIVE', retry: 'later' } });
    expect((await own.browser.send('Browser.getVersion')).product).toMatch(/Chrome/);
  });

  it('[BR3] an address where nothing answers gives an error that says so', async () => {
    const answer = await server.api('POST', '/api/v1/browsers', { cdpUrl: 'http://127.0.0.1:1' });
    const nonsense = await server.api('POST', '/api/v1/browsers', { cdpUrl: 'ftp://somewhere' });

    expect([answer, nonsense]).toMatchObject([
      {
        status: 503,
        body: {
          error: {
            code: 'BROWSER_DOWN',
            hint: expect.stringContaining('--remote-debugging-port'),
            details: { tried: expect.stringMatching(/json.version$/), error: expect.any(String) },
          },
        },
      },
      { status: 400, body: { error: { code: 'BAD_REQUEST' } } },
    ]);
  });
});

describe('addresses that lead nowhere', () => {
  it('[AC8] an endless redirect is reported, and the tab still works', async () => {
    const looping = createServer((request, response) =>
      response.writeHead(302, { location: `/${Number(request.url?.slice(1) ?? 0) + 1}` }).end(),
    );
    await new Promise<void>((resolve) => looping.listen(0, '127.0.0.1', resolve));
    const address = looping.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const server = await startTestServer();
    const { id } = await server.session();
    const reply = await server.act(id, { kind: 'navigate', url: `http://127.0.0.1:${port}/1` });
    const after = await server.act(id, { kind: 'evaluate', fn: '1 + 1' });
    await server.close();
    looping.close();

    expect([reply.error, after.value]).toMatchObject([
      { code: 'NAV_FAILED', message: expect.stringContaining('redirects for ever') },
      2,
    ]);
  });
});
