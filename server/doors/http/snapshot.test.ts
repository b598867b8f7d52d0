import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { snapshotViewSchema } from '@/lib/protocol/views';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/** Snapshots as an agent gets them by HTTP. */
let server: TestServer;
let site: Awaited<ReturnType<typeof serveHtml>>;

const ROWS = Array.from(
  { length: 12 },
  (_, index) => `<li>Pot ${index} <button onclick="this.textContent = 'Added ${index}'">Add ${index}</button></li>`,
).join('');

beforeAll(async () => {
  [server, site] = await Promise.all([
    sharedTestServer(),
    serveHtml(`<!doctype html><title>Pots</title><style>body{margin:0}</style><h1>Pots</h1><ul id="pots">${ROWS}</ul>`),
  ]);
});

afterAll(async () => {
  site.close();
  await server.close();
});

const open = async (): Promise<string> => {
  const { id } = await server.session(`http://127.0.0.1:${site.port}/`);
  await server.act(id, { kind: 'wait', loadState: 'load' });
  return id;
};
const snapshot = async (session: string, query: string) =>
  server.api('GET', `/api/v1/sessions/${session}/tabs/active/snapshot?${query}`);

describe('GET …/snapshot', () => {
  it('[AC2][AC9] with refs=1 the node of each ref, which an action takes, with its document or as older payloads name it', async () => {
    const session = await open();
    const { body } = await snapshot(session, 'refs=1');
    const node = snapshotViewSchema.parse(body).refs.find(({ name }) => name === 'Add 3')?.node;
    const acted = await server.act(session, { kind: 'click', node });
    const older = await server.act(session, { kind: 'click', backendDOMNodeId: node?.backendNodeId });
    const gone = await server.act(session, { kind: 'click', backendDOMNodeId: 999_999, timeoutMs: 2_000 });
    expect(node).toEqual({ loaderId: expect.any(String), backendNodeId: expect.any(Number) });
    expect([acted, older].map(({ via, error }) => [via, error])).toEqual([
      ['node', undefined],
      ['node', undefined],
    ]);
    expect(gone.error?.code).toBe('NODE_GONE');
  });

  it('[SN7] since gives the changes; with refs=1 as edits too', async () => {
    const session = await open();
    const first = await snapshot(session, 'interactive=1');
    await server.act(session, { kind: 'click', role: 'button', name: 'Add 3' });
    const text = await snapshot(session, 'interactive=1&since=1');
    const both = await snapshot(session, 'interactive=1&since=1&refs=1');
    expect([first.body, text.body, both.body]).toMatchObject([
      { revision: 1, text: expect.stringContaining('- button "Add 3" [ref=e5]') },
      {
        revision: 2,
        text: '# Changed since revision 1, now 2:\n-- button "Add 3" [ref=e5]\n+- button "Added 3" [active] [ref=e14]',
        delta: { since: 1 },
      },
      {
        delta: { since: 1, edits: [{ at: 3, remove: 1, insert: ['- button "Added 3" [active] [ref=e14]'] }] },
        refs: [{ ref: 'e14', role: 'button', name: 'Added 3' }],
      },
    ]);
    expect(text.body).not.toHaveProperty('refs');
  });

  it('[SN9] find gives the lines that fit, by text and by pattern', async () => {
    const session = await open();
    const [text, pattern, none, wrong] = [
      await snapshot(session, 'find=pot%2011'),
      await snapshot(session, 'findRegex=add%20%5B12%5D%22&interactive=1'),
      await snapshot(session, 'find=gravel'),
      await snapshot(session, 'findRegex=('),
    ];
    expect([text.body, pattern.body, none.body, wrong]).toMatchObject([
      { text: '- list [ref=e1]\n  - listitem\n    - text "Pot 11"' },
      { text: '- button "Add 1" [ref=e3]\n- button "Add 2" [ref=e4]' },
      { text: '(nothing found)' },
      { status: 400, body: { error: { code: 'BAD_REQUEST', message: '"findRegex" is not a regular expression: (' } } },
    ]);
  });

  it('[SN9] boxes=1 gives the place of each ref', async () => {
    const session = await open();
    const lines = await snapshot(session, 'boxes=1&find=add%200');
    const json = await snapshot(session, 'boxes=1&view=aria&find=add%200&interactive=1');
    const box = { x: expect.any(Number), y: expect.any(Number), width: expect.any(Number), height: expect.any(Number) };
    expect([lines.body, json.body]).toMatchObject([
      {
        refs: [
          { ref: 'e1', box },
          { ref: 'e2', name: 'Add 0', box },
        ],
      },
      { text: expect.stringMatching(/"box":\{"x":\d/) },
    ]);
  });

  it('[SN9] a part of the page is selected by a selector, also one without a line of its own', async () => {
    const session = await open();
    const [item, role] = [
      await snapshot(session, 'selector=li:nth-child(2)'),
      await server.act(session, { kind: 'snapshot', role: 'heading', name: 'Pots' }),
    ];
    expect([item.body, role]).toMatchObject([
      { text: '- listitem\n  - text "Pot 1"\n  - button "Add 1" [ref=e3]' },
      { ok: true, value: { text: '- heading "Pots" [level=1]' } },
    ]);
  });

  it('[SN3] the numbers of webarena are those of the step language', async () => {
    const session = await open();
    const { body } = z.object({ body: z.object({ text: z.string() }) }).parse(await snapshot(session, 'view=webarena'));
    const number = /\[(\d+)\] button 'Add 2'/.exec(body.text)?.[1];
    const { status } = await server.api('POST', `/api/v1/sessions/${session}/tabs/active/steps`, {
      step: `click [${number}]`,
    });
    expect([status, (await snapshot(session, 'find=added')).body]).toMatchObject([
      200,
      { text: expect.stringContaining('button "Added 2"') },
    ]);
  });

  it('[SN3][ST2] every line of webarena has a number; the caller sets the ignored properties and the action splitter', async () => {
    const session = await open();
    const text = async (query: string): Promise<string> =>
      z.object({ body: z.object({ text: z.string() }) }).parse(await snapshot(session, `view=webarena${query}`)).body
        .text;
    const [plain, own] = [await text(''), await text('&ignoreProperties=focusable,invalid&ignoreRoles=')];
    const number = /\[(\d+)\] StaticText 'Pot 1'/.exec(plain)?.[1];
    const steps = (body: object) => server.api('POST', `/api/v1/sessions/${session}/tabs/active/steps`, body);
    const done = await steps({ text: `I look at <a>hover [${number}]<a>, not at \`click [2]\`.`, splitter: '<a>' });
    const acted = await server.act(session, {
      kind: 'snapshot',
      view: 'webarena',
      ignoreProperties: ['focusable', 'invalid'],
      ignoreRoles: [],
    });
    const wrong = await steps({ step: 'click [2]', splitter: '<a>' });

    expect(
      plain
        .split('\n')
        .slice(2)
        .filter((line) => !/^\t*\[\d+\] \w+ '/.test(line)),
    ).toEqual([]);
    expect([/level|list ''/.test(plain), own.includes("heading 'Pots' level: 1"), own.includes("] list ''")]).toEqual([
      false,
      true,
      true,
    ]);
    expect([done, acted, wrong]).toMatchObject([
      { status: 200, body: { parsed: { rule: 'splitter' }, reply: { ok: true } } },
      { value: { text: own } },
      { status: 400, body: { error: { message: expect.stringContaining('"splitter"') } } },
    ]);
  });

  it('[SN3] accepts every option, and names a wrong one', async () => {
    const session = await open();
    const arena = await snapshot(session, 'view=webarena&interactive=1&maxChars=240');
    const frame = await snapshot(session, 'frame=f3');
    const view = await snapshot(session, 'view=xml');
    expect([arena.body, frame, view]).toMatchObject([
      {
        text: expect.stringMatching(/^Tab 0 \(current\): '[^']+'\n\n\[2\] button 'Add 0'\n/),
        truncated: { totalLines: 14 },
      },
      { status: 409, body: { error: { code: 'NODE_GONE', message: 'No frame is "f3".' } } },
      { status: 400, body: { error: { code: 'BAD_REQUEST', message: expect.stringContaining('"view"') } } },
    ]);
  });
});

describe('POST …/act', () => {
  it('[AC5] a reply contains the changes since the caller looked', async () => {
    const session = await open();
    await snapshot(session, 'interactive=1');
    const reply = await server.act(session, { kind: 'click', role: 'button', name: 'Add 7', snapshot: 'delta' });
    expect(reply).toMatchObject({
      ok: true,
      revision: 2,
      snapshot: {
        text: '# Changed since revision 1, now 2:\n-- button "Add 7" [ref=e9]\n+- button "Added 7" [active] [ref=e14]',
        delta: { since: 1 },
      },
    });
  });
});
