import { describe, expect, it } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import type { Lease } from '@/lib/control/lease';
import { lockDatabase } from '@/server/testing/locked';
import { ask } from '@/server/testing/socket-client';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<title>Locked</title><button>Press</button>');

const lock = (): (() => void) => lockDatabase(fixture.server.dataDir);

function leaseOf(session: string): Lease | undefined {
  return fixture.inside(session).leases.lease('t1');
}

describe('while another program locks the database', () => {
  it('[BU1][CO3] a take and a hand-back by Socket.IO end with their own budgets, and count when they are stored', async () => {
    const session = await fixture.open('bot');
    const client = fixture.person();
    await ask(client, 'session.join', { session });
    const unlock = lock();
    const taken = await ask(client, 'control', { session, tab: 't1', do: 'take', timeoutMs: 300 });
    const before = leaseOf(session);
    unlock();
    await expect.poll(() => leaseOf(session)).toMatchObject({ state: 'held', holder: { kind: 'human' } });
    const again = lock();
    const given = await ask(client, 'control', { session, tab: 't1', do: 'hand-back', timeoutMs: 900 });
    again();
    await expect.poll(() => leaseOf(session)).toMatchObject({ state: 'held', holder: { kind: 'agent' } });
    const next = await fixture.server.act(session, { kind: 'none' }, 'bot');

    expect([taken, before?.state, given]).toEqual([
      { ok: false, error: expect.objectContaining({ code: 'TIMEOUT' }) },
      'held',
      { ok: false, error: expect.objectContaining({ code: 'TIMEOUT' }) },
    ]);
    expect(next.handoff).toMatchObject({ by: 'Owner' });
  }, 40_000);

  it('[BU1] waiting during the sign-in counts: a call whose budget ends there does nothing', async () => {
    const session = await fixture.open('bot');
    await fixture.server.act(session, { kind: 'evaluate', fn: '1' }, 'bot');
    const unlock = lock();
    // It waits for the lock, and the sign-ins behind it wait for the connection to the database.
    const first = fixture.inside(session).timeline.tell({ kind: 'session', said: { code: 'serverRestarted' } });
    const taken = fixture.control(session, { do: 'take', timeoutMs: 300 });
    const acted = fixture.server.act(
      session,
      { kind: 'evaluate', fn: 'document.title = "done"', timeoutMs: 300 },
      'bot',
    );
    await new Promise((resolve) => setTimeout(resolve, 400));
    unlock();
    await first;

    expect([await taken, (await acted).error?.code]).toEqual([
      { status: 504, body: { error: expect.objectContaining({ code: 'TIMEOUT' }) } },
      'TIMEOUT',
    ]);
    expect(leaseOf(session)).toMatchObject({ state: 'held', holder: { kind: 'agent' } });
    expect((await fixture.server.act(session, { kind: 'evaluate', fn: 'document.title' }, 'bot')).value).toBe('Locked');
  }, 40_000);

  it('[CO10][F16] an action whose intent is stored too late is carried out when it is sent again with its id', async () => {
    const session = await fixture.open('bot');
    const action = { kind: 'evaluate', fn: 'globalThis.count = (globalThis.count ?? 0) + 1', id: 'late' };
    const unlock = lock();
    const first = await fixture.server.act(session, { ...action, timeoutMs: 300 }, 'bot');
    const again = fixture.server.act(session, { ...action, timeoutMs: 20_000 }, 'bot');
    unlock();
    const second = await again;
    const rows = await fixture.inside(session).timeline.events({ limit: 50 });

    expect([first.error?.code, second.error, second.value]).toEqual(['TIMEOUT', undefined, 1]);
    expect(
      rows
        .filter(({ actionId, phase }) => actionId === 'late' && phase !== 'event')
        .map(({ phase, code }) => [phase, code]),
    ).toEqual([
      ['intent', undefined],
      ['outcome', 'TIMEOUT'],
      ['intent', undefined],
      ['outcome', undefined],
    ]);
  }, 40_000);

  it('[SE2][F16] a popup is seen as soon as the store takes its lease', async () => {
    const session = await fixture.open('bot');
    await openSoon(session);
    const unlock = lock();
    await expect.poll(() => pagesOf(session)).toBe(2);
    const before = fixture.inside(session).registry.all().length;
    unlock();
    await expect.poll(() => fixture.inside(session).registry.all().length).toBe(2);

    expect(before).toBe(1);
    expect(fixture.inside(session).leases.lease('t2')).toMatchObject({ state: 'held', holder: { name: 'bot' } });
  }, 40_000);

  it('[SE2][F16] a popup whose lease the store does not accept is closed, and the agent is told', async () => {
    const session = await fixture.open('bot');
    await openSoon(session);
    const unlock = lock();
    await expect.poll(() => pagesOf(session)).toBe(2);
    await expect.poll(() => pagesOf(session), { timeout: 20_000 }).toBe(1);
    unlock();
    const rows = async () => await fixture.inside(session).timeline.events({ limit: 5 });
    await expect
      .poll(rows, { timeout: 10_000 })
      .toContainEqual(expect.objectContaining({ code: 'STORE_BUSY', said: { code: 'popupUnstored' } }));

    expect(fixture.inside(session).registry.all()).toHaveLength(1);
    await expect.poll(() => fixture.inside(session).leases.lease('t2')).toBeUndefined();
  }, 60_000);
});

describe('a session that cannot be stored while it is made', () => {
  const make = async (isolation: 'context' | 'browser', timeoutMs: number): Promise<unknown> => {
    const { hub, access, clock } = fixture.server.running.services;
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    const principal = await access.authentication.requirePrincipal({ headers, address: '' });
    return withBudget({ timeoutMs, clock }, async (budget) => {
      try {
        await hub.create(budget, { principal, door: 'http' }, { isolation });
        return 'made';
      } catch (error) {
        return String(Object(error).code);
      }
    });
  };
  /** Sessions that would come back after a restart, and those that are shown. */
  const sessions = async (): Promise<string[][]> => {
    const { hub, store, access } = fixture.server.running.services;
    const ids = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id).toSorted();
    const { workspace } = access.owner;
    return [ids(await store.sessions.listOpen(workspace)), ids(hub.list(workspace))];
  };

  it('[SE2][F16] leaves no context and no stored session', async () => {
    const { browser } = fixture.inside(await fixture.open('bot')).init.contextRef;
    const { clock } = fixture.server.running.services;
    const contexts = (): Promise<number> =>
      withBudget({ timeoutMs: 5_000, clock }, async (budget) => (await browser.contexts(budget)).length);
    const [before] = [await contexts(), await sessions()];
    const unlock = lock();
    const made = make('context', 1_500);
    await expect.poll(contexts).toBe(before + 1);

    expect(await made).toBe('TIMEOUT');
    await expect.poll(contexts).toBe(before);
    unlock();
    await expect.poll(async () => new Set((await sessions()).map(String)).size).toBe(1);
  }, 60_000);

  it('[SE2][F16] leaves no Chrome of its own', async () => {
    const { browsers, access } = fixture.server.running.services;
    const before = browsers.list(access.owner.workspace).length;
    const locked = new Promise<() => void>((resolve) => {
      const off = browsers.onBrowser.on(() => {
        off();
        resolve(lock());
      });
    });
    const made = await make('browser', 20_000);
    (await locked)();

    expect(made).toMatch(/STORE_BUSY|TIMEOUT/);
    await expect.poll(() => browsers.list(access.owner.workspace).length).toBe(before);
    await expect.poll(async () => new Set((await sessions()).map(String)).size).toBe(1);
  }, 60_000);
});

/** The page opens another one in a moment, without an action that could be refused. */
async function openSoon(session: string): Promise<void> {
  await fixture.server.act(session, { kind: 'evaluate', fn: 'setTimeout(() => open("/"), 300), 1' }, 'bot');
}

/** The pages that Chrome has in this session. */
function pagesOf(session: string): number {
  const { browser, contextId } = fixture.inside(session).init.contextRef;
  return browser.targets().filter(({ browserContextId }) => browserContextId === contextId).length;
}
