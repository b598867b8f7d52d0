import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAction } from '@/lib/actions/parse';
import type { Reply } from '@/lib/actions/reply';
import { createLimits } from '@/server/access/limits';
import { ask, connectClient } from '@/server/testing/socket-client';
import { serveHtml } from '@/server/testing/page-fixture';
import { sharedTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';
import { Rates } from './rates';

const click = parseAction({ kind: 'click', selector: '#b' });
const snapshot = parseAction({ kind: 'snapshot' });
const script = parseAction({ kind: 'evaluate', fn: '1' });

/** How many of `tries` passed, and the refusal of the next. */
async function through(tries: number, once: () => Promise<void>): Promise<{ passed: number; refusal: unknown }> {
  const results = await Promise.allSettled(Array.from({ length: tries }, once));
  return {
    passed: results.filter(({ status }) => status === 'fulfilled').length,
    refusal: results.find((result) => result.status === 'rejected')?.reason,
  };
}

describe('rate limits', () => {
  it('[AU6] 20 actions a second on one lease; the next is told when to come back; another tab is counted separately', async () => {
    const rates = new Rates('s1', createLimits());
    const { passed, refusal } = await through(21, () => rates.action({ id: 'a1' }, 't1', click, true));

    expect(passed).toBe(20);
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retry: 'later', details: { retryInMs: expect.any(Number) } });
    await expect(rates.action({ id: 'a1' }, 't2', click, true)).resolves.toBeUndefined();
  });

  it('[AU6] 2 snapshots a second for onlookers, and ten more in ten seconds; participants who may act take as many as actions', async () => {
    const rates = new Rates('s1', createLimits());

    expect(await through(13, () => rates.action({ id: 'p1' }, 't1', snapshot, false))).toMatchObject({
      passed: 12,
      refusal: { code: 'RATE_LIMITED' },
    });
    expect(await through(30, () => rates.action({ id: 'a1' }, 't1', snapshot, true))).toMatchObject({ passed: 30 });
  });

  it('[AU4][AU6] snapshots of guests count by their link, too, however many browsers open it', async () => {
    const rates = new Rates('s1', createLimits());
    let guests = 0;
    const guest = (link: string) => () => {
      guests += 1;
      return rates.action({ id: `g_${guests}`, link: { id: link } }, 't1', snapshot, false);
    };

    expect(await through(61, guest('sh_1'))).toMatchObject({ passed: 60, refusal: { code: 'RATE_LIMITED' } });
    expect(await through(12, guest('sh_2'))).toMatchObject({ passed: 12 });
  });

  it('[AU6] scripts are counted while they run: 4 in a tab, 5 in a session, so that no tab takes the last place', async () => {
    const rates = new Rates('s1', createLimits());
    const leave = [1, 2, 3, 4].map(() => rates.script('t1'));
    expect(() => rates.script('t1')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', details: { limit: 4 } }));
    rates.script('t2');
    expect(() => rates.script('t3')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', details: { limit: 5 } }));
    leave[0]?.();
    rates.script('t3');
    await expect(through(40, () => rates.action({ id: 'a1' }, 't1', script, true))).resolves.toMatchObject({
      passed: 40,
    });
  });
});

describe('the limits on a real server', () => {
  let server: TestServer;
  let page: { port: number; close: () => void };

  beforeAll(async () => {
    server = await sharedTestServer();
    page = await serveHtml('<!doctype html><title>Caps</title>');
  });

  afterAll(async () => {
    page.close();
    await server.close();
  });

  const url = (): string => `http://127.0.0.1:${page.port}/`;
  const codes = (replies: readonly Reply[]): Set<string> => new Set(replies.map(({ error }) => error?.code ?? 'ok'));

  it('[AU6] a flood of actions is refused in part; refused ones can be sent again with the same id', async () => {
    const { id } = await server.session(url());
    const { services } = server.running;
    await server.act(id, { kind: 'tab', do: 'focus' });
    const agent = services.hub
      .get(services.access.owner.workspace, id)
      .view()
      .participants.find(({ kind }) => kind === 'agent')?.id;
    const one = async (name: string): Promise<Reply> => server.act(id, { kind: 'tab', do: 'focus', id: name });
    const flood: Reply[] = [];
    // A busy machine does not take twenty calls in a second: the first of them are counted here, and the next second is
    // tried when they came too late.
    for (let round = 0; codes(flood).size < 2; round += 1) {
      await Promise.all(
        Array.from({ length: 18 }, () =>
          services.access.limits.commandsPerLease.take(JSON.stringify([id, 't1', agent])),
        ),
      );
      flood.push(...(await Promise.all([one(`f${round}`), one(`g${round}`), one(`h${round}`)])));
    }
    const refused = flood.find(({ error }) => error);
    await server.act(id, { kind: 'wait', timeMs: 1_000 });
    const again = await server.act(id, { kind: 'tab', do: 'focus', id: refused?.id });

    expect(codes(flood)).toEqual(new Set(['ok', 'RATE_LIMITED']));
    expect(again.ok).toBe(true);
  });

  it('[EV1] a fifth script in a tab is refused at once, while another tab still runs one', async () => {
    const { id } = await server.session(url());
    await server.api('POST', `/api/v1/sessions/${id}/tabs`, {});
    const pending = { kind: 'evaluate', fn: '() => new Promise(() => {})', timeoutMs: 1_500, tab: 't1' };
    const stuck = Array.from({ length: 4 }, () => server.act(id, pending));
    const fifth = await Promise.race([...stuck, server.act(id, { ...pending, note: 'the fifth' })]);
    const other = await server.act(id, { kind: 'evaluate', fn: '1 + 1', tab: 't2' });
    const ends = await Promise.all(stuck);

    expect([fifth.error?.code, other.value, codes(ends)]).toEqual(['RATE_LIMITED', 2, new Set(['TIMEOUT'])]);
  });

  it('[F27] popups beyond 5 in 10 s are closed, and everybody is told', async () => {
    const { id } = await server.session(url());
    const session = server.running.services.hub.get(server.running.services.access.owner.workspace, id);
    const told = new Promise((resolve) =>
      session.timeline.onEvent.on((event) => event.said?.code === 'popupStorm' && resolve(event)),
    );
    await server.act(id, {
      kind: 'evaluate',
      fn: '() => { for (let n = 0; n < 9; n += 1) window.open(`about:blank#${n}`); }',
    });

    expect(await told).toMatchObject({
      kind: 'tab',
      code: 'QUOTA',
      said: { limit: 5 },
      text: expect.stringContaining('more than 5 came within 10 seconds'),
    });
    const { browser, contextId } = session.init.contextRef;
    const targets = (): number =>
      browser.targets().filter(({ browserContextId }) => browserContextId === contextId).length;
    while (targets() !== 6 || session.registry.all().length !== 6)
      await new Promise((resolve) => setImmediate(resolve));
  });

  it('[FR1] a connection looks at 48 pictures, not at 49', async () => {
    const { id } = await server.session(url());
    // With a key of its own: what a key asks for in a while is limited, too, and a second try would be refused.
    const made = await server.api('POST', '/api/v1/keys', { name: 'viewer', grants: ['watch'], sessions: 'workspace' });
    const { key } = z.object({ key: z.string() }).parse(made.body);
    const viewer = connectClient(server.origin, { auth: { key, agent: 'viewer' } });
    await ask(viewer, 'session.join', { session: id });
    const answers = [];
    for (let stream = 0; stream < 49; stream += 1)
      answers.push(await ask(viewer, 'stream.open', { session: id, tab: 't1', tier: 'thumbnail' }));
    viewer.disconnect();

    expect(answers.filter(({ ok }) => ok)).toHaveLength(48);
    expect(answers[48]).toMatchObject({
      ok: false,
      error: { code: 'QUOTA', hint: expect.stringContaining('stream.close') },
    });
  });

  it('[SN8] a participant who goes through tabs quickly waits a moment for each snapshot; a flood of snapshots is refused in part', async () => {
    const { id } = await server.session(url());
    const viewer = connectClient(server.origin, { auth: { key: TEST_KEY, agent: 'viewer' } });
    await ask(viewer, 'session.join', { session: id });
    const watch = (): ReturnType<typeof ask<'snapshot.watch'>> =>
      ask(viewer, 'snapshot.watch', { session: id, tab: 't1', options: {} });
    const calm = [await watch(), await watch(), await watch()];
    const flood = await Promise.all(Array.from({ length: 24 }, watch));
    viewer.disconnect();

    expect(calm.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(new Set(flood.map((answer) => (answer.ok ? 'ok' : answer.error.code)))).toEqual(
      new Set(['ok', 'RATE_LIMITED']),
    );
  });
});
