import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import type { HealthView } from '@/lib/protocol/views';
import { closeLanes, openLanes } from '@/server/cdp/lanes';
import { lightLoop } from '@/server/testing/light-loop';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/page-fixture';
import { QUICK_HANG } from '@/server/testing/timings';
import type { Session } from './session';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Stuck</title><input id="field"><button id="b" onclick="document.title='clicked'">Press</button>`;
const LOOP = { kind: 'evaluate', fn: `() => { setTimeout(() => { ${await lightLoop()} }, 20); }` };

let server: TestServer;
let page: { port: number; close: () => void };
let cookie: string;

beforeAll(async () => {
  page = await serveHtml(PAGE);
  server = await sharedTestServer({ timings: QUICK_HANG });
  cookie = await server.signIn();
});

afterAll(async () => {
  await server.close();
  page.close();
});

/** As a person does it, signed in by cookie. */
async function asPerson(session: string, action: unknown): Promise<Reply> {
  const headers = { cookie, origin: server.origin, 'content-type': 'application/json' };
  const response = await fetch(`${server.origin}/api/v1/sessions/${session}/tabs/active/act`, {
    method: 'POST',
    headers,
    body: JSON.stringify(action),
  });
  return replySchema.parse(await response.json());
}

function sessionOf(id: string): Session {
  const { hub, access } = server.running.services;
  return hub.get(access.owner.workspace, id);
}

/** Settles when the tab's health is so, while somebody watches it. */
async function health(id: string, fits: (health: HealthView) => boolean): Promise<void> {
  const session = sessionOf(id);
  const stop = session.activeSessionTab().tab.hangMonitor.want();
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!fits(session.activeSessionTab().tab.health)) return;
      off();
      resolve();
    };
    const off = session.onChange.on(look);
    look();
  });
  stop();
}

/** A session whose page was hung by an agent that holds the lease. */
async function hungByAgent(): Promise<string> {
  const { id } = await server.session(`http://127.0.0.1:${page.port}/`);
  await server.act(id, LOOP);
  await health(id, ({ state }) => state === 'hung');
  return id;
}

const click = { kind: 'click', selector: '#b' };

describe('a tab that an agent has hung', () => {
  it('[EV4][CO9] is freed by a person without the lease: the script is stopped, the page stays, the agent goes on', async () => {
    const id = await hungByAgent();
    const before = sessionOf(id).control('t1');
    const helped = await asPerson(id, { kind: 'remedy', do: 'stop-script' });
    const after = sessionOf(id).control('t1');
    const clicked = await server.act(id, click);
    const rows = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=remedy`);

    expect(helped).toMatchObject({ ok: true, kind: 'remedy', warnings: [] });
    expect([after.holder, after.epoch]).toEqual([before.holder, before.epoch]);
    expect(clicked.ok).toBe(true);
    expect(rows.body).toMatchObject([
      { phase: 'intent', door: 'ui', actor: { kind: 'human' } },
      { phase: 'outcome', outcome: 'ok', text: 'stop the running script', deed: { word: 'stopScript' } },
    ]);
  }, 20_000);

  it('[EV4] is reloaded, gets a blank page, or continues in a new page with the same id, address and lease', async () => {
    const id = await hungByAgent();
    const reloaded = await asPerson(id, { kind: 'remedy', do: 'reload' });
    const clicked = await server.act(id, click);
    await server.act(id, LOOP);
    await health(id, ({ state }) => state === 'hung');
    const [old] = sessionOf(id).view().tabs;
    const restarted = await asPerson(id, { kind: 'remedy', do: 'restart' });
    const [fresh, ...others] = sessionOf(id).view().tabs;
    const clickedAgain = await server.act(id, click);
    await server.act(id, LOOP);
    await health(id, ({ state }) => state === 'hung');
    const blank = await asPerson(id, { kind: 'remedy', do: 'blank' });

    expect([reloaded.ok, clicked.ok, restarted.ok, clickedAgain.ok, blank.ok]).toEqual([true, true, true, true, true]);
    expect(fresh).toMatchObject({
      id: 't1',
      url: old?.url,
      control: { holder: old?.control.holder, epoch: old?.control.epoch },
    });
    expect([fresh?.targetId === old?.targetId, others]).toEqual([false, []]);
    expect(sessionOf(id).view().tabs[0]?.url).toBe('about:blank');
  }, 40_000);

  it('[CO9] cannot be freed by another agent, nor by anybody while a person drives', async () => {
    const { id } = await server.session(`http://127.0.0.1:${page.port}/`);
    await server.act(id, click);
    const byOther = await server.act(id, { kind: 'remedy', do: 'blank' }, 'other-bot');
    await asPerson(id, { kind: 'none' });
    const control = await fetch(`${server.origin}/api/v1/sessions/${id}/tabs/t1/control`, {
      method: 'POST',
      headers: { cookie, origin: server.origin, 'content-type': 'application/json' },
      body: '{"do":"take"}',
    });
    const byLoser = await server.act(id, { kind: 'remedy', do: 'restart' });

    expect(control.status).toBe(200);
    expect([byOther.error?.code, byLoser.error?.code]).toEqual(['CONTROL_HELD', 'CONTROL_HELD']);
  });

  it('[CO9] has its dialog answered by a person, and keeps its lease', async () => {
    const { id } = await server.session(`http://127.0.0.1:${page.port}/`);
    await server.act(id, {
      kind: 'evaluate',
      fn: '() => { setTimeout(() => { document.title = String(confirm("Sure?")); }, 0); }',
    });
    await health(id, ({ state }) => state === 'dialog');
    const answered = await asPerson(id, { kind: 'remedy', do: 'answer-dialog', accept: true });
    const title = await server.act(id, { kind: 'evaluate', fn: 'document.title' });

    expect(answered.ok).toBe(true);
    expect(title.value).toBe('true');
  });
});

describe('a page at a breakpoint of other developer tools', () => {
  it('[EV3][CO9] is distinguished from a running script, and resumes on request', async () => {
    const { id } = await server.session(`http://127.0.0.1:${page.port}/`);
    const budget = createBudget({ timeoutMs: 20_000, clock: monotonicClock });
    const tools = await openLanes(budget, sessionOf(id).init.contextRef.browser.wsUrl, {});
    const other = await tools.commands.attach(sessionOf(id).activeSessionTab().tab.targetId);
    await other.send('Debugger.enable');
    const running = await server.act(id, { kind: 'remedy', do: 'resume', timeoutMs: 5_000 });
    await server.act(id, {
      kind: 'evaluate',
      fn: '() => { setTimeout(() => { debugger; document.title = "went on"; }, 20); }',
    });
    await health(id, ({ said }) => said?.code === 'pagePaused');
    const resumed = await asPerson(id, { kind: 'remedy', do: 'resume' });
    const wentOn = await server.act(id, { kind: 'wait', fn: '() => document.title === "went on"' });
    closeLanes(tools);
    budget.dispose();

    expect(running.error?.code).toBe('CONFLICT');
    expect(resumed.ok).toBe(true);
    expect(wentOn.error).toBeUndefined();
  }, 30_000);
});

describe('a new session', () => {
  it('[SE1] is called after its site unless it is given a name', async () => {
    const made = await server.session(`http://127.0.0.1:${page.port}/`);
    const empty = await server.session();

    expect([made.name, empty.name]).toEqual([`127.0.0.1:${page.port}`, expect.stringMatching(/^Session \d+$/)]);
  });
});

describe('opening an address', () => {
  it('[AC5] is done at commit for callers who wait for no more', async () => {
    const { id } = await server.session();
    const reply = await server.act(id, {
      kind: 'navigate',
      url: `http://127.0.0.1:${page.port}/`,
      waitUntil: 'commit',
      timeoutMs: 10_000,
    });

    expect(reply).toMatchObject({ ok: true, url: `http://127.0.0.1:${page.port}/` });
  });
});
