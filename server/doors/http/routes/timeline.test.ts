import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { verifyLines } from '@/bin/verify/walk.mjs';
import { timelineEventSchema, type TimelineEvent } from '@/lib/protocol/views';
import { soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = `<!doctype html><title>Colours</title><style>body{margin:0;height:100vh}</style>
  <button onclick="document.body.style.background='rgb('+[1,2,3].map(()=>Math.floor(Math.random()*255))+')'">Paint</button><input aria-label="City"><input type="password" aria-label="Password">`;
const fixture = useServerFixture(PAGE, { shared: true, env: { TIMELINE_PICTURES_MB: '1' } });

const PAINT = { kind: 'click', role: 'button', name: 'Paint' };
const outcomesOf = (events: readonly TimelineEvent[]): TimelineEvent[] =>
  events.filter(({ phase }) => phase === 'outcome');

async function timeline(session: string, query = ''): Promise<TimelineEvent[]> {
  return z
    .array(timelineEventSchema)
    .parse((await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline${query}`)).body);
}

/** The row of the last action once it has a picture. */
async function pictured(session: string): Promise<TimelineEvent & { picture: NonNullable<TimelineEvent['picture']> }> {
  const last = async () => outcomesOf(await timeline(session)).at(-1);
  await expect.poll(async () => (await last())?.picture, { timeout: 15_000 }).toBeDefined();
  const event = await last();
  if (!event?.picture) throw new Error('The picture went again.');
  return { ...event, picture: event.picture };
}

async function pictureOf(session: string, id: string): Promise<{ status: number; type: string | null; bytes: Buffer }> {
  const answer = await fetch(`${fixture.server.origin}/api/v1/sessions/${session}/timeline/${id}/picture`, {
    headers: fixture.owner,
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

describe('the picture of the moment', () => {
  it('[TL2] nobody watches: an action that changed the page gets a small picture, whose hash is in its row', async () => {
    const session = await fixture.again();
    await fixture.server.act(session, PAINT);
    const first = await pictured(session);
    await fixture.server.act(session, PAINT);
    const second = await pictured(session);
    const { status, type, bytes } = await pictureOf(session, second.id);

    expect([status, type, bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'image/jpeg', 'ffd8ff']);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(second.picture.sha256);
    expect([second.picture.width, second.picture.height]).toEqual([1280, 720]);
    expect(second.picture.sha256).not.toBe(first.picture.sha256);
    expect(bytes.byteLength).toBeLessThan(60_000);
  });

  it('[TL2] somebody watches: their latest picture is used, and the row is sent again with it', async () => {
    const session = await fixture.again();
    const person = fixture.person();
    const told: TimelineEvent[] = [];
    person.on('timeline', ({ events }) => told.push(...events));
    const arrived = new Promise<void>((resolve) => {
      person.on('frame', (_meta, _picture, painted) => {
        painted();
        resolve();
      });
    });
    await ask(person, 'session.join', { session });
    await ask(person, 'stream.open', { session, tab: 'active', tier: 'thumbnail' });
    await arrived;
    await fixture.server.act(session, PAINT);
    const { picture, seq } = await pictured(session);
    await expect
      .poll(() => told.filter((event) => event.seq === seq).map((event) => event.picture), { timeout: 10_000 })
      .toEqual([undefined, picture]);
  });

  it('[TL2] somebody watches a page that changes slowly: its picture shows the change, not the state before', async () => {
    const session = await fixture.again();
    const person = fixture.person();
    let lastFrameAt = 0;
    person.on('frame', (_meta, _picture, painted) => {
      lastFrameAt = performance.now();
      painted();
    });
    await ask(person, 'session.join', { session });
    await ask(person, 'stream.open', { session, tab: 'active', tier: 'thumbnail' });
    await fixture.server.act(session, PAINT);
    const before = await pictured(session);
    // A late frame of the state before would count as newer than the next action.
    await soon(async () => lastFrameAt > 0 && performance.now() - lastFrameAt > 500);
    await fixture.server.act(session, {
      kind: 'evaluate',
      fn: `() => { setTimeout(() => { document.body.style.background = 'gold'; }, 250); }`,
    });
    const after = await pictured(session);
    expect(after.picture.sha256).not.toBe(before.picture.sha256);
  });

  it('[SN6] hidden typing has no picture; visible typing has one', async () => {
    const session = await fixture.open();
    await fixture.server.act(session, { kind: 'type', role: 'textbox', name: 'Password', text: 'hunter2' });
    await fixture.server.act(session, { kind: 'type', role: 'textbox', name: 'City', text: 'Rome' });
    await pictured(session);
    const [hidden, shown] = outcomesOf(await timeline(session)).filter(({ kind }) => kind === 'type');
    expect([hidden?.deed?.value, hidden?.picture, shown?.deed?.value]).toEqual([undefined, undefined, 'Rome']);
  });

  it('[TL2] a picture that was altered on the disk is not served; a row without one says so', async () => {
    const session = await fixture.again();
    await fixture.server.act(session, PAINT);
    const { id, seq } = await pictured(session);
    writeFileSync(path.join(fixture.server.dataDir, 'pictures', session, `${seq}.jpg`), 'another');
    const [made] = await timeline(session);
    expect((await pictureOf(session, id)).status).toBe(404);
    expect((await pictureOf(session, made?.id ?? '')).status).toBe(404);
  });

  it('[OP1] pictures are readable by the owner alone, and go with the session', async () => {
    const session = await fixture.open();
    await fixture.server.act(session, PAINT);
    await pictured(session);
    const folder = path.join(fixture.server.dataDir, 'pictures', session);
    const modes = [
      statSync(folder).mode & 0o777,
      ...readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777),
    ];
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);

    expect(modes).toEqual([0o700, 0o600]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('reading it in parts', () => {
  it('[TL2] by kind, by actor, by words, before and after a place', async () => {
    const session = await fixture.open();
    await fixture.server.act(session, { kind: 'type', role: 'textbox', name: 'City', text: 'Reykjavík' });
    await fixture.server.act(session, PAINT);
    const all = await timeline(session);
    const typed = all.filter(({ kind }) => kind === 'type').map(({ seq }) => seq);
    const [first = 0, last = 0] = typed;
    const find = async (query: string) => (await timeline(session, query)).map(({ seq }) => seq);

    expect(typed).toHaveLength(2);
    expect(await find('?kind=type')).toEqual(typed);
    expect(await find(`?actor=${all.find(({ kind }) => kind === 'type')?.actor.id}&kind=type`)).toEqual(typed);
    expect(await find('?q=reykjav%C3%ADk')).toEqual([last]);
    expect(await find('?q=nowhere')).toEqual([]);
    expect(await find(`?q=city&before=${last}`)).toEqual([first]);
    expect(await find(`?since=${first}&limit=1`)).toEqual([first + 1]);
    expect(await find(`?before=${first}&limit=1`)).toEqual([first - 1]);
  });
});

describe('the export at the door', () => {
  it('[TL2] is whole, names its pictures, and is verified by the key that the server shows', async () => {
    const session = await fixture.open();
    await fixture.server.act(session, PAINT);
    await pictured(session);
    const key = z
      .object({ algorithm: z.literal('ed25519'), fingerprint: z.string() })
      .parse((await fixture.server.api('GET', '/api/v1/timeline/key')).body);
    const lines = String((await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline?format=jsonl`)).body)
      .trimEnd()
      .split('\n');

    expect(verifyLines(lines, key.fingerprint)).toMatchObject({
      ok: true,
      rows: (await timeline(session)).length,
      pictures: 1,
    });
    expect(verifyLines(lines.toSpliced(1, 1), key.fingerprint)).toMatchObject({ ok: false, row: 2, how: 'missing' });
  });
});

describe('the fields of every row', () => {
  it('[TL1] actor, door, target, epoch, duration and result: for action, evaluation, navigation, dialog, change of hands, join, leave, refusal', async () => {
    const session = await fixture.open('walker');
    await fixture.server.act(session, PAINT, 'walker');
    await fixture.server.act(session, { kind: 'evaluate', fn: '() => 1' }, 'walker');
    await fixture.server.act(
      session,
      { kind: 'evaluate', fn: `() => { setTimeout(() => alert('Hello'), 0); }` },
      'walker',
    );
    await expect
      .poll(async () => (await timeline(session)).some(({ kind }) => kind === 'dialog'), { timeout: 15_000 })
      .toBe(true);
    await fixture.server.act(session, { kind: 'dialog', do: 'answer', accept: true }, 'walker');
    const person = fixture.person();
    await ask(person, 'session.join', { session });
    await fixture.control(session, { do: 'take' });
    await fixture.server.act(session, PAINT, 'walker');
    person.disconnect();
    await expect
      .poll(async () => (await timeline(session)).some(({ kind }) => kind === 'leave'), { timeout: 15_000 })
      .toBe(true);
    const rows = await timeline(session);
    const row = (kind: string, phase: TimelineEvent['phase'], more: (event: TimelineEvent) => boolean = () => true) =>
      rows.findLast((event) => event.kind === kind && event.phase === phase && more(event));
    const agent = { kind: 'agent' };
    const human = { kind: 'human' };
    const epoch = expect.any(Number);
    const ms = expect.any(Number);

    expect(row('click', 'outcome', ({ outcome }) => outcome === 'ok')).toMatchObject({
      actor: agent,
      door: 'http',
      tab: 't1',
      element: { role: 'button', name: 'Paint' },
      deed: { word: 'click' },
      epoch,
      ms,
      outcome: 'ok',
    });
    expect(row('click', 'outcome')).toMatchObject({
      actor: agent,
      door: 'http',
      element: { role: 'button', name: 'Paint' },
      epoch,
      ms,
      outcome: 'failed',
      code: 'CONTROL_HELD',
    });
    // The second one may fail with DIALOG_OPEN: its dialog opens while it settles.
    expect(row('evaluate', 'outcome', ({ outcome }) => outcome === 'ok')).toMatchObject({
      actor: agent,
      door: 'http',
      deed: { word: 'evaluate' },
      epoch,
      ms,
      outcome: 'ok',
    });
    expect(row('dialog', 'event')).toMatchObject({ actor: { kind: 'system' }, door: 'server', tab: 't1', epoch });
    expect(row('navigation', 'event')).toMatchObject({ actor: { kind: 'system' }, door: 'server', tab: 't1', epoch });
    expect(row('control', 'event', ({ actor }) => actor.kind === 'human')).toMatchObject({
      actor: human,
      door: 'ui',
      tab: 't1',
      epoch,
    });
    expect(row('join', 'event')).toMatchObject({ actor: human, door: 'ui' });
    expect(row('leave', 'event')).toMatchObject({ actor: human, door: 'ui' });
  });
});
