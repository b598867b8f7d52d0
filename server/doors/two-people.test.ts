import { describe, expect, it } from 'vitest';
import type { Role } from '@/lib/rights/roles';
import type { ControlView } from '@/lib/protocol/views';
import { signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ask, type Client } from '@/server/testing/socket-client';

/** The wheel between people of one workspace, each with a sign-in and a page of their own (CO4). */

const fixture = useServerFixture('<!doctype html><title>Two</title><input aria-label="Code"><h1>Two</h1>');

interface Player {
  readonly id: string;
  readonly client: Client;
  /** The last view of the tab's control that this person's page was sent. */
  readonly shown: () => ControlView | undefined;
  do(request: object): Promise<unknown>;
  type(text: string): Promise<unknown>;
}

/** A person who opens the session in a page of their own. */
async function enters(session: string, role: Role, name: string): Promise<Player> {
  const { id, headers } = await signedInPerson(fixture.server, role, name);
  const client = fixture.connect({ headers: { ...headers } });
  let control: ControlView | undefined;
  client.on('session.state', (view) => {
    if (view.id === session) control = view.tabs[0]?.control;
  });
  await ask(client, 'session.join', { session });
  return {
    id,
    client,
    shown: () => control,
    do: (request) => ask(client, 'control', { session, tab: 't1', do: 'take', ...request }),
    type: (text) => ask(client, 'act', { session, tab: 't1', action: { kind: 'type', selector: 'input', text } }),
  };
}

/** A session whose tab nobody drives. */
async function free(): Promise<string> {
  const session = await fixture.open();
  await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'release' });
  return session;
}

const refusal = (code: string, message: string) => ({ ok: false, error: { code, message } });

async function rows(session: string): Promise<string[]> {
  const events = await fixture.inside(session).timeline.events({ limit: 50 });
  return events.filter(({ kind }) => kind === 'control').map(({ actor, text }) => `${actor.name} ${text}`);
}

describe('[CO4] two people in two browsers', () => {
  it('request, deny and grant the wheel; without an answer it stays', async () => {
    const session = await free();
    const [ada, ben] = [await enters(session, 'member', 'Ada'), await enters(session, 'member', 'Ben')];
    await ada.do({});
    const cannotTake = await ben.do({});
    await ben.do({ do: 'request' });
    await expect.poll(() => ada.shown()?.asked).toMatchObject({ by: { name: 'Ben' }, passes: false });
    await ada.do({ do: 'deny' });
    await expect.poll(() => ben.shown()?.asked).toBeUndefined();
    await ben.do({ do: 'request' });
    await expect.poll(() => fixture.inside(session).control('t1').asked, { timeout: 8_000 }).toBeUndefined();
    const after = ada.shown()?.holder?.name;
    await ben.do({ do: 'request' });
    await ada.do({ do: 'grant' });
    const [late, done] = [await ada.type('a'), await ben.type('b')];
    await expect.poll(() => ada.shown()?.holder?.name).toBe('Ben');

    expect(cannotTake).toMatchObject(refusal('CONTROL_HELD', 'Ada has the wheel.'));
    expect(after).toBe('Ada');
    expect(late).toMatchObject({ data: { ok: false, error: { code: 'CONTROL_HELD', message: 'Ben has the wheel.' } } });
    expect(done).toMatchObject({ data: { ok: true } });
    expect(await rows(session)).toEqual(
      expect.arrayContaining([
        'Ben asked Ada for the wheel',
        'Ada kept the wheel: not now',
        'Ben got no answer from Ada about the wheel',
        'Ada gave the wheel to Ben',
      ]),
    );
  });

  it('hand it to each other by name, and to nobody who only watches', async () => {
    const session = await free();
    const [ada, ben] = [await enters(session, 'member', 'Ada'), await enters(session, 'member', 'Ben')];
    const vera = await enters(session, 'viewer', 'Vera');
    await ada.do({});
    const toViewer = await ada.do({ do: 'hand-over', to: vera.id });
    await ada.do({ do: 'hand-over', to: ben.id });
    const withBen = await ben.type('b');
    await ben.do({ do: 'hand-over', to: 'Ada' });
    const withAda = await ada.type('a');
    const viewer = await vera.do({ do: 'request' });

    expect(toViewer).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect([withBen, withAda]).toMatchObject([{ data: { ok: true } }, { data: { ok: true } }]);
    expect(viewer).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  });

  it('a moderator takes it after 3 s of grace, in which the holder sees it, goes on and cannot refuse', async () => {
    const session = await free();
    const [ada, mona] = [await enters(session, 'member', 'Ada'), await enters(session, 'admin', 'Mona')];
    await ada.do({});
    const began = performance.now();
    const taking = mona.do({});
    await expect.poll(() => ada.shown()?.asked).toMatchObject({ by: { name: 'Mona' }, passes: true });
    const [meanwhile, denied] = [await ada.type('a'), await ada.do({ do: 'deny' })];
    const taken = await taking;
    const graceMs = performance.now() - began;
    const lost = await ada.type('b');

    expect(meanwhile).toMatchObject({ data: { ok: true } });
    expect(denied).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(taken).toMatchObject({ ok: true, data: { control: { state: 'held', holder: { name: 'Mona' } } } });
    expect(graceMs).toBeGreaterThan(2_900);
    expect(lost).toMatchObject({ data: { ok: false, error: { code: 'CONTROL_HELD' } } });
  });

  it('take it from an agent at the same moment: one has it, the other is told who', async () => {
    const session = await fixture.open('racer');
    const both = [await enters(session, 'member', 'Ada'), await enters(session, 'member', 'Ben')];
    const answers = await Promise.all(both.map((one) => one.do({})));
    const winner = fixture.inside(session).control('t1').holder?.name;

    const [won, lost] = winner === 'Ada' ? answers : answers.toReversed();
    expect(won).toMatchObject({ ok: true });
    expect(lost).toMatchObject({ ok: false, error: { code: 'CONTROL_HELD' } });
    expect(JSON.stringify(lost)).toContain(winner);
  });
});

it('[CO1] a person who lets go of a session that they took keeps none of its tabs: not a popup, not a free tab', async () => {
  const session = await fixture.open('opener');
  await fixture.server.act(session, { kind: 'evaluate', fn: '() => void open("/", "_blank", "popup")' }, 'opener');
  await expect.poll(() => fixture.inside(session).registry.all().length).toBe(2);
  const [first, popup] = fixture.inside(session).registry.all();
  await fixture.server.act(session, { kind: 'wait', selector: 'input', tab: popup?.tab.id ?? '' }, 'opener');
  const ada = await enters(session, 'member', 'Ada');
  await ada.do({ tab: first?.tab.id });
  const taken = [...fixture.inside(session).leases.leases.values()].map(
    (lease) => 'holder' in lease && lease.holder.name,
  );
  await ada.do({ do: 'release', tab: first?.tab.id });
  const typed = await fixture.server.act(
    session,
    { kind: 'type', selector: 'input', text: 'x', tab: popup?.tab.id ?? '' },
    'opener',
  );

  expect(taken).toEqual(['Ada', 'Ada']);
  expect(typed.error).toBeUndefined();
});

describe('[CO4] a question of an agent that two people see', () => {
  const asks = (session: string) =>
    fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, {
      ...{ do: 'ask-human', reason: 'A code was sent', timeoutMs: 60_000 },
    });
  const onIt = (player: Player) => player.shown()?.questions?.map(({ claimed }) => claimed?.by.name);

  it('one says that they are on it, and the other is told; that lasts while they are there, or come back', async () => {
    const session = await fixture.open();
    const [ada, ben] = [await enters(session, 'member', 'Ada'), await enters(session, 'member', 'Ben')];
    const call = asks(session);
    await expect.poll(() => onIt(ben)).toEqual([undefined]);
    const claimed = await ada.do({ do: 'claim' });
    await expect.poll(() => onIt(ben)).toEqual(['Ada']);
    const [second, notHis] = [await ben.do({ do: 'claim' }), await ben.do({ do: 'unclaim' })];
    ada.client.disconnect();
    ada.client.connect();
    await ask(ada.client, 'session.join', { session });
    const after = onIt(ben);
    await ada.do({ do: 'unclaim' });
    await expect.poll(() => onIt(ben)).toEqual([undefined]);
    await ada.do({ do: 'claim' });
    await ask(ada.client, 'session.leave', { session });
    await expect.poll(() => onIt(ben)).toEqual([undefined]);
    await ben.do({ do: 'answer', result: 'note', note: '4711' });

    expect(claimed).toMatchObject({
      ok: true,
      data: { question: { state: 'open', claimed: { by: { name: 'Ada' } } } },
    });
    expect([second, notHis]).toMatchObject([
      refusal('CONFLICT', 'Ada is on it already.'),
      refusal('CONFLICT', 'Ada is on it already.'),
    ]);
    expect(after).toEqual(['Ada']);
    expect(await call).toMatchObject({
      status: 200,
      body: { question: { answer: { note: '4711', by: { name: 'Ben' } } } },
    });
    expect((await rows(session)).filter((row) => row.includes('the question'))).toEqual([
      'Ada took on the question “A code was sent”',
      'Ada let go of the question',
      'Ada took on the question “A code was sent”',
      'Ada let go of the question',
    ]);
  });

  it('no agent and no viewer is on it, and who may not drive any more no longer is', async () => {
    const session = await fixture.open();
    const ada = await enters(session, 'member', 'Ada');
    const vera = await enters(session, 'viewer', 'Vera');
    const call = asks(session);
    await expect.poll(() => onIt(ada)).toEqual([undefined]);
    const byAgent = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/t1/control`, { do: 'claim' });
    const byViewer = await vera.do({ do: 'claim' });
    await ada.do({ do: 'claim' });
    const { store, access } = fixture.server.running.services;
    const { workspace } = access.owner;
    await store.people.setRole(workspace, ada.id, 'viewer', new Date());
    access.rights.apply({ kind: 'member', workspace, person: ada.id, role: 'viewer' });
    await expect.poll(() => onIt(vera)).toEqual([undefined]);
    await fixture.control(session, { do: 'answer', result: 'done' });
    await call;

    expect(byAgent).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(byViewer).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  });
});
