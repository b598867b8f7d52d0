import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { lightLoop } from '@/server/testing/light-loop';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Errors that need more than one request: another participant, a limit, a Chrome that dies. */
const LOOP = await lightLoop();
const MOST_TABS = 4;
const fixture = useServerFixture('<title>Errors</title><button>One</button>', {
  env: { LIMITS: `tabs=${MOST_TABS}` },
});
const acting = (session: string, tab = 'active'): string => `/api/v1/sessions/${session}/tabs/${tab}/act`;
const madeKey = z.object({ key: z.string() });
const failure = (code: string, says: { message: RegExp; hint: RegExp; details?: unknown }): object => ({
  ok: false,
  error: {
    code,
    message: expect.stringMatching(says.message),
    hint: expect.stringMatching(says.hint),
    retry: expect.any(String),
    ...(says.details === undefined ? {} : { details: says.details }),
  },
});

describe('errors because of the caller', () => {
  it('[AC8] FORBIDDEN names the grant that is missing', async () => {
    const session = await fixture.again();
    const made = await fetch(`${fixture.server.origin}/api/v1/keys`, {
      method: 'POST',
      headers: { ...fixture.owner, 'content-type': 'application/json' },
      body: '{"name":"looker","grants":["watch"],"sessions":"workspace"}',
    });
    const { key } = madeKey.parse(await made.json());
    const answer = await fixture.server.api(
      'POST',
      acting(session),
      { kind: 'click', selector: 'button' },
      { authorization: `Bearer ${key}` },
    );

    expect(answer).toMatchObject({
      status: 403,
      body: failure('FORBIDDEN', { message: /drive/, hint: /owner/, details: { grant: 'drive' } }),
    });
  });

  it('[AC8][CO2] CONTROL_HELD names the holder of the lease and how to wait', async () => {
    const session = await fixture.again();
    await fixture.control(session, { do: 'take' });
    const answer = await fixture.server.api('POST', acting(session), { kind: 'click', selector: 'button' });

    expect(answer).toMatchObject({
      status: 409,
      body: failure('CONTROL_HELD', {
        message: /wheel|driv/,
        hint: /control\/wait/,
        details: { holder: { kind: 'human' } },
      }),
    });
  });
});

describe('errors because of a setting, or of an end', () => {
  it('[AC8] UNAUTHENTICATED explains how to sign in', async () => {
    const answer = await fetch(`${fixture.server.origin}/api/v1/sessions`);

    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 401,
      body: {
        error: {
          code: 'UNAUTHENTICATED',
          message: expect.stringMatching(/\w{3}/),
          hint: expect.stringMatching(/Bearer/),
          retry: 'no',
        },
      },
    });
  });

  it('[AC8][EV9] EVAL_DISABLED names the alternatives', async () => {
    const { body } = await fixture.server.api('POST', '/api/v1/sessions', { policy: { evaluate: false } });
    const { id } = z.object({ id: z.string() }).parse(body);
    const answer = await fixture.server.api('POST', acting(id), { kind: 'evaluate', fn: '1' });

    expect(answer).toMatchObject({
      status: 403,
      body: failure('EVAL_DISABLED', { message: /switched off/, hint: /other actions/ }),
    });
  });

  it('[AC8][SN4] REF_STALE_DOCUMENT says that the page changed, and to look again', async () => {
    const session = await fixture.open();
    await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/active/snapshot`);
    await fixture.server.act(session, { kind: 'history', go: 'reload' });
    const answer = await fixture.server.api('POST', acting(session), { kind: 'click', ref: 'e1' });

    expect(answer).toMatchObject({
      status: 200,
      body: failure('REF_STALE_DOCUMENT', { message: /page/, hint: /new snapshot/ }),
    });
  });
});

describe('errors because of a limit', () => {
  it('[AC8][SE2] TAB_AMBIGUOUS lists the tabs that fit', async () => {
    const session = await fixture.open();
    for (const label of ['shop-a', 'shop-b'])
      await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, { label });
    const answer = await fixture.server.api('POST', acting(session, 'shop-'), { kind: 'none' });

    expect(answer).toMatchObject({
      status: 400,
      body: failure('TAB_AMBIGUOUS', {
        message: /fits 2 tabs/,
        hint: /longer/,
        details: { tabs: expect.arrayContaining([expect.objectContaining({ label: 'shop-b' })]) },
      }),
    });
  });

  it('[AC8] RATE_LIMITED says how many scripts run, and how to free a place', async () => {
    const session = await fixture.again();
    const scripts = Array.from({ length: 40 }, () =>
      fixture.server.api('POST', acting(session), { kind: 'evaluate', fn: 'new Promise(() => {})', timeoutMs: 3_000 }),
    );
    const refused = (await Promise.all(scripts)).filter(({ status }) => status === 429);

    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body).toMatchObject(
      failure('RATE_LIMITED', {
        message: /scripts are running/,
        hint: /timeoutMs/,
        details: { limit: expect.any(Number) },
      }),
    );
  });

  it('[AC8][BR7] QUOTA names the reached limit and how to go on', async () => {
    const session = await fixture.open();
    let answer: { status: number; body: unknown } = { status: 201, body: undefined };
    for (let made = 0; made <= MOST_TABS && answer.status === 201; made += 1)
      answer = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, {});

    expect(answer).toMatchObject({
      status: 429,
      body: {
        error: {
          code: 'QUOTA',
          message: expect.stringMatching(/tabs/i),
          hint: expect.stringMatching(/\w{3}/),
          retry: 'later',
          details: { limit: MOST_TABS },
        },
      },
    });
  }, 60_000);
});

describe('errors of interrupted calls', () => {
  it('[AC8][EV3] EVAL_TERMINATED: a script that a person stopped', async () => {
    const session = await fixture.again();
    const running = fixture.server.act(session, {
      kind: 'evaluate',
      fn: `() => { console.log("begun"); ${LOOP} }`,
      timeoutMs: 25_000,
    });
    await expect
      .poll(
        async () =>
          JSON.stringify((await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/active/console`)).body),
        { timeout: 10_000 },
      )
      .toContain('begun');
    const person = await fetch(`${fixture.server.origin}${acting(session)}`, {
      method: 'POST',
      headers: { ...fixture.owner, 'content-type': 'application/json' },
      body: '{"kind":"remedy","do":"stop-script"}',
    });

    expect(await person.json()).toMatchObject({ ok: true });
    expect(await running).toMatchObject(failure('EVAL_TERMINATED', { message: /stopped/, hint: /shorter/ }));
  }, 40_000);
});

describe('errors of calls that another call replaced', () => {
  it('[AC8][EV4] ABORTED: a caller that waits on a hanging page, which is replaced, is told why, and to look first', async () => {
    const session = await fixture.again();
    const waiting = fixture.server.act(session, { kind: 'wait', text: 'never', timeoutMs: 25_000 });
    await fixture.server.act(session, { kind: 'evaluate', fn: `() => { setTimeout(() => { ${LOOP} }, 0); }` });
    await fixture.server.act(session, { kind: 'click', selector: 'button', timeoutMs: 300 });
    await expect
      .poll(() => fixture.inside(session).activeSessionTab().tab.health.state, { timeout: 10_000 })
      .toBe('hung');
    await fixture.server.act(session, { kind: 'remedy', do: 'restart' });

    expect(await waiting).toMatchObject(
      failure('ABORTED', { message: /another action replaces it/, hint: /look at the page/ }),
    );
  }, 40_000);
});

describe('faults of the server', () => {
  it('[AC8] INTERNAL says where to look up the log, and reveals nothing internal', async () => {
    const session = await fixture.open();
    vi.spyOn(fixture.inside(session).activeSessionTab().tab.refs, 'lookup').mockImplementation(() => {
      throw new TypeError('a secret place in the code');
    });
    const { status, body, headers } = await fixture.server.api('POST', acting(session), { kind: 'click', ref: 'e1' });

    expect({ status, body }).toMatchObject({
      status: 500,
      body: failure('INTERNAL', { message: /^Something went wrong in the server\.$/, hint: /log .*X-Request-Id/ }),
    });
    expect([
      z.object({ id: z.string() }).parse(body).id,
      headers.get('x-request-id'),
      JSON.stringify(body).includes('secret place'),
    ]).toEqual([expect.stringMatching(/\w{4}/), expect.stringMatching(/\w{4}/), false]);
  });
});

describe('errors because the page is gone', () => {
  it('[AC8][F3] TAB_CRASHED: a caller that waits on a page whose process dies is told at once', async () => {
    const session = await fixture.open();
    const waiting = fixture.server.act(session, { kind: 'wait', text: 'never', timeoutMs: 25_000 });
    const { tab } = fixture.inside(session).activeSessionTab();
    await expect.poll(() => tab.health.state, { timeout: 10_000 }).toBe('ready');
    void tab.sessions.commands.sendMayFail('Page.crash');

    expect(await waiting).toMatchObject(failure('TAB_CRASHED', { message: /crash/, hint: /Reload/ }));
  }, 40_000);
});

describe('errors because the server cannot act now', () => {
  it('[AC8][F16] STORE_BUSY: no action is carried out without its log', async () => {
    const session = await fixture.again();
    await fixture.server.act(session, { kind: 'none' });
    const other = new Sqlite(join(fixture.server.dataDir, 'wheelhouse.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const answer = await fixture.server.api('POST', acting(session), { kind: 'click', selector: 'button' });
      expect(answer).toMatchObject({
        status: 503,
        body: failure('STORE_BUSY', { message: /database/, hint: /moment/ }),
      });
    } finally {
      other.close();
    }
  }, 40_000);

  it('[AC8][BR5] BROWSER_DOWN: a caller that waits on a Chrome that dies is told at once', async () => {
    const session = await fixture.again();
    const { store, access } = fixture.server.running.services;
    const waiting = fixture.server.api('POST', acting(session), { kind: 'wait', text: 'never', timeoutMs: 25_000 });
    await expect
      .poll(() => fixture.inside(session).activeSessionTab().tab.health.state, { timeout: 10_000 })
      .toBe('ready');
    for (const { pid } of await store.browsers.listOpen(access.owner.workspace)) process.kill(-Number(pid), 'SIGKILL');

    expect(await waiting).toMatchObject({
      status: 503,
      body: failure('BROWSER_DOWN', { message: /Chrome/, hint: /session shows it/ }),
    });
  }, 40_000);
});
