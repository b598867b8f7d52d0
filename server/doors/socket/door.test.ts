import { describe, expect, it, onTestFinished } from 'vitest';
import { CLIENT_EVENTS, PROTOCOL_VERSION } from '@/lib/protocol/catalog';
import type { FrameMeta, SessionView, SnapshotPatch, StreamStatus } from '@/lib/protocol/views';
import { FaultyProxy } from '@/server/testing/faulty-proxy';
import { ask, connectClient, emitTo, type Client } from '@/server/testing/socket-client';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Live</title><button id="b" style="position:absolute;left:20px;top:20px;width:120px;height:40px" onclick="document.title='clicked'">Press</button><input id="f" style="position:absolute;left:20px;top:100px">`;

/** A page in motion whose pictures are large. */
const MOVING = `<!doctype html><title>Moving</title><body style="margin:0;font:13px monospace;word-break:break-all"><script>
document.body.textContent = Array.from({ length: 2500 }, (_, at) => String.fromCharCode(33 + (at * 7919) % 90)).join('');
let step = 0; const move = () => { document.body.style.transform = 'translateY(-' + step++ % 60 + 'px)'; requestAnimationFrame(move); }; move();</script>`;

const fixture = useServerFixture({ '/': PAGE, '/moving': MOVING });
const { person } = fixture;

function outcome(made: Client): Promise<string> {
  return new Promise((resolve) => {
    made.on('connect', () => resolve('connected'));
    made.on('connect_error', (error) => resolve(error.message));
  });
}

describe('the handshake', () => {
  it('[AU6] admits the right cookie with the right Origin, or a key, and nothing else', async () => {
    const { cookie, origin } = fixture.owner;
    const results = await Promise.all([
      outcome(person()),
      outcome(fixture.agent('sock')),
      outcome(fixture.connect({ headers: { cookie, origin: 'http://evil.example' } })),
      outcome(fixture.connect({ headers: { cookie } })),
      outcome(fixture.connect({ headers: { cookie, origin, host: 'evil.example' } })),
      outcome(fixture.connect({ auth: { key: 'wrong' } })),
      outcome(fixture.connect({})),
      outcome(fixture.connect({ headers: { cookie, origin }, auth: { key: TEST_KEY } })),
    ]);

    expect(results.map((result) => (result === 'connected' ? result : 'refused'))).toEqual([
      'connected',
      'connected',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
    ]);
  });
});

describe('the events', () => {
  it('[DO2] every event answers bad input, and an unknown event, with a typed refusal', async () => {
    const one = person();
    const answers = await Promise.all(
      [...Object.keys(CLIENT_EVENTS), 'no.such.event'].map(
        (event) =>
          new Promise<{ event: string; ok: unknown; code: unknown }>((resolve) =>
            emitTo(one, event, { nonsense: true }, (ack: { ok: unknown; error?: { code: unknown } }) =>
              resolve({ event, ok: ack.ok, code: ack.error?.code }),
            ),
          ),
      ),
    );

    expect(answers.filter(({ ok }) => ok !== false)).toEqual([]);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['BAD_REQUEST', 'NOT_FOUND']));
  });

  it('[DO2] a client with another protocol version is told to reload', async () => {
    const answer = await ask(person(), 'hello', { protocol: PROTOCOL_VERSION + 1 });

    expect(answer).toMatchObject({ ok: false, error: { code: 'UNSUPPORTED', hint: 'Reload the page.' } });
  });

  it('[SE1] the wall is told when a session is created, changed and ended', async () => {
    const one = person();
    const seen: string[] = [];
    one.on('session.state', (session) => seen.push(`${session.name} ${session.state}`));
    const gone = new Promise<string>((resolve) => one.on('session.gone', ({ id }) => resolve(id)));
    await ask(one, 'wall.watch', {});
    const made = await fixture.server.api('POST', '/api/v1/sessions', { name: 'Comes and goes' });
    const id = typeof made.body === 'object' && made.body !== null && 'id' in made.body ? String(made.body.id) : '';
    await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);

    expect(await gone).toBe(id);
    expect(seen).toContain('Comes and goes live');
  });
});

describe('raised hands', () => {
  it('[AU5][BR7] go up and down a few times at once, then once a second, and the refusal names them', async () => {
    const { id } = await fixture.server.session();
    const one = fixture.agent('waver');
    await ask(one, 'session.join', { session: id });
    const answers = [];
    for (let n = 0; n < 15; n += 1) answers.push(await ask(one, 'hand', { session: id, up: n % 2 === 0 }));
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));

    expect(answers.slice(0, 4).map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(refused.length).toBeGreaterThan(2);
    expect(refused[0]).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('Too many raised hands. Try again in'),
      details: { retryInMs: expect.any(Number) },
    });
  });
});

describe('the state of a session', () => {
  it('[SE1][SN6] is pushed to all who follow it, the same to those who see the same; the driver alone reads the whole address', async () => {
    const { id } = await fixture.server.session(`${fixture.url}?token=abcdefghijklmnop`);
    const followers = [person(), fixture.agent('one'), fixture.agent('two')];
    for (const each of followers) await ask(each, 'session.join', { session: id });
    const taken = await ask(person(), 'control', { session: id, tab: 't1', do: 'take' });
    const renamed = followers.map(
      (each) =>
        new Promise<SessionView>((resolve) =>
          each.on('session.state', (view) => view.name === 'Renamed' && resolve(view)),
        ),
    );
    await fixture.server.api('PATCH', `/api/v1/sessions/${id}`, { name: 'Renamed' });
    const [driver, one, two] = await Promise.all(renamed);

    expect(taken.ok).toBe(true);
    expect(driver?.tabs[0]?.url).toContain('abcdefghijklmnop');
    expect(JSON.stringify(one)).not.toContain('abcdefghijklmnop');
    expect(one).toEqual(two);
  });
});

describe('a session that somebody else ends', () => {
  it('[SE1] is announced also to a client that follows only this session, without the wall', async () => {
    const { id } = await fixture.server.session();
    const one = person();
    const gone = new Promise<string>((resolve) => one.on('session.gone', (event) => resolve(event.id)));
    await ask(one, 'session.join', { session: id });
    await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);

    expect(await gone).toBe(id);
  });
});

describe('pictures and input', () => {
  it('[FR6] a viewer on a slow link gets the newest picture and a lower quality, is told why, and may choose another', async () => {
    const proxy = await FaultyProxy.open(fixture.server.origin);
    // A phone: 1 Mbit/s, 200 ms.
    proxy.slowDown({ bytesPerMs: 125, roundTripMs: 200 });
    const phone = connectClient(proxy.origin, {
      headers: { ...fixture.owner, host: new URL(fixture.server.origin).host },
    });
    onTestFinished(() => {
      phone.disconnect();
      proxy.close();
    });
    const { id } = await fixture.server.session(`${fixture.site}/moving`);
    const became = (what: string): Promise<void> =>
      new Promise((resolve) =>
        phone.on('stream.status', ({ tier, because }) => `${tier} ${because}` === what && resolve()),
      );
    const seqs: number[] = [];
    let largest = 0;
    const smaller = new Promise<void>((resolve) =>
      phone.on('frame', (meta, picture, painted) => {
        seqs.push(meta.seq);
        largest = Math.max(largest, picture.byteLength);
        painted();
        if (picture.byteLength < largest / 2) resolve();
      }),
    );
    await ask(phone, 'session.join', { session: id });
    const lower = became('low link');
    const opened = await ask(phone, 'stream.open', { session: id, tab: 'active', tier: 'auto' });
    await lower;
    await smaller;
    const again = became('standard chosen');
    const stream = opened.ok ? opened.data.stream : '';
    const pinned = await ask(phone, 'stream.pin', { stream, tier: 'standard' });
    await again;

    expect(pinned.ok).toBe(true);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  it('[FR2][FR4][CO11] a person watches, takes the lease, clicks and types in the picture; a stale epoch is refused', async () => {
    const id = await fixture.open();
    const one = person();
    await ask(one, 'session.join', { session: id });
    const first = new Promise<FrameMeta>((resolve) =>
      one.on('frame', (meta, _, painted) => {
        painted();
        resolve(meta);
      }),
    );
    await ask(one, 'stream.open', { session: id, tab: 'active', tier: 'standard' });
    const meta = await first;
    const taken = await ask(one, 'control', { session: id, tab: 'active', do: 'take' });
    const epoch = taken.ok ? taken.data.control.epoch : -1;
    const aim = { session: id, tab: 'active', epoch, geometry: meta.geometry };
    const at = { x: 60, y: 40, modifiers: 0 };
    const sent = [
      await ask(one, 'input', { ...aim, event: { type: 'move', ...at, buttons: 0 } }),
      await ask(one, 'input', { ...aim, event: { type: 'down', ...at, button: 'left', buttons: 1, clickCount: 1 } }),
      await ask(one, 'input', { ...aim, event: { type: 'up', ...at, button: 'left', buttons: 0, clickCount: 1 } }),
    ];
    const stale = await ask(one, 'input', { ...aim, epoch: epoch - 1, event: { type: 'move', ...at, buttons: 0 } });
    const offAim = await ask(one, 'input', {
      ...aim,
      geometry: meta.geometry + 7,
      event: { type: 'down', ...at, button: 'left', buttons: 1, clickCount: 1 },
    });
    const title = await ask(one, 'act', {
      session: id,
      tab: 'active',
      action: { kind: 'evaluate', fn: 'document.title' },
    });

    expect([meta.width, meta.height]).toEqual([1280, 720]);
    expect(sent.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(title).toMatchObject({ ok: true, data: { ok: true, value: 'clicked' } });
    expect([stale, offAim]).toMatchObject([
      { ok: false, error: { code: 'CONTROL_LOST' } },
      { ok: false, error: { code: 'CONFLICT' } },
    ]);
  });

  it('[FR2] a viewer that never acknowledges slows no other viewer', async () => {
    const id = await fixture.open();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { const b = document.querySelector("#b"); let x = 0; const step = () => { b.style.left = `${(x += 3) % 600}px`; requestAnimationFrame(step); }; step(); }',
    });
    const [stalled, lively] = [person(), fixture.agent('viewer')];
    let stuck = 0;
    let painted = 0;
    stalled.on('frame', () => (stuck += 1));
    const enough = new Promise<void>((resolve) => {
      lively.on('frame', (_, __, done) => {
        done();
        painted += 1;
        if (painted === 20) resolve();
      });
    });
    for (const each of [stalled, lively]) {
      await ask(each, 'session.join', { session: id });
      await ask(each, 'stream.open', { session: id, tab: 'active', tier: 'standard' });
    }
    await enough;

    expect(stuck).toBeLessThanOrEqual(3);
  });

  it('[FR5] a viewer is told that a dialog stops the picture', async () => {
    const id = await fixture.open();
    const one = person();
    await ask(one, 'session.join', { session: id });
    const paused = new Promise<StreamStatus>((resolve) =>
      one.on('stream.status', (status) => status.state === 'paused' && resolve(status)),
    );
    one.on('frame', (_, __, done) => done());
    await ask(one, 'stream.open', { session: id, tab: 'active', tier: 'standard' });
    await fixture.server.act(id, { kind: 'evaluate', fn: 'alert("stop")', timeoutMs: 3_000 });

    expect(await paused).toMatchObject({ state: 'paused', reason: expect.stringContaining('stop') });
    await fixture.server.act(id, { kind: 'dialog', do: 'answer', accept: true });
  });

  it('[SN8] a watcher gets the changes of the snapshot after the page has changed', async () => {
    const id = await fixture.open();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { for (let i = 0; i < 30; i += 1) document.body.append(Object.assign(document.createElement("button"), { textContent: `More ${i}` })); }',
    });
    const one = person();
    await ask(one, 'session.join', { session: id });
    const pushed = new Promise<SnapshotPatch>((resolve) => one.on('snapshot.patch', ({ patch }) => resolve(patch)));
    const first = await ask(one, 'snapshot.watch', { session: id, tab: 't1', options: {} });
    if (!first.ok) throw new Error(first.error.message);
    const { snapshot } = first.data;
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { setTimeout(() => { const h = document.createElement("h1"); h.textContent = "Fresh"; document.body.append(h); }, 50); }',
    });

    const { since, revision, edits, refs } = await pushed;
    expect(snapshot.text).toContain('button "More 29"');
    expect([since, revision, edits, refs]).toEqual([
      snapshot.revision,
      snapshot.revision + 1,
      [{ at: snapshot.text.split('\n').length, remove: 0, insert: ['- heading "Fresh" [level=1]'] }],
      [],
    ]);
  });
});
