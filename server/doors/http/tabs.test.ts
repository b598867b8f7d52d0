import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, type ApiAnswer, type TestServer } from '@/server/testing/server';

let server: TestServer;
let page: { port: number; close: () => void };

beforeAll(async () => {
  server = await sharedTestServer();
  page = await serveHtml('<!doctype html><meta charset="utf-8"><title>Tabs</title>');
});

afterAll(async () => {
  page.close();
  await server.close();
});

async function session(): Promise<string> {
  return (await server.session()).id;
}

const open = (id: string, body: object): Promise<ApiAnswer> => server.api('POST', `/api/v1/sessions/${id}/tabs`, body);

async function timeline(id: string): Promise<string> {
  const { body } = await server.api('GET', `/api/v1/sessions/${id}/timeline`);
  return JSON.stringify(body);
}

describe('closing a tab', () => {
  it('[CO10][I3] with the same id again gets the same answer, although the tab is gone', async () => {
    const id = await session();
    await open(id, {});
    const close = (): Promise<ApiAnswer> =>
      server.api('POST', `/api/v1/sessions/${id}/tabs/t2/act`, { kind: 'tab', do: 'close', id: 'close-once' });
    const [first, second] = [await close(), await close()];
    const other = await server.api('POST', `/api/v1/sessions/${id}/tabs/t2/act`, {
      kind: 'tab',
      do: 'close',
      id: 'close-twice',
    });

    expect(first).toMatchObject({ status: 200, body: { ok: true, tab: 't2' } });
    expect(second.body).toEqual(first.body);
    expect(other).toMatchObject({ status: 404, body: { error: { code: 'TAB_NOT_FOUND' } } });
  });
});

describe('a session whose only tab was closed', () => {
  it('[SE2] opens another by the action and by its step beside the empty page', async () => {
    const id = await session();
    const close = async (tab: string): Promise<unknown> =>
      (await server.api('DELETE', `/api/v1/sessions/${id}/tabs/${tab}`)).status;
    const closed = await close('t1');
    const listed = await server.act(id, { kind: 'tab', do: 'list' });
    const opened = await server.act(id, {
      kind: 'tab',
      do: 'open',
      url: `http://127.0.0.1:${page.port}/`,
      label: 'first',
    });
    await close('first');
    const stepped = await server.api('POST', `/api/v1/sessions/${id}/tabs/active/steps`, { step: 'new_tab' });
    const tabs = await server.api('GET', `/api/v1/sessions/${id}/tabs`);

    expect([closed, listed.value]).toEqual([200, [expect.objectContaining({ id: 't1', url: 'about:blank' })]]);
    expect([opened.ok, opened.newTabs, opened.value]).toEqual([
      true,
      ['t2'],
      expect.objectContaining({ id: 't2', label: 'first' }),
    ]);
    expect(stepped.body).toMatchObject({ reply: { ok: true } });
    expect(tabs.body).toEqual([expect.objectContaining({ id: 't1' }), expect.objectContaining({ id: 't3' })]);
  });
});

describe('the label of a tab', () => {
  it.each(['active', 'Active', 't1', 'T27'])(
    '[SE2] may not be "%s", which tabs are called by themselves',
    async (label) => {
      const id = await session();
      const opened = await open(id, { label });
      const labelled = await server.act(id, { kind: 'tab', do: 'label', label });
      const tabs = await server.api('GET', `/api/v1/sessions/${id}/tabs`);

      expect(opened).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'BAD_REQUEST',
            message: expect.stringContaining('"label" is a name that tabs have by themselves'),
          },
        },
      });
      expect(labelled.error).toMatchObject({ code: 'BAD_REQUEST' });
      expect(tabs.body).toHaveLength(1);
    },
  );

  it('[SE2] is unique, also when two callers ask at the same moment, and no tab without it is left behind', async () => {
    const id = await session();
    const answers = await Promise.all([open(id, { label: 'cart' }), open(id, { label: 'cart' })]);
    const tabs = await server.api('GET', `/api/v1/sessions/${id}/tabs`);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(tabs.body).toEqual([expect.anything(), expect.objectContaining({ label: 'cart' })]);
  });
});

describe('an address that cannot be opened', () => {
  const NOWHERE = 'http://does-not-exist.invalid/';

  it('[SE1] is reported with the session that was made', async () => {
    const made = await server.api('POST', '/api/v1/sessions', { url: NOWHERE });
    const fine = await server.api('POST', '/api/v1/sessions', { url: `http://127.0.0.1:${page.port}/` });

    expect(made).toMatchObject({
      status: 201,
      body: { state: 'live', warnings: [expect.stringMatching(/^NAV_FAILED: .*that name does not exist/)] },
    });
    expect(fine.body).not.toHaveProperty('warnings');
  });

  it('[SE2] is reported with the tab that was opened', async () => {
    const opened = await open(await session(), { url: NOWHERE });

    expect(opened).toMatchObject({ status: 201, body: { id: 't2', warnings: [expect.stringMatching(/^NAV_FAILED/)] } });
  });
});

describe('secrets in an address', () => {
  it('[SN6] are on no row of the timeline; the rest of the address is', async () => {
    const id = await session();
    const base = `http://127.0.0.1:${page.port}/in`;
    await server.act(id, { kind: 'navigate', url: `${base}?token=hunter2&next=cart` });
    await server.act(id, { kind: 'tab', do: 'open', url: `${base}?code=hunter2#access_token=hunter2` });
    await server.act(id, { kind: 'wait', url: `**?session_id=hunter2`, timeoutMs: 100 });
    await server.act(id, { kind: 'none', note: `look at ${base}?api_key=hunter2` });
    const rows = await timeline(id);

    expect(rows).toContain(`${base}?token=•••&next=cart`);
    expect(rows).not.toContain('hunter2');
  });
});

describe('an action that cannot be carried out', () => {
  it('[AC8] is answered with the reply as body, for any mistake', async () => {
    const id = await session();
    const act = (body: unknown, tab = 't1'): Promise<ApiAnswer> =>
      server.api('POST', `/api/v1/sessions/${id}/tabs/${tab}/act`, body);
    const answers = [
      await act({ kind: 'click', id: 'mine' }),
      await act({ kind: 'clik' }),
      await act('"click"'),
      await act('{"kind":'),
      await act({ kind: 'none' }, 't9'),
      await server.api('POST', '/api/v1/sessions/nope/tabs/t1/act', { kind: 'none' }),
      await act({ kind: 'type', text: 'x'.repeat(2_097_152) }),
    ];

    expect(answers.map(({ status, body }) => [status, body])).toMatchObject([
      [
        400,
        {
          ok: false,
          id: 'mine',
          kind: 'click',
          tab: 't1',
          url: '',
          ms: 0,
          warnings: [],
          error: { code: 'BAD_REQUEST' },
        },
      ],
      [400, { ok: false, kind: 'clik', error: { code: 'UNKNOWN_KIND' } }],
      [400, { ok: false, kind: '', error: { code: 'BAD_REQUEST' } }],
      [400, { ok: false, kind: '', error: { code: 'BAD_REQUEST' } }],
      [404, { ok: false, kind: 'none', tab: 't9', error: { code: 'TAB_NOT_FOUND' } }],
      [404, { ok: false, kind: 'none', error: { code: 'NOT_FOUND' } }],
      [413, { ok: false, error: { code: 'TOO_LARGE' } }],
    ]);
  });
});
