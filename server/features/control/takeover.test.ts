import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lightLoop } from '@/server/testing/light-loop';
import { serveHtml } from '@/server/testing/page-fixture';
import { useServerFixture } from '@/server/testing/server-fixture';
import { sized } from '@/server/testing/sized';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Take over</title><input id="field" aria-label="Field"><button id="b">Press</button>`;

const fixture = useServerFixture(PAGE);

const { control, open } = fixture;

/** A session for tests in which a person takes the lease of its one tab; it is free again after each. */
let driven: string;
beforeAll(async () => {
  driven = await open();
});
afterEach(() => control(driven, { do: 'release' }));

/** Waits until the page says so; the condition is looked at by the wait action itself. */
async function untilTyped(session: string): Promise<void> {
  const sessionTab = fixture.inside(session).activeSessionTab();
  for (;;) {
    const answer = await sessionTab.tab.sessions.sentinel.send('Runtime.evaluate', {
      expression: 'document.querySelector("#field").value.length',
      returnByValue: true,
    });
    if (Number(answer.result.value) > 2) return;
  }
}

/** Waits until the page's main thread is really busy. */
async function untilSilent(session: string): Promise<void> {
  const { sentinel } = fixture.inside(session).activeSessionTab().tab;
  while (await sentinel.answers(100));
}

async function fieldText(session: string): Promise<string> {
  const sessionTab = fixture.inside(session).activeSessionTab();
  const answer = await sessionTab.tab.sessions.sentinel.send('Runtime.evaluate', {
    expression: 'document.querySelector("#field").value',
    returnByValue: true,
  });
  return String(answer.result.value);
}

describe('taking the lease from an agent', () => {
  it('[CO3] stops typing between two keystrokes; nothing is written afterwards', async () => {
    const session = driven;
    const typing = fixture.server.act(session, {
      kind: 'type',
      selector: '#field',
      text: 'x'.repeat(200),
      slowly: true,
    });
    await untilTyped(session);
    const taken = await control(session, { do: 'take' });
    const atGrant = await fieldText(session);
    const reply = await typing;
    const later = await fieldText(session);

    expect(taken).toMatchObject({
      status: 200,
      body: { state: 'held', holder: { kind: 'human' }, takenFrom: { kind: 'agent' } },
    });
    expect(reply.error).toMatchObject({
      code: 'CONTROL_LOST',
      message: expect.stringMatching(/took the wheel/),
      retry: 'later',
    });
    expect([atGrant.length < 200, later]).toEqual([true, atGrant]);
  });

  it('[CO3] ends a script that loops, before the lease is given, and the page works again', async () => {
    const session = driven;
    const before = await fieldText(session);
    const looping = fixture.server.act(session, {
      kind: 'evaluate',
      fn: '() => { while (true) {} }',
      timeoutMs: 60_000,
    });
    await untilSilent(session);
    let late = false;
    const marker = setTimeout(() => (late = true), 2_500);
    const taken = await control(session, { do: 'take' });
    clearTimeout(marker);
    const reply = await looping;

    expect([taken.status, late, reply.error?.code]).toEqual([200, false, 'CONTROL_LOST']);
    expect(await fieldText(session)).toBe(before);
  });

  it('[CO2] refuses the agent at once while a person drives, and names the person', async () => {
    const session = driven;
    await control(session, { do: 'take' });
    const reply = await fixture.server.act(session, { kind: 'click', selector: '#b' });

    expect(reply.error).toMatchObject({
      code: 'CONTROL_HELD',
      message: 'Owner has the wheel.',
      details: { holder: { kind: 'human' } },
    });
  });

  it('[CO1] covers the whole session: no new tab, no resize, popups inherit', async () => {
    const session = driven;
    await control(session, { do: 'take' });
    const tab = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, {});
    const resize = await fixture.server.act(session, { kind: 'resize', width: 800, height: 600 });

    expect([tab.status, resize.error?.code]).toEqual([409, 'CONTROL_HELD']);
  });

  it('[CO1] a second agent opens a tab of its own once no other holds one; until then it is told the holders and what to do', async () => {
    const session = await open();
    const second = { 'x-agent': 'second' };
    const byRoute = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, {}, second);
    const byAction = await fixture.server.act(session, { kind: 'tab', do: 'open' }, 'second');
    await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'release' });
    const opened = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, {}, second);
    const acted = await fixture.server.api(
      'POST',
      `/api/v1/sessions/${session}/tabs/t2/act`,
      { kind: 'press', key: 'Tab' },
      second,
    );

    const held = {
      code: 'CONTROL_HELD',
      message: expect.stringMatching(
        / has the wheel of a tab in this session, and this action affects more than one tab\.$/,
      ),
      hint: 'Make a session of your own, or wait: GET …/tabs/t1/control/wait?timeoutMs=60000 answers when you may act.',
      retry: 'later',
      details: {
        tab: 't1',
        holder: { kind: 'agent' },
        since: expect.any(String),
        epoch: expect.any(Number),
        reason: 'first to act',
      },
    };
    expect([byRoute.status, byRoute.body, byAction.error]).toMatchObject([409, { error: held }, held]);
    expect([opened.status, acted.body]).toMatchObject([201, { ok: true, tab: 't2' }]);
  });

  it('[CO2] an agent cannot reach a tab that a person holds through another tab', async () => {
    const session = await open();
    await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, {});
    await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t2/control`, { do: 'release' });
    const headers = { ...fixture.owner, 'content-type': 'application/json' };
    await fetch(`${fixture.server.origin}/api/v1/sessions/${session}/tabs/t2/control`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ do: 'take', scope: 'tab' }),
    });
    const reply = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/act`, {
      kind: 'tab',
      do: 'close',
      index: 1,
    });
    const tabs = await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs`);

    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'CONTROL_HELD' } } });
    expect(tabs.body).toHaveLength(2);
  });

  it('[EV4] a remedy does not wait behind the action that hangs', async () => {
    const hanging = await serveHtml(`<title>Hangs</title><script>${await lightLoop()}</script>`);
    const session = await open();
    const stuck = fixture.server.act(session, {
      kind: 'navigate',
      url: `http://127.0.0.1:${hanging.port}/`,
      timeoutMs: 60_000,
    });
    const { tab } = fixture.inside(session).activeSessionTab();
    await untilSilent(session);
    const stopWatching = tab.hangMonitor.want();
    while (tab.health.state !== 'hung') await new Promise((resolve) => tab.onChange.on(() => resolve(undefined)));
    let late = false;
    const marker = setTimeout(() => (late = true), 8_000);
    const remedy = await fixture.server.act(session, { kind: 'navigate', url: 'about:blank' });
    clearTimeout(marker);
    stopWatching();
    hanging.close();

    expect([remedy.ok, late, (await stuck).error?.code]).toEqual([true, false, 'ABORTED']);
  });

  it('[CO1] a participant who drives and opens a tab drives the new one too', async () => {
    const session = await open();
    const reply = await fixture.server.act(session, { kind: 'tab', do: 'open' });
    const { body } = await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/t2/control`);

    expect([reply.ok, body]).toMatchObject([true, { state: 'held', holder: { kind: 'agent' } }]);
  });

  it('[CO4] of many simultaneous takes (two hundred in the proof) one wins', async () => {
    const takes = sized(60, 200);
    const session = await open();
    const grabs = await Promise.all(
      Array.from({ length: takes }, (_, index) =>
        fixture.server
          .api(
            'POST',
            `/api/v1/sessions/${session}/tabs/active/control`,
            { do: 'release' },
            { 'x-agent': `agent-${index}` },
          )
          .then(() =>
            fixture.server.api(
              'POST',
              `/api/v1/sessions/${session}/tabs/active/act`,
              { kind: 'press', key: 'Shift' },
              { 'x-agent': `agent-${index}` },
            ),
          ),
      ),
    );
    const won = grabs.filter(({ status }) => status === 200);

    expect(won.length).toBeLessThanOrEqual(1);
    expect(grabs.filter(({ status }) => status === 409).length).toBe(takes - won.length);
  }, 90_000);

  it('[AC4] releases held keys and buttons when the lease passes', async () => {
    const session = driven;
    const holding = fixture.server.act(session, { kind: 'click', selector: '#b', holdMs: 5_000 });
    const live = fixture.inside(session);
    const { input } = live.activeSessionTab().tab;
    await expect.poll(() => input.held().buttons, { timeout: 20_000 }).not.toEqual([]);
    await control(session, { do: 'take' });
    const reply = await holding;

    expect([reply.error?.code, input.held()]).toMatchObject(['CONTROL_LOST', { buttons: [], keys: [] }]);
  });

  it('[TL1] writes everything to the timeline, intent before outcome', async () => {
    const session = await open();
    await fixture.server.act(session, { kind: 'click', selector: '#b' });
    await control(session, { do: 'take' });
    await control(session, { do: 'hand-back', note: 'go on' });
    const { body } = await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline`);
    const events = Array.isArray(body) ? body : [];
    const rows = events
      .filter((event) => event.kind === 'click' || event.kind === 'control')
      .map((event) => `${event.phase}: ${event.text}`);

    expect(rows.slice(-4)).toEqual([
      'intent: click #b',
      'outcome: click button “Press”',
      'event: took the wheel',
      'event: handed the wheel back to Agent: “go on”',
    ]);
  });
});
