import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { startWeb, type Web, type WebPage } from '@/server/testing/web';

/**
 * Going through the history of a tab. Chrome keeps pages as they were left and shows them again without loading them.
 */
let server: TestServer;
let web: Web;

const ENDLESS: Record<string, WebPage> = {
  '/endless': '<title>Endless</title><h1>There</h1><img src="/never.png">',
  '/never.png': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).flushHeaders(),
};

beforeAll(async () => {
  [server, web] = await Promise.all([
    sharedTestServer(),
    startWeb({
      '/': '<title>One</title><h1>First</h1><input aria-label="Field">',
      '/two': '<title>Two</title><h1>Second</h1>',
      ...ENDLESS,
    }),
  ]);
});

afterAll(async () => {
  web.close();
  await server.close();
});

describe('history', () => {
  it('[AC5] goes back and forward over pages from the back-forward cache, and is done when they are shown', async () => {
    const { id } = await server.session(`${web.origin}/`);
    await server.act(id, { kind: 'type', role: 'textbox', name: 'Field', text: 'kept' });
    await server.act(id, { kind: 'navigate', url: `${web.origin}/two` });
    const back = await server.act(id, { kind: 'history', go: 'back' });
    const again = await server.act(id, { kind: 'wait', loadState: 'networkidle' });
    const shown = (await server.snapshot(id)).text;
    const forward = await server.act(id, { kind: 'history', go: 'forward' });

    expect(back).toMatchObject({ ok: true, navigated: true, url: `${web.origin}/` });
    expect(again).toMatchObject({ ok: true });
    expect(shown).toContain('[value="kept"]');
    expect(forward).toMatchObject({ ok: true, navigated: true, url: `${web.origin}/two` });
  });

  it('[AC5] a page with an image that never ends is answered when its document can be used, and says so; waitUntil load waits for all of it', async () => {
    const { id } = await server.session(`${web.origin}/`);
    const shown = await server.act(id, { kind: 'navigate', url: `${web.origin}/endless`, timeoutMs: 60_000 });
    const button = await server.act(id, { kind: 'extract', what: 'text' });
    const again = await server.act(id, { kind: 'history', go: 'reload', timeoutMs: 2_000 });
    const all = await server.act(id, {
      kind: 'navigate',
      url: `${web.origin}/endless?all`,
      waitUntil: 'load',
      timeoutMs: 1_500,
    });

    expect(shown).toMatchObject({
      ok: true,
      url: `${web.origin}/endless`,
      warnings: [expect.stringContaining('still loading')],
    });
    expect([button.ok, again.ok, again.warnings, all.error?.code]).toEqual([
      true,
      true,
      [expect.stringContaining('still loading')],
      'TIMEOUT',
    ]);
  }, 30_000);

  it('[AC8] reports its ends, and what to do instead', async () => {
    const { id } = await server.session(`${web.origin}/`);
    await server.act(id, { kind: 'history', go: 'back' });

    expect((await server.act(id, { kind: 'history', go: 'back' })).error).toMatchObject({
      code: 'NAV_FAILED',
      message: 'There is no earlier page in this tab.',
      hint: 'Open an address instead: {"kind":"navigate","url":"https://…"}.',
    });
    expect((await server.act(id, { kind: 'history', go: 'forward' })).ok).toBe(true);
    expect((await server.act(id, { kind: 'history', go: 'forward' })).error).toMatchObject({
      code: 'NAV_FAILED',
      message: 'There is no later page in this tab.',
    });
  });
});
