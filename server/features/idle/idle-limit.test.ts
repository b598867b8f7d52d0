import { describe, expect, it } from 'vitest';
import { everywhere } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';
import { help, HELP_REQUESTS } from '@/server/features/help/help-requests';
import { aSessionWith } from '@/server/testing/kernel';
import { idle, IDLE } from './idle-limit';

const MINUTE_MS = 60_000;
const ada: Principal = {
  ...{ id: 'p1', name: 'Ada', kind: 'human', person: 'p1', workspace: 'w', rights: everywhere(['watch']) },
  ...{ rev: 0, expiresAt: undefined, credential: { kind: 'cookie', id: 'l1' } },
};
const caller = { principal: ada, door: 'ui' } as const;

/** A session that ends after ten minutes without use. */
async function limited(policy: { idleMs?: number } = { idleMs: 10 * MINUTE_MS }) {
  const made = await aSessionWith({ policy }, help, idle);
  const rows = async (): Promise<string[]> =>
    (await made.session.timeline.events({ limit: 20 })).map(({ actor, text }) => `${actor.name} ${text}`);
  return { ...made, rows, left: () => made.session.view().idle?.endsInMs };
}

describe('[SE1] a session that nobody uses', () => {
  it('is ended after a warning of a minute, with the reason, also in the store', async () => {
    const { session, clock, store, left } = await limited();
    clock.advance(9 * MINUTE_MS - 1);
    const before = left();
    clock.advance(1);
    const warned = left();
    clock.advance(MINUTE_MS / 2);
    const half = left();
    clock.advance(MINUTE_MS / 2);
    await expect.poll(() => session.state).toBe('ended');
    const stored = await store.sessions.get(session.workspace, session.id);

    expect([before, warned, half]).toEqual([undefined, MINUTE_MS, MINUTE_MS / 2]);
    expect(session.view().stateReason).toBe('The session ended: nothing happened in it for 10 minutes.');
    expect(stored?.state).toBe('ended');
    expect(clock.waiting).toBe(0);
  });

  it('stays when somebody who sees it says so, or comes, or acts; each time the whole limit begins anew', async () => {
    const { session, clock, rows, left } = await limited();
    clock.advance(9.5 * MINUTE_MS);
    IDLE.of(session).stay(caller);
    const stayed = left();
    clock.advance(9.5 * MINUTE_MS);
    session.join(caller);
    const came = left();
    clock.advance(9.5 * MINUTE_MS);
    session.onUse.emit(caller);
    const acted = left();
    clock.advance(9 * MINUTE_MS - 1);

    expect([stayed, came, acted, left(), session.state]).toEqual([undefined, undefined, undefined, undefined, 'live']);
    await expect.poll(rows).toContain('Ada kept the session from ending');
  });

  it('is not ended while an agent waits for a person', async () => {
    const { session, clock, left } = await limited();
    const by = { id: 'a1', name: 'Bot', kind: 'agent' } as const;
    const asked = { id: 'q1', tab: 't1', by, reason: 'A code', askedAt: '2026-11-23T08:00:00.000Z', lifeMs: 900_000 };
    session.dispose();
    const again = await aSessionWith(
      { policy: { idleMs: 10 * MINUTE_MS }, knownQuestions: [{ asked, outcome: null, claimed: null }] },
      help,
      idle,
    );
    again.clock.advance(14 * MINUTE_MS);
    const waiting = [HELP_REQUESTS.of(again.session).waiting, again.session.view().idle?.endsInMs];
    again.clock.advance(MINUTE_MS);
    await expect.poll(() => HELP_REQUESTS.of(again.session).waiting).toBe(false);
    again.clock.advance(9 * MINUTE_MS);

    expect(waiting).toEqual([true, undefined]);
    expect(again.session.view().idle?.endsInMs).toBeDefined();
    expect([clock.waiting, left()]).toEqual([0, undefined]);
  });

  it('ends by the limit of its workspace too: the shorter one counts, and a change counts from now on', async () => {
    const made = await aSessionWith(
      { policy: { idleMs: 20 * MINUTE_MS }, workspaceIdleMs: 10 * MINUTE_MS },
      help,
      idle,
    );
    const idleOf = () => made.session.view().idle;
    const begun = idleOf();
    made.clock.advance(9 * MINUTE_MS);
    const warned = idleOf()?.endsInMs;
    IDLE.of(made.session).narrow(undefined);
    const without = idleOf();
    IDLE.of(made.session).narrow(5 * MINUTE_MS);
    made.clock.advance(5 * MINUTE_MS);
    await expect.poll(() => made.session.state).toBe('ended');

    expect([begun, warned, without]).toEqual([{ limitMs: 10 * MINUTE_MS }, MINUTE_MS, { limitMs: 20 * MINUTE_MS }]);
  });

  it('without a limit stays for ever', async () => {
    const { session, clock } = await limited({});
    clock.advance(100 * 86_400_000);
    IDLE.of(session).stay(caller);
    expect([session.state, session.view().idle]).toEqual(['live', undefined]);
  });
});
