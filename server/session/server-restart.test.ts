import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { lightLoop } from '@/server/testing/light-loop';
import { startTestServer } from '@/server/testing/server';
import { startWeb } from '@/server/testing/web';
import { chromesOf } from './testing/chromes';
import { saidOf, stateOf } from './testing/crashes';
import { endsWithTest } from './testing/ends-with-test';

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Keep me</title><input id="field" aria-label="Field"><script>window.born = Math.random()</script>';

describe('a server that is stopped and started again', () => {
  it('[BR5][BR6][BR2][F11] and cannot start a Chrome, shows the sessions of a Chrome that is gone, with the reason and the cure; they are restored as saved as soon as one starts: addresses, ids, labels, cookies, local storage, lease', async () => {
    const cookies: (string | undefined)[] = [];
    const web = await startWeb({
      '/': (request, response) => {
        cookies.push(request.headers.cookie);
        response
          .setHeader('set-cookie', 'login=yes; HttpOnly')
          .setHeader('content-type', 'text/html')
          .end(
            '<!doctype html><script>window.found = localStorage.getItem("basket"); localStorage.setItem("basket", "fern")</script>',
          );
      },
    });
    onTestFinished(() => web.close());
    const chrome = path.join(mkdtempSync(path.join(tmpdir(), 'wheelhouse-chrome-')), 'chrome');
    const install = (): void =>
      writeFileSync(chrome, `#!/bin/sh\nexec ${process.env['WHEELHOUSE_TEST_CHROME'] ?? ''} "$@"\n`, { mode: 0o755 });
    const env = { CHROME_PATH: chrome };
    install();
    const first = endsWithTest(await startTestServer({ env }));
    const { id } = await first.session(`${web.origin}/?one`);
    const own = z
      .object({ id: z.string() })
      .parse(
        (await first.api('POST', '/api/v1/sessions', { isolation: 'browser', url: `${web.origin}/?own` })).body,
      ).id;
    const ended = (await first.session()).id;
    await first.api('POST', `/api/v1/sessions/${id}/tabs`, { url: `${web.origin}/?two`, label: 'second' });
    await first.api('POST', `/api/v1/sessions/${id}/tabs`, { url: `${web.origin}/?three` });
    await first.api('DELETE', `/api/v1/sessions/${id}/tabs/t3`);
    await first.api('DELETE', `/api/v1/sessions/${ended}`);
    const chromes = await chromesOf(first);
    const before = cookies.length;
    await first.close({ keepChrome: true, keepData: true });
    for (const { pid } of chromes) process.kill(-pid, 'SIGKILL');
    rmSync(chrome);

    const second = endsWithTest(await startTestServer({ dataDir: first.dataDir, env }));
    await Promise.all([saidOf(second, id, 'chromeNotReturned'), saidOf(second, own, 'chromeNotReturned')]);
    const listed = z
      .array(z.object({ id: z.string(), state: z.string(), stateReason: z.string() }))
      .parse((await second.api('GET', '/api/v1/sessions')).body);
    const acted = await second.act(id, { kind: 'press', key: 'a' });
    const asked = await second.api('POST', `/api/v1/sessions/${id}/browser`);
    const ready = await second.api('GET', '/readyz');
    install();
    const made = await second.api('POST', '/api/v1/sessions');
    await Promise.all([stateOf(second, id, 'live'), stateOf(second, own, 'live')]);
    const [view, alone, readyAgain] = [
      await second.api('GET', `/api/v1/sessions/${id}`),
      await second.api('GET', `/api/v1/sessions/${own}`),
      await second.api('GET', '/readyz'),
    ];
    const found = (await second.act(id, { kind: 'evaluate', fn: 'window.found', tab: 't2' })).value;
    const timeline = await second.api('GET', `/api/v1/sessions/${id}/timeline?kind=browser`);
    const running = (
      await second.running.services.store.browsers.listOpen(second.running.services.access.owner.workspace)
    ).map((record) => record.id);
    // The profiles of the killed ones go.
    await expect
      .poll(() => readdirSync(path.join(first.dataDir, 'chrome')).toSorted(), { timeout: 20_000 })
      .toEqual(running.toSorted());
    await second.close();
    rmSync(path.dirname(chrome), { recursive: true });

    expect(listed.map((one) => one.id).toSorted()).toEqual([id, own].toSorted());
    for (const one of listed)
      expect(one).toMatchObject({
        state: 'browser-down',
        stateReason: expect.stringMatching(/CHROME_PATH is ".*", but there is no program there\. Correct CHROME_PATH/u),
      });
    expect(acted.error).toMatchObject({
      code: 'BROWSER_DOWN',
      message: expect.stringContaining('CHROME_PATH'),
      hint: expect.stringContaining('POST …/browser'),
    });
    expect(asked.body).toMatchObject({
      error: { message: expect.stringContaining('CHROME_PATH'), hint: expect.stringContaining('Correct CHROME_PATH') },
    });
    expect(ready.body).toMatchObject({
      warnings: expect.arrayContaining([
        expect.stringMatching(/without a Chrome: 2\..*POST \/api\/v1\/sessions\/:s\/browser/u),
        expect.stringMatching(/CHROME_PATH is ".*"/u),
      ]),
    });
    expect([made.status, JSON.stringify(readyAgain.body).includes('without a Chrome')]).toEqual([201, false]);
    expect(view.body).toMatchObject({
      state: 'live',
      restored: { saved: true },
      tabs: [
        { id: 't1', url: `${web.origin}/?one` },
        { id: 't2', label: 'second', url: `${web.origin}/?two`, control: { state: 'held', holder: { kind: 'agent' } } },
      ],
    });
    expect(alone.body).toMatchObject({
      state: 'live',
      isolation: 'browser',
      tabs: [{ id: 't1', url: `${web.origin}/?own` }],
    });
    expect(view.body).not.toMatchObject({
      browser: z.object({ browser: z.object({ id: z.string() }) }).parse(alone.body).browser,
    });
    expect(cookies.slice(before)).toEqual(['login=yes', 'login=yes', 'login=yes']);
    expect(found).toBe('fern');
    expect(
      z
        .array(z.object({ said: z.object({ code: z.string() }) }))
        .parse(timeline.body)
        .map(({ said }) => said.code),
    ).toEqual(expect.arrayContaining(['serverAndChromeGone', 'browserReturned', 'stateRestored']));
  }, 90_000);

  it('[BR5][F11] finds Chrome, the tab and the state of its page again; leases are void and epochs go on. [BR4][EV3][SE5] Nothing waits for a tab that was stuck before: it is shown as hung, and only a new page in its place helps', async () => {
    const web = await startWeb(PAGE);
    onTestFinished(() => web.close());
    const url = `${web.origin}/`;
    const first = endsWithTest(await startTestServer());
    const [stuck, calm] = [(await first.session(url)).id, (await first.session(url)).id];
    await first.act(calm, { kind: 'type', selector: '#field', text: 'kept' });
    const before = await first.act(calm, { kind: 'evaluate', fn: 'window.born' });
    const control = await first.api('GET', `/api/v1/sessions/${calm}/tabs/t1/control`);
    const refs = (await first.snapshot(calm)).refs.map((entry) => Number(entry.ref.slice(1)));
    // While no server runs the page has no network, and requests fail.
    const fn = `() => { setTimeout(() => { for (;;) try { ${await lightLoop()} } catch {} }, 0); }`;
    await first.act(stuck, { kind: 'evaluate', fn });
    const { sentinel } = first.running.services.hub
      .get(first.running.services.access.owner.workspace, stuck)
      .activeSessionTab().tab;
    while (await sentinel.answers(500));
    await first.close({ keepChrome: true, keepData: true });

    const second = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
    const { hub, access } = second.running.services;
    const health = (): unknown => hub.get(access.owner.workspace, stuck).view().tabs[0]?.health;
    const order: string[] = [];
    const refused = second
      .act(stuck, { kind: 'press', key: 'a', timeoutMs: 20_000 })
      .finally(() => order.push('stuck'));
    const after = await second
      .act(calm, { kind: 'evaluate', fn: '[window.born, document.querySelector("#field").value]', timeoutMs: 20_000 })
      .finally(() => order.push('calm'));
    const { error } = await refused;
    const shown = health();
    const controlAfter = await second.api('GET', `/api/v1/sessions/${calm}/tabs/t1/control`);
    const refsAfter = (await second.snapshot(calm)).refs.map((entry) => Number(entry.ref.slice(1)));
    const stays = await second.act(stuck, { kind: 'remedy', do: 'stop-script' });
    const blank = await second.act(stuck, { kind: 'remedy', do: 'blank' });
    const back = await second.act(stuck, { kind: 'navigate', url });
    const again = await second.act(stuck, { kind: 'type', selector: '#field', text: 'works' });
    await second.close();

    expect([after.error, after.value]).toEqual([undefined, [before.value, 'kept']]);
    expect(epochOf(controlAfter.body)).toBeGreaterThan(epochOf(control.body));
    expect(Math.min(...refsAfter)).toBeGreaterThan(Math.max(...refs));
    expect(order).toEqual(['calm', 'stuck']);
    expect([error?.code, shown]).toMatchObject(['TAB_UNRESPONSIVE', { state: 'hung', said: { code: 'foundSilent' } }]);
    expect([stays.error?.code, blank.error, back.error, again.error]).toEqual([
      'TAB_UNRESPONSIVE',
      undefined,
      undefined,
      undefined,
    ]);
  }, 90_000);

  it('[F31] a second server on the same data directory is refused and takes nothing over', async () => {
    const first = endsWithTest(await startTestServer());
    const second = startTestServer({ dataDir: first.dataDir });

    await expect(second).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(String(process.pid)),
    });
    expect((await first.api('GET', '/api/v1/sessions')).status).toBe(200);
    await first.close();
  });
});

function epochOf(body: unknown): number {
  return typeof body === 'object' && body !== null && 'epoch' in body ? Number(body.epoch) : Number.NaN;
}
