import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lightLoop } from '@/server/testing/light-loop';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { QUICK_HANG } from '@/server/testing/timings';

const PAGES: Readonly<Record<string, string>> = {
  '/': '<h1>Home</h1>',
  // Asks for `/begins` right before it loops.
  '/stuck': `<script>addEventListener("load", () => { const begins = new XMLHttpRequest(); begins.open("GET", "/begins", false); begins.send(); ${await lightLoop()} })</script>`,
  // Busy until the test answers `/held`.
  '/busy':
    '<button>b</button><input><script>var worked = false; function work() { setTimeout(() => { const held = new XMLHttpRequest(); held.open("GET", "/held", false); held.send(); worked = true; }, 0); }</script>',
  '/asks': '<button onclick="for (;;) alert(1)">Ask</button><button onclick="alert(1)">Once</button>',
  '/slow': '<a href="/never">Never</a>',
  '/unsaved': '<button>Touch</button><script>onbeforeunload = (event) => event.preventDefault()</script>',
};

let server: TestServer;
let session: string | undefined;
let site: Server;
let origin: string;
const held: ServerResponse[] = [];
/** How many pages of `/stuck` have begun to loop. */
let loops = 0;
const letGo = (): void => held.splice(0).forEach((response) => response.end());
/** Settles when a page of `/busy` works. */
const atWork = (): Promise<void> => expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);

beforeAll(async () => {
  server = await sharedTestServer({ timings: QUICK_HANG });
  site = createServer((request, response) => {
    if (request.url === '/begins') loops += 1;
    if (request.url === '/held') held.push(response);
    else if (request.url !== '/never')
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[request.url ?? '/'] ?? '');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  origin = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`;
});
afterEach(letGo);
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await server.close();
});

const go = (path: string, more: object = {}): object => ({ kind: 'navigate', url: `${origin}${path}`, ...more });

/** A page that has just loaded, in the session of the test before where its tab can be used. */
async function shown(path = '/'): Promise<string> {
  const moved = session !== undefined && (await server.act(session, go(path))).ok;
  session = session !== undefined && moved ? session : (await server.session(`${origin}${path}`)).id;
  return session;
}

/** Shows a page that hangs. */
async function hang(id: string): Promise<void> {
  const before = loops;
  // On a busy machine its script may not have begun when the time is over.
  const shown = async () => {
    await server.act(id, go('/stuck', { timeoutMs: 1_500 }));
    return loops;
  };
  await expect.poll(shown).toBeGreaterThan(before);
}

describe('an unwatched page that hangs', () => {
  it('[EV4] can be left for another of its site; its script is stopped first', async () => {
    const id = await shown();
    await hang(id);
    const reply = await server.act(id, go('/', { timeoutMs: 15_000 }));
    expect([reply.error, reply.warnings, (await server.snapshot(id)).text]).toEqual([
      undefined,
      ['A running script was stopped first.'],
      '- heading "Home" [level=1]',
    ]);
  }, 40_000);

  it('[CO9] a timeout on it says that the page does not answer, and what helps', async () => {
    const id = await shown();
    await hang(id);
    // On a busy machine the page counts as hung later than this, and the next one tells.
    const refusal = async () => (await server.act(id, { kind: 'click', selector: 'h1', timeoutMs: 4_000 })).error;
    await expect.poll(refusal).toMatchObject({ code: 'TAB_UNRESPONSIVE', hint: expect.stringContaining('remedy') });
    expect((await server.act(id, { kind: 'remedy', do: 'stop-script' })).error).toBeUndefined();
  }, 40_000);
});

describe('a loop that Chrome ends late or never: JSON.parse of a large text', () => {
  const LOOP =
    '() => { const text = JSON.stringify(Array.from({ length: 200_000 }, (_, n) => ({ n }))); for (;;) JSON.parse(text); }';

  it.each(['restart', 'blank'] as const)(
    '[EV4] is shown as hung, and left by "%s": the tab can be used while the loop would go on for ever',
    async (remedy) => {
      const id = await shown();
      const { tab } = server.running.services.hub
        .get(server.running.services.access.owner.workspace, id)
        .activeSessionTab();
      const { error } = await server.act(id, { kind: 'evaluate', fn: LOOP, timeoutMs: 1_000 });
      await expect.poll(() => tab.health.state, { timeout: 10_000 }).toBe('hung');
      const helped = await server.act(id, { kind: 'remedy', do: remedy, timeoutMs: 15_000 });
      const there = await server.act(id, go('/', { timeoutMs: 15_000 }));
      expect([
        ['TIMEOUT', 'EVAL_TERMINATED'].includes(error?.code ?? ''),
        helped.error,
        there.error,
        (await server.snapshot(id)).text,
      ]).toEqual([true, undefined, undefined, '- heading "Home" [level=1]']);
    },
    60_000,
  );
});

describe('a page whose script runs for a while', () => {
  it('[CO9][SE5] counts as hung by itself after any action that ran out of time on it, and as ready by itself when it answers', async () => {
    const id = await shown('/busy');
    const { tab } = server.running.services.hub
      .get(server.running.services.access.owner.workspace, id)
      .activeSessionTab();
    const states: string[] = [];
    tab.onChange.on(() => states.push(tab.health.said?.code ?? tab.health.state));
    await server.act(id, { kind: 'evaluate', fn: 'work()' });
    await atWork();
    const acts = [
      { kind: 'click', selector: 'button' },
      { kind: 'type', selector: 'input', text: 'x' },
      { kind: 'snapshot' },
      { kind: 'extract', what: 'text' },
      { kind: 'screenshot' },
    ];
    const replies = await Promise.all(acts.map((action) => server.act(id, { ...action, timeoutMs: 300 })));
    // From here on only the tab's own heartbeat asks the page.
    await expect.poll(() => states.indexOf('scriptRuns'), { timeout: 15_000 }).toBeGreaterThanOrEqual(0);
    letGo();
    await expect.poll(() => tab.health.state, { timeout: 20_000 }).toBe('ready');
    const worked = await server.act(id, { kind: 'evaluate', fn: 'worked' });

    expect(replies.map(({ error }) => error?.code)).toEqual(acts.map(() => 'TIMEOUT'));
    expect(worked.value).toBe(true);
  }, 60_000);

  it('[CO9][BU2] counts as hung also when the caller went away before its budget was over', async () => {
    const id = await shown('/busy');
    const session = server.running.services.hub.get(server.running.services.access.owner.workspace, id);
    const { tab } = session.activeSessionTab();
    await server.act(id, { kind: 'evaluate', fn: 'work()' });
    await atWork();
    const gone = new AbortController();
    const begun = new Promise((resolve) =>
      session.timeline.onEvent.on((event) => event.phase === 'intent' && resolve(event)),
    );
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
    const call = fetch(`${server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
      method: 'POST',
      headers,
      body: '{"kind":"click","selector":"button"}',
      signal: gone.signal,
    }).catch(() => 'gone');
    await begun;
    gone.abort();
    await expect.poll(() => tab.health.said?.code, { timeout: 15_000 }).toBe('scriptRuns');
    letGo();
    await expect.poll(() => tab.health.state, { timeout: 20_000 }).toBe('ready');

    expect(await call).toBe('gone');
  }, 60_000);
});

describe('a page on its way to a server that does not answer', () => {
  it('[CO9] does not count as hung; its actions say what they wait for, and the tab can be used again when that is stopped', async () => {
    const id = await shown('/slow');
    await server.act(id, { kind: 'click', role: 'link', timeoutMs: 1_000 });
    // Longer than what makes an idle page count as hung.
    const { error } = await server.act(id, { kind: 'wait', text: 'never', timeoutMs: 3_000 });
    expect([error?.code, error?.message, error?.hint]).toEqual([
      'TIMEOUT',
      expect.stringMatching(new RegExp(`${origin}/never has not answered\\.$`)),
      'The page cannot be used until the address that was asked for answers. Wait longer, or stop it: {"kind":"remedy","do":"stop-loading"}.',
    ]);
    await server.act(id, { kind: 'remedy', do: 'stop-loading' });
    expect((await server.snapshot(id)).text).toContain('link "Never"');
  }, 40_000);

  it('[EV4] can be left for another at once', async () => {
    const id = await shown('/slow');
    await server.act(id, { kind: 'click', role: 'link', timeoutMs: 1_000 });
    const reply = await server.act(id, go('/'));
    expect([reply.error, reply.warnings, reply.url]).toEqual([undefined, [], `${origin}/`]);
  }, 40_000);
});

describe('a page that asks', () => {
  it('[DI1] can be left; its dialog is dismissed', async () => {
    const id = await shown('/asks');
    await server.act(id, { kind: 'click', role: 'button', name: 'Once' });
    const reply = await server.act(id, go('/'));
    expect([reply.error, reply.warnings, reply.url]).toEqual([
      undefined,
      ['The open dialog was dismissed first.'],
      `${origin}/`,
    ]);
  });

  it('[DI1] without end cannot be left, which would lose the tab, and the error says how to go on', async () => {
    const id = await shown('/asks');
    await server.act(id, { kind: 'click', role: 'button', name: 'Ask' });
    const { error } = await server.act(id, go('/'));
    const restarted = await server.act(id, { kind: 'remedy', do: 'restart' });
    expect([error?.code, error?.hint, restarted.error, (await server.snapshot(id)).text]).toEqual([
      'DIALOG_OPEN',
      expect.stringContaining('"restart"'),
      undefined,
      expect.stringContaining('button "Ask"'),
    ]);
  }, 40_000);
});

describe('a page with a beforeunload dialog', () => {
  it('[DI1] stays until the dialog is answered, and the navigation says so', async () => {
    const id = await shown();
    await server.act(id, go('/unsaved'));
    await server.act(id, { kind: 'click', role: 'button' });
    const replies = [await server.act(id, go('/')), await server.act(id, { kind: 'history', go: 'back' })];
    expect(replies.map(({ ok, url, error }) => [ok, url, error?.code])).toEqual(
      replies.map(() => [false, `${origin}/unsaved`, 'DIALOG_OPEN']),
    );
    const answered = await server.act(id, { kind: 'dialog', do: 'answer', accept: true });
    const arrived = await server.act(id, { kind: 'wait', text: 'Home' });
    expect([answered.ok, arrived.ok]).toEqual([true, true]);
  }, 40_000);
});
