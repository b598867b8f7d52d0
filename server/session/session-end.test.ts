import { describe, expect, it } from 'vitest';
import { createBudget } from '@/lib/budget/budget';
import { everywhere, GRANTS } from '@/lib/rights/grants';
import { aSession } from '@/server/testing/kernel';
import { lockDatabase } from '@/server/testing/locked';
import { longBudget } from '@/server/testing/queue';
import type { Caller } from './caller';
import { STORE_MS } from '@/server/store/in-time';

const caller: Caller = {
  principal: {
    ...{ kind: 'human', id: 'p1', name: 'Ada', person: 'p1', workspace: 'w1' },
    ...{ rights: everywhere(GRANTS), rev: 0, expiresAt: 0, credential: { kind: 'cookie', id: 'c1' } },
  },
  door: 'ui',
};

/** A session, with its state in the store. */
async function stored() {
  const made = await aSession();
  const { session, store } = made;
  const state = async (): Promise<string | undefined> =>
    (await store.sessions.get(session.init.ledger.workspace, session.id))?.state;
  return { ...made, state };
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('the end of a session', () => {
  it('[SE2] is answered when it is stored', async () => {
    const { session, clock, state } = await stored();
    await session.end(longBudget(clock), caller);

    expect([session.state, await state()]).toEqual(['ended', 'ended']);
    await expect.poll(async () => (await session.timeline.events({ limit: 1 }))[0]?.said?.code).toBe('sessionEnded');
  });

  it('[SE2][F16] that the store does not take in five seconds is STORE_BUSY and can be repeated; it counts when it is stored', async () => {
    const { session, clock, state, dataDir } = await stored();
    const unlock = lockDatabase(dataDir);
    const first = outcome(session.end(longBudget(clock), caller));
    clock.advance(STORE_MS);
    const answer = await first;
    const meanwhile = session.state;
    const again = outcome(session.end(longBudget(clock), caller));
    unlock();

    expect([answer, meanwhile]).toEqual([
      expect.objectContaining({ code: 'STORE_BUSY', hint: expect.stringContaining('End it again') }),
      'live',
    ]);
    expect([await again, session.state, await state()]).toEqual(['done', 'ended', 'ended']);
  });

  it('[BU1] ends for its caller with the budget of the call', async () => {
    const { session, clock, dataDir } = await stored();
    const unlock = lockDatabase(dataDir);
    const ended = outcome(session.end(createBudget({ timeoutMs: 300, clock }), caller));
    clock.advance(300);
    expect(await ended).toMatchObject({ code: 'TIMEOUT' });
    unlock();
    await expect.poll(() => session.state).toBe('ended');
  });

  it('[SE2] comes once, also when the session is abandoned after it', async () => {
    const heard: string[] = [];
    const feature = { name: 'feature', start: () => ({ ended: () => void heard.push('ended') }) };
    const { session, clock } = await aSession(feature);
    session.onEnded.on(() => void heard.push('onEnded'));
    await session.end(longBudget(clock), caller);
    session.abandon(caller);

    expect(heard).toEqual(['ended', 'onEnded']);
  });

  it('[F30] a feature that fails at the end does not prevent the end of the others', async () => {
    const ended: string[] = [];
    const broken = {
      name: 'broken',
      start: () => ({
        ended: () => {
          throw new Error('broken');
        },
        dispose: () => void ended.push('broken'),
      }),
    };
    const sound = { name: 'sound', start: () => ({ ended: () => void ended.push('sound') }) };
    const { session, clock } = await aSession(broken, sound);
    await session.end(longBudget(clock), caller);

    expect([session.state, ended]).toEqual(['ended', ['sound', 'broken']]);
  });
});
