import { request } from 'node:http';
import { connect } from 'node:net';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replySchema } from '@/lib/actions/reply';
import type { Session } from '@/server/session/session';
import { serveHtml } from '@/server/testing/page-fixture';
import { refOf, sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Hard</title><input id="f" aria-label="Field"><input id="pw" type="password" aria-label="Kennwort">`;

let server: TestServer;
let page: { port: number; close: () => void };

beforeAll(async () => {
  server = await sharedTestServer();
  page = await serveHtml(PAGE);
});

afterAll(async () => {
  page.close();
  await server.close();
});

const open = async (): Promise<string> => (await server.session(`http://127.0.0.1:${page.port}/`, 'a')).id;
const live = (id: string): Session =>
  server.running.services.hub.get(server.running.services.access.owner.workspace, id);

async function take(id: string): Promise<void> {
  const cookie = await server.signIn();
  const headers = { cookie, origin: server.origin, 'content-type': 'application/json' };
  await fetch(`${server.origin}/api/v1/sessions/${id}/tabs/t1/control`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ do: 'take' }),
  });
}

/** Settles when a marker does, or with `late` after five seconds: an order of events, not a speed. */
function orLate<T>(marker: Promise<T>): Promise<T | 'late'> {
  return Promise.race([marker, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 5_000).unref())]);
}

describe('strangers', () => {
  it("[T11] a stranger's request for Socket.IO over plain HTTP gets one answer, and the server goes on", async () => {
    const answers = await Promise.all(
      ['/socket.io/?EIO=4&transport=polling', '/socket.io/?EIO=4&transport=websocket', '/socket.io/', '/socket.io'].map(
        (path) => fetch(`${server.origin}${path}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  it('[T10] an upgrade that no door claims is ended', async () => {
    const { host, hostname, port } = new URL(server.origin);
    const ended = new Promise<'ended'>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /socket.iox HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
      );
      socket.on('close', () => resolve('ended'));
      socket.on('error', () => resolve('ended'));
    });

    expect(await orLate(ended)).toBe('ended');
  });

  it('[T11] a body in chunks is refused at the cap, not read to its end', async () => {
    const { hostname, port } = new URL(server.origin);
    const headers = {
      authorization: `Bearer ${TEST_KEY}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    const status = new Promise<number | undefined>((resolve, reject) => {
      const call = request({ hostname, port, method: 'POST', path: '/api/v1/sessions', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
        call.destroy();
      });
      call.on('error', reject);
      // Never ended: only a server that stops reading by itself can answer.
      call.write(Buffer.alloc(2_097_152, 32));
    });

    expect(await orLate(status)).toBe(413);
  });
});

describe('access that has ended', () => {
  it('[AU3] a revoked key ends the call that is under way', async () => {
    const id = await open();
    await server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' }, { 'x-agent': 'a' });
    const { key, id: keyId } = z
      .object({ key: z.string(), id: z.string() })
      .parse((await server.api('POST', '/api/v1/keys', { name: 'victim', sessions: 'workspace' })).body);
    const typing = server.api(
      'POST',
      `/api/v1/sessions/${id}/tabs/t1/act`,
      { kind: 'type', selector: '#f', text: 'x'.repeat(400), slowly: true, timeoutMs: 60_000 },
      { authorization: `Bearer ${key}` },
    );
    while (live(id).control('t1').holder?.name !== 'victim') await new Promise((resolve) => setImmediate(resolve));
    await server.api('DELETE', `/api/v1/keys/${keyId}`);

    expect(await orLate(typing)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
  });

  it('[CO2] an answer armed by an agent is not given while a person drives', async () => {
    const id = await open();
    await server.act(id, { kind: 'dialog', do: 'arm', accept: true }, 'a');
    await take(id);
    const { tab } = live(id).activeSessionTab();
    const opened = new Promise<'open'>((resolve) => tab.dialogs.onBlock.on(() => resolve('open')));
    await tab.sessions.commands.send('Runtime.evaluate', { expression: 'setTimeout(() => confirm("Delete?"))' });

    expect(await orLate(opened)).toBe('open');
  });

  it('[SE2] a wait in a tab that is closed ends with it', async () => {
    const id = await open();
    await server.api('POST', `/api/v1/sessions/${id}/tabs`, {}, { 'x-agent': 'a' });
    const waiting = server.api(
      'POST',
      `/api/v1/sessions/${id}/tabs/t2/act`,
      { kind: 'wait', url: '**/never', timeoutMs: 60_000 },
      { 'x-agent': 'b' },
    );
    await server.api('DELETE', `/api/v1/sessions/${id}/tabs/t2`, undefined, { 'x-agent': 'a' });

    expect(await orLate(waiting)).toMatchObject({ status: 404, body: { error: { code: 'TAB_NOT_FOUND' } } });
  });

  it('[CO1] popups that close at once leave no lease behind', async () => {
    const id = await open();
    await server.act(id, { kind: 'press', key: 'Shift' }, 'a');
    const { tab } = live(id).activeSessionTab();
    const expression =
      '[0, 5, 15, 40].forEach((ms) => { const popup = open("about:blank"); setTimeout(() => popup.close(), ms); })';
    await tab.sessions.commands.send('Runtime.evaluate', { expression, userGesture: true });
    await server.act(id, { kind: 'wait', timeMs: 1_000 }, 'a');

    expect([...live(id).leases.leases.keys()]).toEqual(
      live(id)
        .registry.all()
        .map((sessionTab) => sessionTab.tab.id),
    );
  });

  it("[BU3] a wait's script in the page stops looking at the deadline", async () => {
    const id = await open();
    const reply = await server.act(
      id,
      {
        kind: 'wait',
        fn: '(window.looks = (window.looks ?? 0) + 1, () => { window.looks += 1; return false; })',
        timeoutMs: 300,
      },
      'a',
    );
    const { tab } = live(id).activeSessionTab();
    const looks = async (): Promise<unknown> =>
      (
        await tab.sessions.sentinel.send('Runtime.evaluate', {
          expression: 'new Promise((done) => setTimeout(() => done(window.looks), 200))',
          awaitPromise: true,
          returnByValue: true,
        })
      ).result.value;

    expect(reply.error?.code).toBe('TIMEOUT');
    expect(await looks()).toBe(await looks());
  });
});

describe('hostile text', () => {
  it('[EV1] a script of a hundred thousand semicolons delays nobody', async () => {
    const id = await open();
    const script = server.act(id, { kind: 'evaluate', fn: `${';'.repeat(99_000)}x`, timeoutMs: 1_000 }, 'a');

    expect(await orLate(script)).not.toBe('late');
  });

  it('[AC8] an invalid selector is refused, and not taken for found', async () => {
    const reply = await server.act(await open(), { kind: 'wait', selector: '##', timeoutMs: 1_000 }, 'a');

    expect(reply.error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/selector/) });
  });

  it("[SN6] text typed into a password field is on no line of the timeline, whatever the field's name", async () => {
    const id = await open();
    const ref = refOf(await server.snapshot(id), 'textbox', 'Kennwort');
    const send = async (tab: string, action: unknown) =>
      replySchema.parse(
        (await server.api('POST', `/api/v1/sessions/${id}/tabs/${tab}/act`, action, { 'x-agent': 'a' })).body,
      );
    const replies = [
      await send('t1', { kind: 'type', ref, text: 'hunter2' }),
      await send('t1', { kind: 'type', selector: '#pw', text: 'hunter2' }),
      await send('t9', { kind: 'type', selector: '#pw', text: 'hunter2' }),
      await send('t1', { kind: 'press', selector: '#pw', keys: ['h', 'u', 'n', 'Enter'] }),
      await send('t1', { kind: 'type', selector: '#f', text: 'plain' }),
    ];
    const timeline = JSON.stringify((await server.api('GET', `/api/v1/sessions/${id}/timeline`)).body);

    expect(replies.map(({ ok }) => ok)).toEqual([true, true, false, true, true]);
    expect(timeline).not.toMatch(/hunter2|h, u, n/);
    expect(timeline).toMatch(/press •, •, •, Enter/);
    expect(timeline).toMatch(/type “plain” into textbox “Field”/);
  });
});
