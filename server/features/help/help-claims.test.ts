import { expect, it } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import type { Principal } from '@/server/access/principal';
import { everywhere } from '@/lib/rights/grants';
import { PARKED_MS } from '@/server/session/leases';
import { aSessionWith } from '@/server/testing/kernel';
import { help, HELP_REQUESTS } from './help-requests';

const ada: Principal = {
  ...{ id: 'p1', name: 'Ada', kind: 'human', person: 'p1', workspace: 'w', rights: everywhere(['watch', 'drive']) },
  ...{ rev: 0, expiresAt: undefined, credential: { kind: 'cookie', id: 'l1' } },
};
const caller = { principal: ada, door: 'ui' } as const;

/** A session that begins with a question that Ada was on when the server stopped. */
async function claimedBefore() {
  const asked = {
    ...{ id: 'q1', tab: 't1', reason: 'A code', askedAt: '2026-11-23T08:00:00.000Z', lifeMs: 900_000 },
    by: { id: 'a1', name: 'Bot', kind: 'agent' },
  } as const;
  const claimed = { by: { id: ada.id, name: ada.name, kind: 'human' }, at: asked.askedAt } as const;
  const made = await aSessionWith({ knownQuestions: [{ asked, outcome: null, claimed }] }, help);
  const requests = HELP_REQUESTS.of(made.session);
  return { ...made, requests, whoIsOnIt: () => requests.open('t1').map((one) => one.claimed?.by.name) };
}

it('[CO4] a person who comes back after a restart, or within 15 s, is still on it; one who stays away is not', async () => {
  const { session, clock, store, whoIsOnIt } = await claimedBefore();
  clock.advance(PARKED_MS - 1);
  const leave = session.join(caller);
  clock.advance(PARKED_MS);
  const present = whoIsOnIt();
  leave();
  clock.advance(PARKED_MS - 1);
  const backInTime = session.join(caller);
  clock.advance(PARKED_MS);
  const back = whoIsOnIt();
  backInTime();
  clock.advance(PARKED_MS);
  await expect.poll(whoIsOnIt).toEqual([undefined]);
  const [stored] = await store.questions.list({ workspace: session.workspace, session: session.id });
  const rows = await session.timeline.events({ limit: 10 });

  expect([present, back]).toEqual([['Ada'], ['Ada']]);
  expect(stored).toMatchObject({ asked: { id: 'q1' }, outcome: null, claimed: null });
  expect(rows.map(({ actor, text }) => `${actor.name} ${text}`)).toEqual(['Ada let go of the question']);
});

it('[CO4] a person who claims without being in the session has 15 s to come; who may not drive any more is on nothing', async () => {
  const { session, clock, requests, whoIsOnIt } = await claimedBefore();
  requests.claimerLeft(ada.id);
  await expect.poll(whoIsOnIt).toEqual([undefined]);
  await withBudget({ timeoutMs: 1_000, clock }, (budget) => requests.claim(budget, caller, 't1', { do: 'claim' }));
  const claimed = whoIsOnIt();
  clock.advance(PARKED_MS);
  await expect.poll(whoIsOnIt).toEqual([undefined]);
  session.join(caller);
  await withBudget({ timeoutMs: 1_000, clock }, (budget) => requests.claim(budget, caller, 't1', { do: 'claim' }));
  session.participants.admitParticipant({ ...ada, rights: everywhere(['watch']) });
  session.rightsChanged();
  await expect.poll(whoIsOnIt).toEqual([undefined]);

  expect(claimed).toEqual(['Ada']);
});
