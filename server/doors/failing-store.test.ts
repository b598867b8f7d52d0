import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Deferred } from '@/lib/async/deferred';
import { withBudget } from '@/lib/budget/budget';
import { refusal } from '@/server/testing/disturbed-store';
import { plausible, startHostileEndpoint } from '@/server/testing/hostile-endpoint';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Calls of the store, so far, and those that it refuses. */
const calls: string[] = [];
let refuses: (what: string) => boolean = () => false;
/** Answers of the store are passed on only when this settles. */
let holds: (what: string) => Promise<void> | undefined = () => undefined;
afterEach(() => {
  refuses = () => false;
  holds = () => undefined;
});

const fixture = useServerFixture('<title>Shop</title><button id="b">Press</button>', {
  shared: true,
  disturb: async (what, reach) => {
    calls.push(what);
    if (refuses(what)) throw refusal();
    const answer = await reach();
    await holds(what);
    return answer;
  },
});

const rowsOf = async (session: string): Promise<string[]> =>
  (await fixture.inside(session).timeline.events({ limit: 50 })).map(({ kind, phase }) => `${kind} ${phase}`);

describe('a store that refuses', () => {
  it('[I4][F16] the outcome of an action: it is unknown, and the timeline does not say that it was refused', async () => {
    const session = await fixture.open('bot');
    refuses = (what) => what === 'journal.recordOutcome';
    const reply = await fixture.server.act(session, { kind: 'click', selector: '#b' }, 'bot');
    refuses = () => false;
    await fixture.inside(session).timeline.tell({ kind: 'session', said: { code: 'serverRestarted' } });
    const rows = await rowsOf(session);

    expect(reply.error?.code).toBe('OUTCOME_UNKNOWN');
    expect(rows.filter((row) => row.startsWith('click') || row.startsWith('refused'))).toEqual(['click intent']);
  });

  it("[SE2][F16] a person's release of the first tab: the session is made, and the tab is free when the store takes it", async () => {
    let late = 0;
    calls.length = 0;
    refuses = (what) => what === 'commit' && calls.includes('journal.recordOutcome') && (late += 1) === 1;
    const made = await fetch(`${fixture.server.origin}/api/v1/sessions`, {
      method: 'POST',
      headers: { ...fixture.owner, 'content-type': 'application/json' },
      body: JSON.stringify({ url: fixture.url }),
    });
    const { id } = z.object({ id: z.string() }).parse(await made.json());

    expect([made.status, late > 0]).toEqual([201, true]);
    await expect.poll(() => fixture.inside(id).leases.lease('t1')?.state).toBe('free');
  });

  it('[BR3][F16] the end of a Chrome: it stays until the store has taken that, so that no restart attaches it again', async () => {
    const { cdpUrl, close } = await startHostileEndpoint(plausible());
    const attached = await fixture.server.api('POST', '/api/v1/browsers', { cdpUrl });
    const { id } = z.object({ id: z.string() }).parse(attached.body);
    refuses = (what) => what === 'browsers.update';
    const refused = await fixture.server.api('DELETE', `/api/v1/browsers/${id}`);
    const listed = (await fixture.server.api('GET', '/api/v1/browsers')).body;
    refuses = () => false;
    const ended = await fixture.server.api('DELETE', `/api/v1/browsers/${id}`);
    const left = (await fixture.server.api('GET', '/api/v1/browsers')).body;
    close();

    expect([refused.status, listed]).toEqual([503, expect.arrayContaining([expect.objectContaining({ id })])]);
    expect([ended.status, left]).toEqual([200, expect.not.arrayContaining([expect.objectContaining({ id })])]);
  });

  it('[BU1] a further context of a session waits for the store until the end of the budget of its call', async () => {
    const { hub, clock } = fixture.server.running.services;
    const session = fixture.inside(await fixture.open('bot'));
    const stored = new Deferred();
    holds = (what) => (what === 'sessions.update' ? stored.promise : undefined);
    const added = withBudget({ timeoutMs: 1_000, clock }, (budget) => hub.addContext(budget, session));

    await expect(added).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('while waiting for: the store'),
    });
    stored.resolve();
  }, 20_000);

  it('[BU4] the intent of an action: the timeout of the action names the store', async () => {
    const session = await fixture.open('bot');
    const stored = new Deferred();
    holds = (what) => (what === 'journal.recordIntent' ? stored.promise : undefined);
    const reply = await fixture.server.act(session, { kind: 'click', selector: '#b', timeoutMs: 400 }, 'bot');
    stored.resolve();

    expect(reply.error).toMatchObject({
      code: 'TIMEOUT',
      message: 'Not done within 400 ms while waiting for: the store.',
      details: { log: [{ label: 'the store' }] },
    });
  });

  it('[BU3] waiting for the wheel ends with its own timeout while an answer is being stored', async () => {
    const session = await fixture.open('bot');
    await fixture.server.act(session, { kind: 'click', selector: '#b' }, 'bot');
    const stored = new Deferred();
    const storing = fixture
      .inside(session)
      .queue.surely(() => ({ store: () => stored.promise, apply: () => undefined }));
    const path = `/api/v1/sessions/${session}/tabs/t1/control/wait?timeoutMs=300`;
    const answer = await fixture.server.api('GET', path, undefined, { 'x-agent': 'bot' });
    stored.resolve();
    await storing;

    expect(answer.body).toMatchObject({ error: { code: 'TIMEOUT' } });
  }, 20_000);
});

describe('a sign-in or key that ends while the store looks it up', () => {
  /** Holds back the answer of the next call of this kind. */
  function heldBack(what: string): { read: Promise<void>; answer(): void } {
    const read = new Deferred();
    const answer = new Deferred();
    holds = (called) => {
      if (called !== what) return undefined;
      holds = () => undefined;
      read.resolve();
      return answer.promise;
    };
    return { read: read.promise, answer: () => answer.resolve() };
  }

  async function newKey(): Promise<{ id: string; key: string }> {
    const made = await fixture.server.api('POST', '/api/v1/keys', { name: 'short-lived' });
    return z.object({ id: z.string(), key: z.string() }).parse(made.body);
  }

  it('[T9][R3] lets no connection in, although the look-up found the key', async () => {
    const { id, key } = await newKey();
    const lookUp = heldBack('apiKeys.find');
    const client = fixture.connect({ auth: { key } });
    const came = new Promise((resolve) => {
      client.on('connect', () => resolve('connected'));
      client.on('connect_error', (error) => resolve(error.message));
    });
    await lookUp.read;
    await fixture.server.api('DELETE', `/api/v1/keys/${id}`);
    lookUp.answer();

    expect(await came).toBe('UNAUTHENTICATED');
  });

  it('[T9][R3] lets no call in, although the look-up found the sign-in', async () => {
    const { origin, running, signIn } = fixture.server;
    const { access } = running.services;
    const headers = { cookie: await signIn(), origin, host: new URL(origin).host };
    const principal = await access.authentication.requirePrincipal({ headers, address: '' });
    const lookUp = heldBack('signIns.find');
    const call = fetch(`${origin}/api/v1/sessions`, { headers: { cookie: headers.cookie } });
    await lookUp.read;
    if (principal.kind === 'human') await access.authentication.signOut(principal, headers);
    lookUp.answer();

    expect((await call).status).toBe(401);
  });
});
