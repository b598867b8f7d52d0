import { expect, it } from 'vitest';
import { everywhere } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';
import { aSession } from '@/server/testing/kernel';

const bot: Principal = {
  id: 'a1',
  name: 'bot',
  kind: 'agent',
  person: 'p1',
  workspace: 'w',
  rights: everywhere([]),
  rev: 0,
  expiresAt: undefined,
  credential: { kind: 'key', id: 'k1' },
};

it("[SE2] alternate reads of two tabs store the active tab once a second, and at the session's release", async () => {
  const { session, clock, ledger } = await aSession();
  const { active, participants } = session;
  const saved: unknown[] = [];
  const change = ledger.changeSession.bind(ledger);
  ledger.changeSession = (what) => {
    saved.push(what.active);
    return change(what);
  };
  const read = (...tabs: string[]): void => tabs.forEach((tab) => participants.use('a1', tab));
  participants.admitParticipant(bot);
  read('t1', 't2', 't1', 't2');
  const early = [...saved];
  clock.advance(1_000);
  const later = [...saved];
  read('t1');
  active.dispose();
  active.dispose();

  expect([early, later, saved]).toEqual([[], [{ by: { a1: 't2' } }], [{ by: { a1: 't2' } }, { by: { a1: 't1' } }]]);
});
