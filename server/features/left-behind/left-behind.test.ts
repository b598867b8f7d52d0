import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { controlSchema } from '@/lib/protocol/views';
import type { CdpSession } from '@/server/cdp/session';
import { useServerFixture } from '@/server/testing/server-fixture';
import { sized } from '@/server/testing/sized';

/** Scripts that an agent left running have no effect after another participant holds the lease (CO3). */

const COUNTS = `<button id="b">Press</button><script>
  window.clicks = 0; window.own = 0; window.clock = 0;
  b.addEventListener('click', () => { clicks += 1; });
  setInterval(() => { own += 1; }, 20);
</script>`;
const fixture = useServerFixture({
  '/': `<title>Left</title>${COUNTS}<iframe src="/inner?same"></iframe><iframe src="ELSEWHERE/inner?other"></iframe>`,
  '/inner': `<title>Inner</title>${COUNTS}`,
  '/claims': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Claims</title>${COUNTS}<script>
    window.claimed = 0;
    window.claim = (name) => { (0, eval)('setInterval(() => { claimed += 1; }, 20)\\n//# sourceURL=' + name); };
    claim('evaluate-AAAAAAAAAAAAAAAAAAAAAA');
    const code = document.createElement('script'); code.textContent = 'setInterval(() => { claimed += 1000; }, 20)\\n//# sourceURL=evaluate-BBBBBBBBBBBBBBBBBBBBBB'; document.body.append(code);
    setInterval(() => { debugger; clock += 1; }, 20);
  </script>`),
});

/** Each leaves something behind that presses the button on and on; `b` is the button. */
const LEFT: Readonly<Record<string, string>> = {
  interval: 'setInterval(() => b.click(), 30)',
  'async loop': '(async () => { for (;;) { await new Promise((next) => setTimeout(next, 20)); b.click(); } })()',
  'animation frames': 'const press = () => { b.click(); requestAnimationFrame(press); }; requestAnimationFrame(press)',
  'promise chain':
    'const press = () => new Promise((next) => setTimeout(next, 20)).then(() => b.click()).then(press); press()',
};

/** A script that leaves one of them, and counts its presses. */
const press = (kind: string): string => `(button) => {
  const real = button ?? document.querySelector('#b');
  const b = { click() { real.click(); window.by = { ...window.by, ['${kind}']: (window.by?.['${kind}'] ?? 0) + 1 }; } };
  ${LEFT[kind] ?? ''};
}`;

/** How a world counts: presses, and the page's own interval. */
async function counted(session: CdpSession): Promise<{ clicks: number; own: number }> {
  const { result } = await session.send('Runtime.evaluate', { expression: '({ clicks, own })', returnByValue: true });
  return z.object({ clicks: z.number(), own: z.number() }).parse(result.value);
}

/** Waits for the page's own interval to have been there often: then all else had its turns, too. */
async function turns(session: CdpSession, more = 20): Promise<void> {
  const { own } = await counted(session);
  while ((await counted(session)).own < own + more) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits until each of these has pressed the button. */
async function pressedBy(session: CdpSession, kinds: readonly string[] = ['interval']): Promise<void> {
  const all = `${JSON.stringify(kinds)}.every((kind) => window.by?.[kind] > 2)`;
  while ((await session.send('Runtime.evaluate', { expression: all })).result.value !== true)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const tabOf = (id: string) => fixture.inside(id).activeSessionTab().tab;
const inForceOf = (answer: { body: unknown }) => controlSchema.parse(answer.body).inForce ?? [];

/** Only the person's clicks count after the lease has passed, and the session reports that the scripts are stopped. */
async function quietSince(id: string, sessions: readonly CdpSession[]): Promise<{ clicks: number; own: boolean }[]> {
  await tabOf(id).tools.leftScripts.settled();
  const before = await Promise.all(sessions.map(counted));
  await Promise.all(sessions.map((session) => turns(session)));
  const after = await Promise.all(sessions.map(counted));
  return after.map(({ clicks, own }, at) => ({
    clicks: clicks - (before[at]?.clicks ?? 0),
    own: own > (before[at]?.own ?? 0),
  }));
}

describe('scripts that an agent left running when a person takes the lease', () => {
  it('[CO3] an interval, an async loop, animation frames, a promise chain: no press after they are stopped, in the page and in frames of either kind; the page itself runs on', async () => {
    const id = await fixture.again();
    const tab = tabOf(id);
    for (const kind of Object.keys(LEFT))
      for (const where of [{}, { selector: '#b', frame: '?same' }, { selector: '#b', frame: '?other' }])
        expect(await fixture.server.act(id, { kind: 'evaluate', ...where, fn: press(kind) })).toMatchObject({
          ok: true,
        });
    const other = tab.frames.targets()[0]?.sessions.evaluate;
    const sessions = [tab.sessions.evaluate, ...(other ? [other] : [])];
    await Promise.all(sessions.map((session) => pressedBy(session, Object.keys(LEFT))));
    const taken = await fixture.control(id, { do: 'take' });

    expect(await quietSince(id, sessions)).toEqual([
      { clicks: 0, own: true },
      { clicks: 0, own: true },
    ]);
    expect(inForceOf(taken).map(({ kind: what }) => what)).toContain('scripts');
    const same = await tab.sessions.sentinel.send('Runtime.evaluate', {
      expression:
        'const before = frames[0].clicks; new Promise((done) => setTimeout(() => done(frames[0].clicks - before), 300))',
      awaitPromise: true,
      returnByValue: true,
    });
    expect(same.result.value).toBe(0);
  }, 60_000);

  it('[CO3] a wait for a condition of the page: other clients of Chrome get every answer while its script is stopped', async () => {
    const id = await fixture.again();
    const tab = tabOf(id);
    let asking = true;
    const ask = async (): Promise<number> => {
      let answers = 0;
      for (; asking; answers += 1)
        await tab.sessions.bulk.send('Runtime.evaluate', { expression: 'Promise.resolve(1)', awaitPromise: true });
      return answers;
    };
    const clients = [ask(), ask()];
    for (let round = 0; round < sized(3, 10); round += 1) {
      const waits = fixture.server.act(id, { kind: 'wait', fn: '() => { window.asked = true; return false; }' });
      while (!(await tab.sessions.evaluate.send('Runtime.evaluate', { expression: 'asked' })).result.value);
      await fixture.control(id, { do: 'take' });
      expect((await waits).error?.code).toBe('CONTROL_LOST');
      await tab.tools.leftScripts.settled();
      await turns(tab.sessions.evaluate, 5);
      await fixture.control(id, { do: 'release' });
    }
    asking = false;

    expect((await Promise.all(clients)).every((answers) => answers > 20)).toBe(true);
  }, 60_000);

  it('[CO3] also in a popup, which passes with its opener', async () => {
    const id = await fixture.open();
    const opened = await fixture.server.act(id, { kind: 'evaluate', fn: `() => { window.popup = open('/inner'); }` });
    await expect.poll(() => fixture.inside(id).registry.all().length, { timeout: 10_000 }).toBe(2);
    const popup = fixture.inside(id).registry.get('t2')?.tab;
    if (!popup) throw new Error('The popup has a tab.');
    await popup.ready;
    await expect
      .poll(
        () =>
          popup.sessions.evaluate
            .send('Runtime.evaluate', { expression: 'typeof clicks', returnByValue: true })
            .then(({ result }) => result.value),
        { timeout: 10_000 },
      )
      .toBe('number');
    const inside = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t2/act`, {
      kind: 'evaluate',
      fn: press('interval'),
    });
    const across = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, {
      kind: 'evaluate',
      fn: '() => { setInterval(() => popup.b.click(), 30); }',
    });
    expect([opened.ok, inside.status, across.status]).toEqual([true, 200, 200]);
    await pressedBy(popup.sessions.evaluate);
    await fixture.control(id, { do: 'take' });
    await fixture.inside(id).registry.get('t1')?.tab.tools.leftScripts.settled();
    await popup.tools.leftScripts.settled();
    const before = await counted(popup.sessions.evaluate);
    await turns(popup.sessions.evaluate);
    expect((await counted(popup.sessions.evaluate)).clicks).toBe(before.clicks);
  }, 60_000);

  it("[CO3] a page's own scripts are not taken for an agent's, whatever their names; its debugger statement pauses nothing", async () => {
    const id = (await fixture.server.session(`${fixture.site}/claims`)).id;
    const tab = tabOf(id);
    await fixture.server.act(id, { kind: 'evaluate', fn: press('interval') });
    await pressedBy(tab.sessions.evaluate);
    await fixture.control(id, { do: 'take' });
    const [quiet] = await quietSince(id, [tab.sessions.evaluate]);
    const read = async (): Promise<number[]> => {
      const { result } = await tab.sessions.evaluate.send('Runtime.evaluate', {
        expression: '[claimed % 1000, Math.floor(claimed / 1000), clock]',
        returnByValue: true,
      });
      return z.array(z.number()).parse(result.value);
    };
    const before = await read();
    await turns(tab.sessions.evaluate);
    const after = await read();

    expect(quiet).toEqual({ clicks: 0, own: true });
    expect(after.map((count, at) => count > (before[at] ?? 0))).toEqual([true, true, true]);
  }, 60_000);

  it('[CO3] the lease passes before they are stopped; then the session and the timeline say so; a hand-back ends it, and the agent works on; a reload is the remedy', async () => {
    const id = await fixture.open();
    const session = fixture.inside(id);
    await fixture.server.act(id, { kind: 'evaluate', fn: press('interval') });
    const order: string[] = [];
    session.leases.onEffect.on(
      (effect) => effect.type === 'changed' && effect.change === 'taken' && order.push('wheel'),
    );
    session.timeline.onEvent.on((event) => event.said?.code === 'scriptsStopped' && order.push('stopped'));
    await fixture.control(id, { do: 'take' });
    await expect.poll(() => order, { timeout: 10_000 }).toEqual(['wheel', 'stopped']);

    expect(session.control('t1').inForce).toMatchObject([
      {
        kind: 'scripts',
        state: 'stopped',
        text: 'Scripts that Agent left in the page are stopped.',
        said: { code: 'scriptsStopped', name: 'Agent' },
      },
      { kind: 'scripts', state: 'in-force', text: expect.stringMatching(/reloading the page ends them/) },
    ]);
    // A hand-back ends it, and the agent works on; a reload is the remedy.
    await fixture.control(id, { do: 'hand-back' });
    const again = await fixture.server.act(id, {
      kind: 'evaluate',
      fn: 'new Promise((done) => setTimeout(() => done(document.title), 50))',
    });
    expect([again.value, fixture.inside(id).control('t1').inForce]).toEqual(['Left', undefined]);
    await fixture.control(id, { do: 'take' });
    const reloaded = await fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
      method: 'POST',
      headers: { ...fixture.owner, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'history', go: 'reload' }),
    });
    expect([reloaded.status, fixture.inside(id).control('t1').inForce]).toEqual([200, undefined]);
  }, 40_000);

  it('[CO3] also when another agent gets it', async () => {
    const id = await fixture.again('first');
    const tab = tabOf(id);
    await fixture.server.act(id, { kind: 'evaluate', fn: press('interval') }, 'first');
    await pressedBy(tab.sessions.evaluate);
    await fixture.server.api(
      'POST',
      `/api/v1/sessions/${id}/tabs/t1/control`,
      { do: 'release' },
      { 'x-agent': 'first' },
    );
    const typed = await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'second');
    expect([typed.error, await quietSince(id, [tab.sessions.evaluate])]).toEqual([
      undefined,
      [{ clicks: 0, own: true }],
    ]);
  }, 40_000);
});

describe('later fate of scripts that an agent left', () => {
  it('[CO3][R3] they stop when the key of their agent ends, also while nobody drives', async () => {
    const { id } = await fixture.server.session(fixture.url);
    const made = z
      .object({ id: z.string(), key: z.string() })
      .parse((await fixture.server.api('POST', '/api/v1/keys', { name: 'short-lived', sessions: 'workspace' })).body);
    const tab = tabOf(id);
    await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' });
    await fixture.server.api(
      'POST',
      `/api/v1/sessions/${id}/tabs/t1/act`,
      { kind: 'evaluate', fn: press('interval') },
      { authorization: `Bearer ${made.key}` },
    );
    await pressedBy(tab.sessions.evaluate);
    await fixture.server.api('DELETE', `/api/v1/keys/${made.id}`);
    await expect.poll(() => fixture.inside(id).control('t1').inForce?.[0]?.state, { timeout: 10_000 }).toBe('stopped');

    expect([fixture.inside(id).control('t1').state, await quietSince(id, [tab.sessions.evaluate])]).toEqual([
      'free',
      [{ clicks: 0, own: true }],
    ]);
  }, 40_000);

  it("[CO3] a function of the agent's that the page itself calls runs on, and the session says so: the page's own script is never ended", async () => {
    const id = await fixture.again();
    const tab = tabOf(id);
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { const real = performance.now.bind(performance); window.patched = 0; performance.now = () => { patched += 1; return real(); }; }',
    });
    await fixture.control(id, { do: 'take' });
    await tab.tools.leftScripts.settled();
    const { result } = await tab.sessions.evaluate.send('Runtime.evaluate', {
      expression: '(() => { const before = performance.now(); return [typeof before, patched]; })()',
      returnByValue: true,
    });

    expect(result.value).toEqual(['number', 1]);
    await expect
      .poll(
        () =>
          fixture
            .inside(id)
            .control('t1')
            .inForce?.map(({ said }) => said?.code),
        { timeout: 10_000 },
      )
      .toEqual(['scriptsStopped', 'scriptsGoOn']);
  }, 40_000);

  it("[CO3] a listener of the agent's is not called for a person's click, the page's own listeners are", async () => {
    const id = await fixture.again();
    const tab = tabOf(id);
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { window.heard = []; b.addEventListener("click", () => heard.push("agent")); }',
    });
    await tab.sessions.evaluate.send('Runtime.evaluate', {
      expression: 'b.addEventListener("click", () => heard.push("page"))',
    });
    await fixture.control(id, { do: 'take' });
    await tab.tools.leftScripts.settled();
    const clicked = await fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
      method: 'POST',
      headers: { ...fixture.owner, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'click', selector: '#b' }),
    });
    const { result } = await tab.sessions.evaluate.send('Runtime.evaluate', {
      expression: 'heard',
      returnByValue: true,
    });

    expect([clicked.status, result.value]).toEqual([200, ['page']]);
  }, 40_000);

  it('[CO3] are still stopped in a page that is gone back to', async () => {
    const id = await fixture.open();
    const tab = tabOf(id);
    await fixture.server.act(id, { kind: 'evaluate', fn: press('interval') });
    await pressedBy(tab.sessions.evaluate);
    await fixture.control(id, { do: 'take' });
    await tab.tools.leftScripts.settled();
    const go = (action: object) =>
      fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
        method: 'POST',
        headers: { ...fixture.owner, 'content-type': 'application/json' },
        body: JSON.stringify(action),
      });
    await go({ kind: 'navigate', url: `${fixture.site}/inner` });
    await go({ kind: 'history', go: 'back' });
    await turns(tab.sessions.evaluate, 5);
    const before = await counted(tab.sessions.evaluate);
    await turns(tab.sessions.evaluate);

    expect((await counted(tab.sessions.evaluate)).clicks).toBe(before.clicks);
  }, 40_000);
});

describe('settings of an agent when a person takes the lease', () => {
  it('[CO3][PS4] headers, offline mode and armed answers are put aside, and given back at the hand-back; the look of the page stays', async () => {
    const id = await fixture.open();
    const tab = tabOf(id);
    await fixture.server.act(id, {
      kind: 'emulate',
      do: 'set',
      set: { headers: { 'x-agent-mark': 'yes' }, offline: true, timezone: 'Asia/Tokyo' },
    });
    await fixture.server.act(id, { kind: 'dialog', do: 'arm', accept: true, promptText: 'agent' });
    expect(await online(tab.sessions.evaluate)).toBe(false);
    const taken = await fixture.control(id, { do: 'take' });

    expect(
      inForceOf(taken)
        .map(({ kind, state }) => `${kind} ${state}`)
        .toSorted(),
    ).toEqual(['dialog aside', 'emulation in-force', 'headers aside', 'offline aside']);
    await expect.poll(() => online(tab.sessions.evaluate), { timeout: 10_000 }).toBe(true);
    expect(tab.emulation.inForce).toEqual({ timezone: 'Asia/Tokyo' });
    await fixture.control(id, { do: 'hand-back' });
    await expect.poll(() => online(tab.sessions.evaluate), { timeout: 10_000 }).toBe(false);
    expect(tab.emulation.inForce).toMatchObject({ headers: { 'x-agent-mark': 'yes' }, offline: true });
    const asked = await fixture.server.act(id, { kind: 'evaluate', fn: 'prompt("Who?")' });
    expect(asked.value).toBe('agent');
  }, 40_000);
});

async function online(session: CdpSession): Promise<unknown> {
  return (await session.send('Runtime.evaluate', { expression: 'navigator.onLine', returnByValue: true })).result.value;
}
