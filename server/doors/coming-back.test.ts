import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionView } from '@/lib/protocol/views';
import { PICTURES } from '@/server/session/feature-slots';
import { timingsWith } from '@/server/config/timings';
import { FaultyProxy } from '@/server/testing/faulty-proxy';
import { byHttp } from '@/server/testing/senders';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

/** People with two windows, laptops that sleep, agents that are stopped, clocks that are set (CO7, CO10, F20, F23). */

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Back</title><input id="f" aria-label="Field" autofocus><script>window.clicks = 0; onclick = () => { clicks += 1; }</script>';
const fixture = useServerFixture(PAGE);

type Control = SessionView['tabs'][number]['control'];
const proxies: FaultyProxy[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const proxy of proxies.splice(0)) proxy.close();
});

async function openProxy(origin = fixture.server.origin): Promise<FaultyProxy> {
  const proxy = await FaultyProxy.open(origin);
  proxies.push(proxy);
  return proxy;
}

const lease = (id: string): Control => fixture.inside(id).control('t1');
let agents = 0;
/**
 * A session whose lease an agent holds; a new agent each time, because the server remembers agents that were refused
 * too often.
 */
async function driven(): Promise<{ id: string; bot: string }> {
  agents += 1;
  const bot = `bot-${agents}`;
  const id = await fixture.open(bot);
  await fixture.server.act(id, { kind: 'focus', selector: '#f' }, bot);
  return { id, bot };
}
async function window(id: string): Promise<Client> {
  const client = fixture.person();
  await ask(client, 'session.join', { session: id });
  return client;
}
async function take(client: Client, id: string): Promise<number> {
  const taken = await ask(client, 'control', { session: id, tab: 't1', do: 'take' });
  return taken.ok ? taken.data.control.epoch : Number.NaN;
}
/** One key of the keyboard; the code of the refusal, if any. */
async function key(client: Client, id: string, epoch: number, letter: string): Promise<string> {
  const press = { key: letter, code: `Key${letter.toUpperCase()}`, location: 0, repeat: false, modifiers: 0 };
  const answers = [];
  for (const type of ['keydown', 'keyup'] as const)
    answers.push(
      await ask(client, 'input', {
        session: id,
        tab: 't1',
        epoch,
        geometry: PICTURES.of(fixture.inside(id).registry.find('t1')).geometry,
        event: { type, ...press },
      }),
    );
  return answers.map((answer) => (answer.ok ? 'ok' : answer.error.code)).join();
}
async function page(id: string, expression: string): Promise<unknown> {
  return (
    await fixture
      .inside(id)
      .activeSessionTab()
      .tab.sessions.sentinel.send('Runtime.evaluate', { expression, returnByValue: true })
  ).result.value;
}
const field = (id: string): Promise<unknown> => page(id, 'f.value');

describe('two windows of one person', () => {
  it('[CO7][AU5] drive as one person; if one closes the other keeps the lease, and if both lose their connection it is parked', async () => {
    const { id } = await driven();
    const [desk, phone] = [await window(id), await window(id)];
    const epoch = await take(desk, id);
    const typed = [await key(desk, id, epoch, 'a'), await key(phone, id, epoch, 'b')];
    const again = await take(phone, id);
    const people = fixture
      .inside(id)
      .view()
      .participants.filter(({ kind }) => kind === 'human');
    desk.disconnect();
    await expect.poll(() => fixture.inside(id).participants.online(people[0]?.id ?? '')).toBe(true);
    const alone = [await key(phone, id, epoch, 'c'), lease(id).parkedMs];
    phone.disconnect();
    await expect.poll(() => lease(id).parkedMs).toBeGreaterThan(0);

    expect([typed, again, people.length]).toEqual([['ok,ok', 'ok,ok'], epoch, 1]);
    expect([alone, await field(id)]).toEqual([['ok,ok', undefined], 'abc']);
    expect(lease(id)).toMatchObject({ state: 'held', holder: { kind: 'human' }, epoch });
  }, 60_000);
});

describe('a laptop that sleeps while its person drives', () => {
  it('[CO2][CO7] input that was on its way when it slept arrives after the lease has passed: none takes effect, and the person is told', async () => {
    const { id, bot } = await driven();
    const proxy = await openProxy();
    const asleep = connectClient(proxy.origin, {
      headers: { ...fixture.owner, host: new URL(fixture.server.origin).host },
    });
    await ask(asleep, 'session.join', { session: id });
    const epoch = await take(asleep, id);
    const before = await key(asleep, id, epoch, 'a');
    proxy.sleep();
    const late = ['b', 'c', 'd'].map((letter) => key(asleep, id, epoch, letter));
    await ask(await window(id), 'control', { session: id, tab: 't1', do: 'hand-back' });
    const typed = await fixture.server.act(id, { kind: 'type', selector: '#f', text: 'Z', mode: 'append' }, bot);
    const told = new Promise<Control | undefined>((resolve) =>
      asleep.on('session.state', ({ tabs: [tab] }) => tab && tab.control.epoch > epoch && resolve(tab.control)),
    );
    proxy.wake();
    const answers = await Promise.all(late);
    const shown = await told;
    asleep.disconnect();

    expect([before, typed.error, answers]).toEqual([
      'ok,ok',
      undefined,
      Array.from({ length: 3 }, () => 'CONTROL_LOST,CONTROL_LOST'),
    ]);
    expect(shown).toMatchObject({ state: 'held', holder: { kind: 'agent' } });
    expect(await field(id)).toBe('aZ');
  }, 60_000);
});

describe('an agent that is stopped with fifty commands before it', () => {
  const CLICK = { kind: 'click', at: { x: 300, y: 300 } };
  const REFUSED = new Set(['CONTROL_HELD', 'CONTROL_LOST', 'RATE_LIMITED']);

  it('[F23][CO2] wakes by HTTP after a person took the lease: no command takes effect, each is refused', async () => {
    const { id, bot } = await driven();
    const proxy = await openProxy();
    proxy.sleep();
    const host = new URL(fixture.server.origin).host;
    const agent = byHttp({ origin: proxy.origin, host, session: id, agent: bot });
    const sent = Array.from({ length: 50 }, async () => (await agent.send(CLICK))?.error?.code ?? 'ok');
    await fixture.control(id, { do: 'take' });
    proxy.wake();
    const codes = await Promise.all(sent);

    expect([codes.length, codes.filter((code) => !REFUSED.has(code))]).toEqual([50, []]);
    expect(await page(id, 'clicks')).toBe(0);
  }, 60_000);

  it('[F23][CO2] wakes by Socket.IO: no command takes effect, every answer is a refusal', async () => {
    const { id, bot } = await driven();
    const proxy = await openProxy();
    const agent = connectClient(proxy.origin, {
      auth: { key: TEST_KEY, agent: bot },
      headers: { host: new URL(fixture.server.origin).host },
    });
    await ask(agent, 'session.join', { session: id });
    const codes: string[] = [];
    const gone = new Promise((resolve) => agent.on('disconnect', resolve));
    proxy.sleep();
    const sent = Array.from({ length: 50 }, async () => {
      const answer = await ask(agent, 'act', { session: id, tab: 't1', action: CLICK });
      codes.push(answer.ok ? (answer.data.error?.code ?? 'ok') : answer.error.code);
    });
    await fixture.control(id, { do: 'take' });
    proxy.wake();
    // All are answered, or the connection of one that goes on so is closed.
    await Promise.race([gone, Promise.all(sent)]);
    agent.disconnect();

    expect([codes.length > 0, codes.filter((code) => !REFUSED.has(code))]).toEqual([true, []]);
    expect(await page(id, 'clicks')).toBe(0);
  }, 60_000);
});

describe('a clock that is set by hours and years', () => {
  const HOUR_MS = 3_600_000;
  for (const [name, byMs] of [
    ['an hour on', HOUR_MS],
    ['an hour back', -HOUR_MS],
    ['ten years on', 87_600 * HOUR_MS],
  ] as const) {
    it(`[F20][CO10] ${name}: leases, budgets and the ids of actions do not notice`, async () => {
      const { id, bot } = await driven();
      const person = await window(id);
      const once = { kind: 'type', selector: '#f', text: 'x', mode: 'append', id: 'once' };
      const first = await fixture.server.act(id, once, bot);
      await take(person, id);
      person.disconnect();
      await expect.poll(() => lease(id).parkedMs).toBeGreaterThan(0);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
      const again = await fixture.server.act(id, once, bot);
      const waited = await fixture.server.act(id, { kind: 'wait', text: 'never', timeoutMs: 300 }, bot);
      const parked = lease(id);

      expect([again.startedAt, await field(id)]).toEqual([first.startedAt, 'x']);
      expect([waited.error?.code, parked.state, parked.parkedMs]).toEqual([
        'TIMEOUT',
        'held',
        expect.toSatisfy((ms: number) => ms > 0 && ms <= 15_000),
      ]);
    }, 60_000);
  }
});

describe('a person whose computer sleeps, at a server that asks more often', () => {
  it('[CO7] is noticed by the signs of life that it does not give: the lease is parked, and there again when it wakes', async () => {
    await fixture.restart(undefined, { timings: timingsWith({ pings: { everyMs: 500, patienceMs: 3_000 } }) });
    const id = await fixture.open();
    const proxy = await openProxy();
    const headers = { ...fixture.owner, host: new URL(fixture.server.origin).host };
    const asleep = connectClient(proxy.origin, { headers });
    await ask(asleep, 'session.join', { session: id });
    const epoch = await take(asleep, id);
    const gone = new Promise((resolve) => asleep.on('disconnect', resolve));
    proxy.sleep();
    await expect.poll(() => lease(id).parkedMs, { timeout: 20_000 }).toBeGreaterThan(0);
    const parked = lease(id);
    proxy.wake();
    await gone;
    const awake = connectClient(proxy.origin, { headers });
    await ask(awake, 'session.join', { session: id });
    const back = lease(id);
    awake.disconnect();

    expect(parked).toMatchObject({ state: 'held', holder: { kind: 'human' }, epoch });
    expect(back).toMatchObject({ state: 'held', epoch, reason: 'came back' });
    expect(back).not.toHaveProperty('parkedMs');
  }, 60_000);
});
