import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { InputEvent } from '@/lib/protocol/input';
import { PICTURES } from '@/server/session/feature-slots';
import type { Tab } from '@/server/browser/tab';
import type { CdpSession } from '@/server/cdp/session';
import { endSessions } from '@/server/testing/server';
import { lightLoop } from '@/server/testing/light-loop';
import { soon } from '@/server/testing/private-page';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * What Chrome has queued behind a script that runs elsewhere than in the tab's own page: in a frame of another process,
 * in a popup of the same one (CO3).
 */

const COUNTS = `<button id="b" style="position:absolute;left:0;top:0;width:100px;height:40px" onclick="window.pressed = (window.pressed ?? 0) + 1">Press</button><a id="l" href="#gone" style="position:absolute;left:0;top:50px;width:100px;height:40px">Leave</a>`;
const fixture = useServerFixture({
  '/': `<title>Outer</title><body style="margin:0"><iframe src="ELSEWHERE/inner" style="position:absolute;left:0;top:200px;width:300px;height:200px;border:0"></iframe>${COUNTS}`,
  '/inner': `<title>Inner</title><body style="margin:0">${COUNTS}`,
  '/popup': `<title>Popup</title><body style="margin:0">${COUNTS}`,
  '/opener': `<title>Opener</title><body style="margin:0">${COUNTS}`,
});

const LOOP = `setTimeout(() => { ${await lightLoop()} }, 0)`;

interface Part {
  /** Asks the page or frame in question. */
  readonly session: CdpSession;
  answers(ms: number): Promise<boolean>;
}

async function run(session: CdpSession, expression: string): Promise<unknown> {
  return (await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value;
}

const seen = (session: CdpSession): Promise<unknown> => run(session, '[window.pressed ?? 0, location.hash].join()');

/** All that was queued has been through: two frames and a task. */
const settled = (session: CdpSession): Promise<unknown> =>
  run(session, 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))');

async function hang({ session, answers }: Part): Promise<void> {
  await run(session, `document.querySelector('#b').focus(); ${LOOP}`);
  while (await answers(60));
}

/** Sends an agent's action to a place of a tab; resolves later to the code of its answer. */
type Sent = (agent: Client, id: string, tab: Tab, at: { x: number; y: number }) => Promise<string | undefined>;

/** Press and release, as raw input. */
function click(dy: number): Sent {
  return async (agent, session, tab, at) => {
    const epoch = fixture.inside(session).leases.lease(tab.id)?.epoch ?? 0;
    const place = { x: at.x + 50, y: at.y + dy, button: 'left', clickCount: 1, modifiers: 0 } as const;
    const send = (event: InputEvent): ReturnType<typeof ask<'input'>> =>
      ask(agent, 'input', {
        session,
        tab: tab.id,
        epoch,
        geometry: PICTURES.of(fixture.inside(session).registry.find(tab.id)).geometry,
        event,
      });
    const answers = await Promise.all([
      send({ type: 'down', ...place, buttons: 1 }),
      send({ type: 'up', ...place, buttons: 0 }),
    ]);
    return answers.map((answer) => (answer.ok ? 'ok' : answer.error.code)).find((code) => code !== 'ok');
  };
}

const press: Sent = async (_agent, session, tab) =>
  (await fixture.server.act(session, { kind: 'press', key: 'Space', timeoutMs: 20_000, tab: tab.id }, 'driver')).error
    ?.code;

const WAYS: readonly (readonly [what: string, sent: Sent])[] = [
  ['a click', click(20)],
  ['a click on a link', click(70)],
  ['a key', press],
];

/** A driving agent sends it; once Chrome has it a person takes the lease. Returns the agent's answer. */
async function takenBehind(
  id: string,
  tab: Tab,
  sent: Sent,
  at: { x: number; y: number },
): Promise<string | undefined> {
  const agent = fixture.agent('driver');
  await ask(agent, 'session.join', { session: id });
  const told = sent(agent, id, tab, at);
  await soon(() => tab.input.held().keys.length + tab.input.held().buttons.length > 0);
  await ask(agent, 'session.join', { session: id });
  const taken = await fixture.control(id, { do: 'take' });
  expect(taken).toMatchObject({ status: 200, body: { state: 'held', holder: { kind: 'human' } } });
  return told;
}

/** A page with a frame of another site that is there whole; `session` asks the frame. */
async function openWithFrame() {
  const id = await fixture.open('driver');
  const { tab } = fixture.inside(id).activeSessionTab();
  await soon(() => tab.frames.targets().length === 1);
  const [frame] = tab.frames.targets();
  if (!frame) throw new Error('The frame has a process of its own.');
  const { sentinel: session } = frame.sessions;
  // On its way it may have no document for a moment.
  await soon(async () => (await run(session, 'document.readyState').catch(() => '')) === 'complete');
  return { id, tab, frame, session };
}

/** Opened once: each test leaves its pages as they were, and gives the lease back; one that fails leaves a new one. */
let framed: Awaited<ReturnType<typeof openWithFrame>>;
beforeAll(async () => {
  framed = await openWithFrame();
}, 60_000);
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return void (await fixture.control(framed.id, { do: 'release' }));
  await endSessions(fixture.server, [framed.id]);
  framed = await openWithFrame();
  fixture.keep(framed.id);
}, 60_000);

describe('taking the lease while a frame of another site loops', () => {
  it.each(WAYS)(
    '[CO3] %s in it, queued behind the loop, never takes effect, and the frame works again',
    async (_, sent) => {
      const { id, tab, frame, session } = framed;
      await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'driver');
      await hang({ session, answers: (ms) => frame.sentinel.answers(ms) });
      const told = await takenBehind(id, tab, sent, { x: 0, y: 200 });
      await settled(session);

      expect([told, await seen(session), tab.input.held()]).toMatchObject([
        'CONTROL_LOST',
        '0,',
        { keys: [], buttons: [] },
      ]);
    },
    90_000,
  );
});

describe('a lease that is taken while a popup loops that shares the renderer', () => {
  it.each(WAYS)(
    '[CO3][AC6] %s in the opener, queued behind the loop, never takes effect, and both work again',
    async (_, sent) => {
      const { id } = await fixture.server.session(`${fixture.site}/opener`, 'driver');
      await fixture.server.act(
        id,
        { kind: 'evaluate', fn: '(url) => { window.open(url); }', args: [`${fixture.site}/popup`] },
        'driver',
      );
      await soon(() => fixture.inside(id).registry.all().length === 2);
      const [opener, popup] = fixture
        .inside(id)
        .registry.all()
        .map((sessionTab) => sessionTab.tab);
      if (!opener || !popup) throw new Error('There are two tabs.');
      await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: popup.id }, 'driver');
      await run(opener.sessions.sentinel, "document.querySelector('#b').focus()");
      await hang({ session: popup.sessions.sentinel, answers: (ms) => popup.sentinel.answers(ms) });
      expect(await opener.sentinel.answers(300)).toBe(false);
      const told = await takenBehind(id, opener, sent, { x: 0, y: 0 });
      await settled(opener.sessions.sentinel);

      expect([told, await seen(opener.sessions.sentinel), opener.input.held()]).toMatchObject([
        'CONTROL_LOST',
        '0,',
        { keys: [], buttons: [] },
      ]);
      expect(await popup.sentinel.answers(5_000)).toBe(true);
    },
    90_000,
  );
});

describe('taking the lease while a popup of a frame of another site loops', () => {
  it('[CO3][AC6] a click in the frame, queued behind the loop, never takes effect, and both work again', async () => {
    const { id, tab, frame, session } = framed;
    const { registry } = fixture.inside(id);
    const before = registry.all();
    await session.send('Runtime.evaluate', {
      expression: `void window.open('${fixture.elsewhere}/popup')`,
      userGesture: true,
    });
    await soon(() => registry.all().length > before.length);
    const popup = registry.all().find((one) => !before.includes(one))?.tab;
    if (!popup) throw new Error('There are two tabs.');
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: popup.id }, 'driver');
    for (const one of [popup, tab])
      await fixture.server.act(id, { kind: 'press', key: 'Shift', tab: one.id }, 'driver');
    await hang({ session: popup.sessions.sentinel, answers: (ms) => popup.sentinel.answers(ms) });
    expect([await frame.sentinel.answers(300), await tab.sentinel.answers(2_000)]).toEqual([false, true]);
    const told = await takenBehind(id, tab, click(20), { x: 0, y: 200 });
    await settled(session);

    expect([told, await seen(session), tab.input.held()]).toMatchObject([
      'CONTROL_LOST',
      '0,',
      { keys: [], buttons: [] },
    ]);
    expect(await popup.sentinel.answers(5_000)).toBe(true);
  }, 90_000);
});
