import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

const PAGE = `<!doctype html><meta charset="utf-8"><title>&lt;b&gt;\u202Eevil</title><button id="b">One</button><div id="cover" style="position:fixed;inset:0;display:none">cover</div>`;

let server: TestServer;
let page: { port: number; close: () => void };
let session: string;
let base: string;

beforeAll(async () => {
  server = await sharedTestServer();
  page = await serveHtml(PAGE);
  session = (await server.session(`http://127.0.0.1:${page.port}/`)).id;
  base = `/api/v1/sessions/${session}/tabs/active`;
});

afterAll(async () => {
  page.close();
  await server.close();
});

/** A raw request, for what fetch would not send. */
function raw(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers, setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end();
  });
}

describe('a bad action', () => {
  const cases: readonly (readonly [name: string, action: unknown, status: number, code: string, says: RegExp])[] = [
    ['an unknown kind', { kind: 'clik', ref: 'e1' }, 400, 'UNKNOWN_KIND', /Did you mean "click"/],
    ['an unknown field', { kind: 'click', ref: 'e1', colour: 'red' }, 400, 'BAD_REQUEST', /"colour" is not a field/],
    ['a wrong type', { kind: 'click', ref: 'e1', count: 'two' }, 400, 'BAD_REQUEST', /"count"/],
    ['a number out of range', { kind: 'click', ref: 'e1', holdMs: 9_999_999 }, 400, 'BAD_REQUEST', /"holdMs"/],
    ['no target', { kind: 'click' }, 400, 'BAD_REQUEST', /"ref" is missing/],
    ['two targets', { kind: 'click', ref: 'e1', selector: '#b' }, 400, 'BAD_REQUEST', /second target/],
    ['a ref that was never given', { kind: 'click', ref: 'e99999' }, 200, 'REF_UNKNOWN', /e99999/],
    ['a budget out of range', { kind: 'none', timeoutMs: 1 }, 400, 'BAD_REQUEST', /"timeoutMs"/],
    ['a scheme that may not be opened', { kind: 'navigate', url: 'file:///etc/passwd' }, 403, 'NAV_BLOCKED', /file:/],
    ['a script address', { kind: 'navigate', url: 'javascript:alert(1)' }, 403, 'NAV_BLOCKED', /javascript:/],
    ['what is no address', { kind: 'navigate', url: 'not an address' }, 400, 'BAD_REQUEST', /not an address/],
    ['a port that refuses', { kind: 'navigate', url: 'http://127.0.0.1:1/' }, 200, 'NAV_FAILED', /.+/],
    [
      'a name that does not resolve',
      { kind: 'navigate', url: 'http://does-not-exist.invalid/' },
      200,
      'NAV_FAILED',
      /.+/,
    ],
    ['an epoch that is over', { kind: 'press', key: 'Tab', epoch: 999 }, 409, 'CONTROL_LOST', /epoch/],
    ['something that is no object', '"click"', 400, 'BAD_REQUEST', /.+/],
  ];
  for (const [name, action, status, code, says] of cases) {
    it(`[AC8] ${name} is answered ${code} with a hint`, async () => {
      const answer = await server.api('POST', `${base}/act`, action);

      expect(answer).toMatchObject({
        status,
        body: {
          error: {
            code,
            message: expect.stringMatching(says),
            hint: expect.stringMatching(/\w{3}/),
            retry: expect.any(String),
          },
        },
      });
    });
  }

  it('[AC3] the error of a covered button names the covering element, and force presses anyway', async () => {
    const went = await server.act(session, { kind: 'navigate', url: `http://127.0.0.1:${page.port}/` });
    const shown = await server.act(session, {
      kind: 'evaluate',
      fn: '() => { document.querySelector("#cover").style.display = "block"; }',
    });
    // When a busy machine lets one of them fail, that says more than what the click makes of it.
    expect([went.error, shown.error]).toEqual([undefined, undefined]);
    const covered = await server.act(session, { kind: 'click', selector: '#b', timeoutMs: 4_000 });
    const forced = await server.act(session, { kind: 'click', selector: '#b', force: true });

    expect(covered.error).toMatchObject({
      code: 'COVERED',
      retry: 'after-snapshot',
      message: expect.stringMatching(/cover/),
    });
    expect(forced).toMatchObject({ ok: true, warnings: [expect.any(String)] });
  });

  it('[SN4] a ref of an older document never hits another element', async () => {
    const before = await server.snapshot(session);
    const ref = before.refs[0]?.ref ?? '';
    await server.act(session, { kind: 'history', go: 'reload' });
    const reply = await server.act(session, { kind: 'click', ref });

    expect(reply.error).toMatchObject({ code: 'REF_STALE_DOCUMENT', retry: 'after-snapshot' });
  });

  it('[GU3] hostile titles are shown as plain text', async () => {
    const { body } = await server.api('GET', `/api/v1/sessions/${session}/tabs`);

    expect(body).toEqual([expect.objectContaining({ title: '<b>evil' })]);
  });
});

describe('a session whose maker switched scripts off', () => {
  it('[EV9] refuses evaluate and waiting by script with a reason; everything else works', async () => {
    const made = await server.api('POST', '/api/v1/sessions', { policy: { evaluate: false } });
    const id = typeof made.body === 'object' && made.body !== null && 'id' in made.body ? String(made.body.id) : '';
    const script = await server.api('POST', `/api/v1/sessions/${id}/tabs/active/act`, { kind: 'evaluate', fn: '1' });
    const wait = await server.api('POST', `/api/v1/sessions/${id}/tabs/active/act`, { kind: 'wait', fn: 'true' });
    const press = await server.act(id, { kind: 'press', key: 'a' });

    expect([script, wait]).toMatchObject([
      { status: 403, body: { error: { code: 'EVAL_DISABLED' } } },
      { status: 403, body: { error: { code: 'EVAL_DISABLED' } } },
    ]);
    expect(press.ok).toBe(true);
  });
});

describe('a session in which agents may run no scripts', () => {
  it('[EV9] refuses an agent, lets a person, and says who is refused', async () => {
    const made = await server.api('POST', '/api/v1/sessions', { policy: { evaluate: { agent: false } } });
    const id = typeof made.body === 'object' && made.body !== null && 'id' in made.body ? String(made.body.id) : '';
    const agent = await server.act(id, { kind: 'evaluate', fn: '1' });
    const wait = await server.act(id, { kind: 'batch', actions: [{ kind: 'wait', fn: 'true' }] });
    const headers = { cookie: await server.signIn(), origin: server.origin, 'content-type': 'application/json' };
    const person = await fetch(`${server.origin}/api/v1/sessions/${id}/tabs/active/act`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ kind: 'evaluate', fn: '1 + 1' }),
    });

    expect([agent.error, wait.error]).toMatchObject([
      { code: 'EVAL_DISABLED', message: 'Agents may not run scripts in this session.' },
      { code: 'EVAL_DISABLED' },
    ]);
    expect(await person.json()).toMatchObject({ ok: true, value: 2 });
  });
});

describe('a bad request', () => {
  it('[AC8] unknown session, tab, path and method', async () => {
    const answers = await Promise.all([
      server.api('GET', '/api/v1/sessions/nope'),
      server.api('POST', `/api/v1/sessions/${session}/tabs/t99/act`, { kind: 'none' }),
      server.api('GET', '/api/v1/nope'),
      server.api('PUT', '/api/v1/sessions', {}),
    ]);

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [404, { error: expect.objectContaining({ code: 'NOT_FOUND' }) }],
      [404, expect.objectContaining({ ok: false, error: expect.objectContaining({ code: 'TAB_NOT_FOUND' }) })],
      [404, { error: expect.objectContaining({ code: 'NOT_FOUND' }) }],
      [405, { error: expect.objectContaining({ code: 'BAD_REQUEST' }) }],
    ]);
  });

  it('[AC8] broken JSON, a wrong content type, a body of 2 MiB', async () => {
    const broken = await server.api('POST', `${base}/act`, '{"kind":');
    const form = await server.api('POST', `${base}/act`, 'kind=click', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    const huge = await server.api('POST', `${base}/act`, { kind: 'type', text: 'x'.repeat(2_097_152) });

    expect([broken, form, huge].map(({ status }) => status)).toEqual([400, 400, 413]);
  });

  it('[AU6] with a wrong Host, Origin, key or cookie reveals nothing', async () => {
    const { host } = new URL(server.origin);
    const key = { authorization: `Bearer ${TEST_KEY}` };
    const statuses = await Promise.all([
      raw('GET', '/api/v1/sessions', { host, ...key }),
      raw('GET', '/api/v1/sessions', { host: 'evil.example', ...key }),
      raw('GET', '/api/v1/sessions', { host, ...key, origin: 'http://evil.example' }),
      raw('GET', '/api/v1/sessions', { host, authorization: 'Bearer wrong' }),
      raw('GET', '/api/v1/sessions', { host, cookie: 'wh_1=abc' }),
      raw('GET', '/api/v1/sessions', { host }),
      raw('GET', 'http://evil.example/', { host }),
    ]);

    expect(statuses).toEqual([200, 403, 403, 401, 401, 401, 400]);
  });

  it('[OP3] health is for everybody, metrics for those signed in', async () => {
    const { host } = new URL(server.origin);
    const statuses = await Promise.all([
      raw('GET', '/healthz', { host }),
      raw('GET', '/readyz', { host }),
      raw('GET', '/metrics', { host }),
    ]);
    const metrics = await server.api('GET', '/metrics');

    expect([...statuses, metrics.status]).toEqual([200, 200, 401, 200]);
    expect(metrics.body).toMatch(/wheelhouse_action_seconds_count/);
  });

  it('[CO10] the same action id is carried out once, also a hundred times at once', async () => {
    await server.act(session, {
      kind: 'evaluate',
      fn: '() => { window.presses = 0; document.querySelector("#cover").style.display = "none"; document.querySelector("#b").onclick = () => { window.presses += 1; }; }',
    });
    const action = { kind: 'click', selector: '#b', id: `once ${randomUUID()}` };
    const replies = await Promise.all(Array.from({ length: 100 }, () => server.act(session, action)));
    const other = await server.act(session, { ...action, count: 2 });
    const presses = await server.act(session, { kind: 'evaluate', fn: 'window.presses' });

    expect([new Set(replies.map((reply) => reply.ok)), presses.value, other.error?.code]).toEqual([
      new Set([true]),
      1,
      'CONFLICT',
    ]);
  });

  it('[DO1] the documents are served', async () => {
    const openApi = await server.api('GET', '/api/v1/openapi.json');
    const docs = await server.api('GET', '/api/docs');

    expect(openApi.body).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/v1/sessions/{s}/tabs/{t}/act': { post: expect.anything() } },
    });
    expect([docs.status, docs.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
  });
});
