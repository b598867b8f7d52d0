import { beforeEach, describe, expect, it } from 'vitest';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { refOf, TEST_KEY, TEST_SEARCH } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ask } from '@/server/testing/socket-client';
import type { WebPage } from '@/server/testing/web';

/** Requests as older servers and agents send them, with their replies, on a page that shows the effect (AC9). */
const PAGES: Record<string, WebPage> = {
  '/': `<title>Older</title><style>#a, #b { position: absolute; top: 300px; width: 80px; height: 80px; background: #ccc } #b { left: 200px }</style><p id="out"></p>
    <button onclick="say('click')" ondblclick="say('double')" oncontextmenu="say('menu'); return false" onmouseover="say('over')" style="position: absolute; left: 400px; top: 300px; width: 90px; height: 40px">Press</button>
    <form onsubmit="say('sent ' + new FormData(this).get('q')); return false"><input name="q" aria-label="Query"><input type="checkbox" aria-label="Agree" onchange="say('agree ' + this.checked)"></form>
    <select aria-label="Size" onchange="say(this.value)"><option value="s">Small<option value="l">Large</select><a href="/file">Report</a><a href="/other">Other</a>
    <input type="file" aria-label="File" onchange="say(this.files[0].name)"><button onclick="document.querySelector('[type=file]').click()">Choose</button><button onclick="say(confirm('Sure?'))">Ask</button>
    <div id="a" role="img" aria-label="From" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'it')"></div><div id="b" role="img" aria-label="To" ondragover="event.preventDefault()" ondrop="event.preventDefault(); say('dropped')"></div>
    <div style="height: 3000px"></div><script>const whole = document.body.innerHTML; const again = () => { document.body.innerHTML = whole; scrollTo(0, 0) }; const say = (what) => { out.textContent += what + ';' }; onkeydown = (event) => { if (event.key === 'Escape') say('escape') }</script>`,
  '/other': '<title>Other</title><h1>Other page</h1>',
  '/file': (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('the report'),
};

const fixture = useServerFixture(PAGES);
let session = '';

async function opened(): Promise<string> {
  const id = await fixture.open();
  fixture.keep(id);
  await fixture.server.api('PUT', `/api/v1/sessions/${id}/files/up.txt`, { any: 'content' });
  return id;
}

/** The page as it was loaded, in the session of the test before where that left it with its one tab. */
beforeEach(async () => {
  const tabs = session === '' ? 0 : fixture.inside(session).registry.all().length;
  // The pointer is moved away from what the test before pressed.
  const fresh = [
    { kind: 'hover', at: { x: 1, y: 1 } },
    { kind: 'evaluate', fn: 'again()' },
  ];
  if (tabs === 1 && (await fixture.server.act(session, { kind: 'batch', actions: fresh })).ok) return;
  const moved = tabs === 1 && (await fixture.server.act(session, { kind: 'navigate', url: fixture.url })).ok;
  if (!moved) session = await opened();
});

type Name = (role: string, name: string) => string;

interface Case {
  /** The payload; `ref` gives the ref of an element. */
  readonly sent: (ref: Name) => object;
  /** A part of the expected reply. */
  readonly reply: object;
  /** The expected text of the page; absent when the reply is enough. */
  readonly page?: string;
}

const press = (ref: Name): string => ref('button', 'Press');

/** Payloads of older servers, by their origin. */
const HTTP_ACT: readonly (readonly [string, Case])[] = [
  [
    'click',
    {
      sent: (ref) => ({ kind: 'click', ref: press(ref) }),
      reply: { ok: true, kind: 'click', via: 'node' },
      page: 'over;click;',
    },
  ],
  [
    'click, double',
    {
      sent: (ref) => ({ kind: 'click', ref: press(ref), doubleClick: true }),
      reply: { ok: true, kind: 'click' },
      page: 'over;click;click;double;',
    },
  ],
  [
    'click with another button',
    { sent: (ref) => ({ kind: 'click', ref: press(ref), button: 'right' }), reply: { ok: true }, page: 'over;menu;' },
  ],
  [
    'clickCoords',
    {
      sent: () => ({ kind: 'clickCoords', x: 440, y: 320 }),
      reply: { ok: true, kind: 'click', via: 'point' },
      page: 'over;click;',
    },
  ],
  ['hover', { sent: (ref) => ({ kind: 'hover', ref: press(ref) }), reply: { ok: true, kind: 'hover' }, page: 'over;' }],
  [
    'type',
    {
      sent: (ref) => ({ kind: 'type', ref: ref('textbox', 'Query'), text: 'tea', submit: true }),
      reply: { ok: true, kind: 'type' },
      page: 'sent tea;',
    },
  ],
  ['press', { sent: () => ({ kind: 'press', key: 'Escape' }), reply: { ok: true, kind: 'press' }, page: 'escape;' }],
  [
    'fill',
    {
      sent: (ref) => ({
        kind: 'fill',
        fields: [
          { ref: ref('textbox', 'Query'), type: 'text', value: 'x' },
          { ref: ref('checkbox', 'Agree'), type: 'checkbox', value: true },
        ],
      }),
      reply: { ok: true, kind: 'fill', value: { filled: 2 } },
      page: 'agree true;',
    },
  ],
  [
    'select',
    {
      sent: (ref) => ({ kind: 'select', ref: ref('combobox', 'Size'), values: ['l'] }),
      reply: { ok: true, kind: 'select', value: { selected: ['Large'] } },
      page: 'l;',
    },
  ],
  [
    'drag',
    {
      sent: (ref) => ({ kind: 'drag', startRef: ref('img', 'From'), endRef: ref('img', 'To') }),
      reply: { ok: true, kind: 'drag' },
      page: 'dropped;',
    },
  ],
  [
    'dragCoords',
    {
      sent: () => ({ kind: 'dragCoords', startX: 40, startY: 340, endX: 240, endY: 340 }),
      reply: { ok: true, kind: 'drag', via: 'point' },
      page: 'dropped;',
    },
  ],
  [
    'wait by several flat fields',
    {
      sent: () => ({ kind: 'wait', timeMs: 20, text: 'Press', url: '**/', loadState: 'load' }),
      reply: { ok: true, kind: 'wait' },
    },
  ],
  [
    'evaluate',
    {
      sent: (ref) => ({ kind: 'evaluate', fn: '(el) => el.textContent', ref: press(ref), timeoutMs: 5_000 }),
      reply: { ok: true, kind: 'evaluate', value: 'Press' },
    },
  ],
  [
    'resize',
    {
      sent: () => ({ kind: 'resize', width: 700, height: 500 }),
      reply: { ok: true, kind: 'resize', value: { width: 700, height: 500 } },
    },
  ],
  [
    'scrollIntoView',
    { sent: (ref) => ({ kind: 'scrollIntoView', ref: press(ref) }), reply: { ok: true, kind: 'scrollIntoView' } },
  ],
  [
    'the tab by targetId',
    {
      sent: () => ({ kind: 'evaluate', fn: 'document.title', targetId: 't1' }),
      reply: { ok: true, tab: 't1', value: 'Older' },
    },
  ],
  [
    'hooks/dialog',
    {
      sent: (ref) => ({
        kind: 'batch',
        actions: [
          { kind: 'hooks/dialog', accept: true },
          { kind: 'click', ref: ref('button', 'Ask') },
        ],
      }),
      reply: { ok: true, kind: 'batch' },
      page: 'true;',
    },
  ],
  [
    'hooks/file-chooser with a field',
    {
      sent: (ref) => ({ kind: 'hooks/file-chooser', paths: ['up.txt'], inputRef: ref('button', 'File') }),
      reply: { ok: true, kind: 'upload', value: { files: ['up.txt'] } },
      page: 'up.txt;',
    },
  ],
  [
    'hooks/file-chooser armed',
    {
      sent: (ref) => ({
        kind: 'batch',
        actions: [
          { kind: 'hooks/file-chooser', paths: ['up.txt'] },
          { kind: 'click', ref: ref('button', 'Choose') },
          { kind: 'wait', text: 'up.txt' },
        ],
      }),
      reply: { ok: true },
      page: 'up.txt;',
    },
  ],
  [
    'download',
    {
      sent: (ref) => ({ kind: 'download', ref: ref('link', 'Report'), path: 'mine.txt' }),
      reply: { ok: true, kind: 'download', value: { name: 'mine.txt', size: 10 } },
    },
  ],
  [
    'text',
    {
      sent: () => ({ kind: 'text' }),
      reply: { ok: true, kind: 'extract', value: { what: 'text', text: expect.stringContaining('Report') } },
    },
  ],
  [
    'tabs/open',
    {
      sent: () => ({ kind: 'tabs/open', url: `${fixture.site}/other` }),
      reply: { ok: true, kind: 'tab', newTabs: ['t2'], value: { title: 'Other' } },
    },
  ],
  ['tabs/list', { sent: () => ({ kind: 'tabs/list' }), reply: { ok: true, value: [{ id: 't1', title: 'Older' }] } }],
  ['close', { sent: () => ({ kind: 'close', targetId: 't1' }), reply: { ok: true, kind: 'tab' } }],
];

const STEPS_AND_TOOLS: readonly (readonly [string, Case])[] = [
  [
    'goto',
    {
      sent: () => ({ kind: 'goto', url: `${fixture.site}/other` }),
      reply: { ok: true, kind: 'navigate', navigated: true },
    },
  ],
  [
    'go_back',
    {
      sent: () => ({ kind: 'batch', actions: [{ kind: 'goto', url: `${fixture.site}/other` }, { kind: 'go_back' }] }),
      reply: { ok: true, kind: 'batch' },
      page: '',
    },
  ],
  ['new_tab and tab_focus', { sent: () => ({ kind: 'new_tab' }), reply: { ok: true, kind: 'tab', newTabs: ['t2'] } }],
  [
    'select_option',
    {
      sent: (ref) => ({ kind: 'select_option', ref: ref('combobox', 'Size'), values: ['Large'] }),
      reply: { ok: true, kind: 'select' },
      page: 'l;',
    },
  ],
  ['None', { sent: () => ({ kind: 'None' }), reply: { ok: true, kind: 'none' } }],
  ['stop', { sent: () => ({ kind: 'stop', answer: 'done' }), reply: { ok: true, value: { answer: 'done' } } }],
  [
    'click_element',
    {
      sent: (ref) => ({ kind: 'click_element', index: Number(press(ref).slice(1)) }),
      reply: { ok: true, kind: 'click' },
      page: 'over;click;',
    },
  ],
  [
    'input_text',
    {
      sent: (ref) => ({ kind: 'input_text', index: Number(ref('textbox', 'Query').slice(1)), text: 'tea' }),
      reply: { ok: true, kind: 'type' },
    },
  ],
  [
    'send_keys',
    { sent: () => ({ kind: 'send_keys', keys: 'Escape' }), reply: { ok: true, kind: 'press' }, page: 'escape;' },
  ],
  [
    'go_to_url',
    { sent: () => ({ kind: 'go_to_url', url: `${fixture.site}/other` }), reply: { ok: true, kind: 'navigate' } },
  ],
  [
    'scroll_down',
    { sent: () => ({ kind: 'scroll_down', amount: 300 }), reply: { ok: true, kind: 'scroll', value: { y: 300 } } },
  ],
  [
    'scroll_up',
    { sent: () => ({ kind: 'batch', actions: [{ kind: 'scroll_down' }, { kind: 'scroll_up' }] }), reply: { ok: true } },
  ],
  ['wait in seconds', { sent: () => ({ kind: 'wait', seconds: 0.05 }), reply: { ok: true, kind: 'wait' } }],
  [
    'extract_content',
    {
      sent: () => ({ kind: 'extract_content' }),
      reply: { ok: true, kind: 'extract', value: { what: 'markdown', text: expect.stringContaining('[Other](') } },
    },
  ],
  [
    'web_search',
    {
      sent: () => ({ kind: 'web_search', query: 'tea' }),
      reply: {
        ok: false,
        kind: 'search',
        error: { code: 'NAV_FAILED', details: { url: `${TEST_SEARCH}?q=tea` } },
      },
    },
  ],
  [
    'open_tab',
    { sent: () => ({ kind: 'open_tab', url: `${fixture.site}/other` }), reply: { ok: true, newTabs: ['t2'] } },
  ],
  ['switch_tab', { sent: () => ({ kind: 'switch_tab', page_id: 0 }), reply: { ok: true, value: { id: 't1' } } }],
  [
    'evaluate with code, of the action cache',
    { sent: () => ({ kind: 'evaluate', code: '1 + 1' }), reply: { ok: true, value: 2 } },
  ],
];

async function check({ sent, reply, page }: Case, send: (action: object) => Promise<Reply>): Promise<void> {
  const { server } = fixture;
  const snapshot = sent.length > 0 ? await server.snapshot(session) : undefined;
  const ref: Name = (role, name) => (snapshot ? refOf(snapshot, role, name) : '');
  expect(await send(sent(ref))).toMatchObject(reply);
  // An armed answer closes its dialog a moment after the reply.
  if (page !== undefined)
    await expect
      .poll(async () => (await server.act(session, { kind: 'evaluate', fn: 'out.textContent' })).value, {
        timeout: 10_000,
      })
      .toBe(page);
}

describe('older payloads by HTTP', () => {
  it.each([...HTTP_ACT, ...STEPS_AND_TOOLS])('[AC9] %s', (_, one) =>
    check(one, (action) => fixture.server.act(session, action)),
  );
});

describe('older payloads by Socket.IO', () => {
  it.each(HTTP_ACT.slice(0, 4))('[AC9] %s', (_, one) =>
    check(one, async (action) => {
      const line = fixture.connect({ auth: { key: TEST_KEY } });
      const answer = await ask(line, 'act', { session, tab: 'active', action });
      return replySchema.parse(answer.ok ? answer.data : answer.error);
    }),
  );
});
