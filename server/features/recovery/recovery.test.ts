import { RECOVERY } from '@/server/session/feature-slots';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveHtml } from '@/server/testing/page-fixture';
import { startTestServer } from '@/server/testing/server';
import { startWeb } from '@/server/testing/web';
import { crashTo, killChrome, saidOf } from '@/server/session/testing/crashes';

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Keep me</title><input id="field" aria-label="Field"><script>window.born = Math.random()</script>';

describe('a session that lost its Chrome', () => {
  it('[BR5][F1] is restored by itself: tabs at their addresses, cookies and local storage before the first request, the lease at a higher epoch, no action repeated', async () => {
    const seen: { url: string | undefined; cookie: string | undefined }[] = [];
    const web = await startWeb({
      '/': (request, response) => {
        seen.push({ url: request.url, cookie: request.headers.cookie });
        response.setHeader('content-type', 'text/html');
        response.setHeader('set-cookie', ['login=canary-5d1; HttpOnly; SameSite=Lax', 'old=1; Max-Age=1000']);
        response.end(
          '<title>Shop</title><script>window.found = localStorage.getItem("basket"); localStorage.setItem("basket", "fern"); sessionStorage.setItem("gone", "1")</script>',
        );
      },
    });
    const server = await startTestServer();
    const { id } = await server.session(`${web.origin}/?first`);
    await server.api('POST', `/api/v1/sessions/${id}/tabs`, { url: `${web.origin}/?second`, label: 'second' });
    await server.act(id, { kind: 'press', key: 'a' });
    const { hub, access } = server.running.services;
    const session = hub.get(access.owner.workspace, id);
    await RECOVERY.of(session).save();
    const epoch = session.control('t2').epoch;
    const before = seen.length;
    await crashTo(server, id, 'live');
    const view = session.view();
    const found = (
      await server.act(id, {
        kind: 'evaluate',
        fn: '[window.found, sessionStorage.length, history.length]',
        epoch: view.tabs[1]?.control.epoch,
      })
    ).value;
    const stale = await server.act(id, { kind: 'press', key: 'a', epoch });
    const timeline = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=browser`);
    const disk = readdirSync(path.join(server.dataDir, 'saved')).map((file) =>
      readFileSync(path.join(server.dataDir, 'saved', file)).includes('canary'),
    );
    const chromes = readdirSync(path.join(server.dataDir, 'chrome'));
    await server.api('DELETE', `/api/v1/sessions/${id}`);
    const left = readdirSync(path.join(server.dataDir, 'saved'));
    await server.close();
    web.close();

    expect(view).toMatchObject({
      state: 'live',
      stateReason: '',
      restored: { saved: true, seconds: expect.any(Number) },
      tabs: [
        { id: 't1', url: expect.stringContaining('?first') },
        {
          id: 't2',
          label: 'second',
          url: expect.stringContaining('?second'),
          control: { state: 'held', epoch: epoch + 1 },
        },
      ],
    });
    expect(
      seen
        .slice(before)
        .map(({ url, cookie }) => [url, cookie])
        .toSorted(),
    ).toEqual([
      ['/?first', 'login=canary-5d1; old=1'],
      ['/?second', 'login=canary-5d1; old=1'],
    ]);
    expect(found).toEqual(['fern', 1, expect.any(Number)]);
    expect(stale.error?.code).toBe('CONTROL_LOST');
    expect(timeline.body).toMatchObject([
      { text: expect.stringMatching(/Chrome is gone.*being started/), actor: { kind: 'system' } },
      { said: { code: 'browserReturned' } },
      {
        text: expect.stringMatching(
          /Cookies and local storage are as they were \d+ s before; session storage and IndexedDB are lost/,
        ),
      },
    ]);
    expect([disk, left]).toEqual([[false], []]);
    expect(chromes).toHaveLength(1);
  }, 40_000);

  it("[BR5][F2] is parked at the third crash in ten minutes, and restored on a person's request. [PS4] Its emulation settings still apply in each new page and Chrome, and can be removed there", async () => {
    const page = await serveHtml(PAGE);
    const server = await startTestServer();
    const { id } = await server.session(`http://127.0.0.1:${page.port}/`);
    const SEEN = '[new Date(2026, 0, 1).getTimezoneOffset(), navigator.language, innerWidth, devicePixelRatio]';
    const seen = async (): Promise<unknown> => (await server.act(id, { kind: 'evaluate', fn: SEEN, tab: 't1' })).value;
    const [zone] = z.array(z.unknown()).parse(await seen());
    await server.act(id, {
      kind: 'emulate',
      do: 'set',
      set: { timezone: 'Asia/Tokyo', device: { width: 390, height: 844, deviceScaleFactor: 3 } },
    });
    await server.act(id, { kind: 'emulate', do: 'set', scope: 'session', set: { locale: 'de-DE' } });
    await server.act(id, { kind: 'remedy', do: 'restart' });
    const restarted = await seen();
    await crashTo(server, id, 'live');
    const again = await seen();
    await crashTo(server, id, 'live');
    await crashTo(server, id, 'browser-down');
    const parked = await server.api('GET', `/api/v1/sessions/${id}`);
    const revived = await server.api('POST', `/api/v1/sessions/${id}/browser`);
    const last = await seen();
    const told = (await server.act(id, { kind: 'emulate', do: 'get' })).value;
    await server.act(id, { kind: 'emulate', do: 'reset' });
    const reset = await seen();
    await server.close();
    page.close();

    const emulated = [-540, 'de-DE', 390, 3];
    expect([restarted, again, last]).toEqual([emulated, emulated, emulated]);
    expect(parked.body).toMatchObject({ state: 'browser-down', stateSaid: { code: 'chromeParked', times: 3 } });
    expect(revived.body).toMatchObject({ state: 'live', stateReason: '', tabs: [{ id: 't1' }] });
    expect(told).toMatchObject({ scope: { timezone: 'tab', device: 'tab', locale: 'session' } });
    expect(reset).toEqual([zone, 'de-DE', 1280, 1]);
  }, 60_000);

  it('[BR5] reports that no new Chrome can be started, and is restored when one can', async () => {
    const chrome = path.join(mkdtempSync(path.join(tmpdir(), 'wheelhouse-chrome-')), 'chrome');
    const real = process.env['WHEELHOUSE_TEST_CHROME'] ?? '';
    writeFileSync(chrome, `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 });
    const server = await startTestServer({ env: { CHROME_PATH: chrome } });
    const { id } = await server.session();
    writeFileSync(chrome, '#!/bin/sh\nexit 3\n');
    const told = saidOf(server, id, 'chromeNotReturned');
    await killChrome(server);
    await told;
    writeFileSync(chrome, `#!/bin/sh\nexec ${real} "$@"\n`);
    const revived = await server.api('POST', `/api/v1/sessions/${id}/browser`);
    // Of the one that was killed, and of the one that did not start, nothing stays.
    await expect.poll(() => readdirSync(path.join(server.dataDir, 'chrome')).length, { timeout: 20_000 }).toBe(1);
    await server.close();

    expect(revived.body).toMatchObject({ state: 'live', tabs: [{ id: 't1' }] });
  }, 40_000);

  it('[BR5][F1] is noticed at once: the call under way is answered, the session shows it, the timeline is kept. It is restored only on request where its policy says so: tabs at their addresses with their ids and labels, leases kept, refs not reused; it works as before', async () => {
    const page = await serveHtml(PAGE);
    const server = await startTestServer();
    const made = await server.api('POST', '/api/v1/sessions', {
      url: `http://127.0.0.1:${page.port}/?first`,
      policy: { restartBrowser: false },
    });
    const { id } = z.object({ id: z.string() }).parse(made.body);
    await server.api('POST', `/api/v1/sessions/${id}/tabs`, {
      url: `http://127.0.0.1:${page.port}/?second`,
      label: 'second',
    });
    const refs = (await server.snapshot(id)).refs.map((entry) => Number(entry.ref.slice(1)));
    const early = await server.api('POST', `/api/v1/sessions/${id}/browser`);
    const waiting = server.act(id, { kind: 'evaluate', fn: '() => new Promise(() => {})', timeoutMs: 60_000 });
    await killChrome(server);
    const reply = await waiting;
    const after = await server.act(id, { kind: 'press', key: 'a' });
    const down = await server.api('GET', `/api/v1/sessions/${id}`);
    const told = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=browser`);
    const [revived, twice] = await Promise.all([
      server.api('POST', `/api/v1/sessions/${id}/browser`),
      server.api('POST', `/api/v1/sessions/${id}/browser`),
    ]);
    const typed = await server.act(id, { kind: 'type', selector: '#field', text: 'again' });
    const refsAfter = (await server.snapshot(id)).refs.map((entry) => Number(entry.ref.slice(1)));
    const timeline = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=browser`);
    await server.close();
    page.close();

    expect([reply.error?.code, after.error?.code]).toEqual(['BROWSER_DOWN', 'BROWSER_DOWN']);
    expect(down.body).toMatchObject({ state: 'browser-down', stateReason: expect.stringMatching(/Chrome is gone/) });
    expect(told.body).toEqual([expect.objectContaining({ text: expect.stringMatching(/Chrome is gone/) })]);
    expect([early.status, revived.status, twice.status]).toEqual([409, 200, 409]);
    expect(revived.body).toMatchObject({
      state: 'live',
      stateReason: '',
      tabs: [
        { id: 't1', url: expect.stringContaining('?first'), control: { state: 'held' } },
        { id: 't2', label: 'second', url: expect.stringContaining('?second') },
      ],
    });
    expect(typed).toMatchObject({ ok: true, tab: 't2' });
    expect(Math.min(...refsAfter)).toBeGreaterThan(Math.max(...refs));
    expect(timeline.body).toEqual([
      expect.objectContaining({ said: { code: 'chromeGone' } }),
      expect.objectContaining({
        text: expect.stringMatching(/new browser/),
        actor: expect.objectContaining({ kind: 'agent' }),
      }),
      expect.objectContaining({ text: expect.stringMatching(/storage/) }),
    ]);
  }, 40_000);
});
