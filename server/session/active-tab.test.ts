import { expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Active } from '@/lib/state/active';
import type { Principal } from '@/server/access/principal';
import { ActiveTab } from './active-tab';
import { SessionStatus } from './session-status';
import { Participants } from './participants';
import { TabRegistry } from './tab-registry';

const bot: Principal = {
  id: 'a1',
  name: 'bot',
  kind: 'agent',
  person: 'p1',
  workspace: 'w',
  grants: new Set(),
  rev: 0,
  expiresAt: undefined,
  credential: { kind: 'key', id: 'k1' },
};

it('[SE2] who reads two tabs in turn is stored once a second, as it is then; what is left, when the session is let go of', () => {
  const clock = new FakeClock();
  const participants = new Participants(clock);
  const saved: Active[] = [];
  const active = new ActiveTab({
    registry: new TabRegistry(() => Promise.reject(new Error('no tab here')), []),
    status: new SessionStatus(),
    participants,
    clock,
    before: undefined,
    known: new Set(),
    save: (one) => saved.push(one),
    changed: () => undefined,
  });
  const read = (...tabs: string[]): void => tabs.forEach((tab) => participants.use('a1', tab));
  participants.admit(bot);
  read('t1', 't2', 't1', 't2');
  const early = [...saved];
  clock.advance(1_000);
  const later = [...saved];
  read('t1');
  active.dispose();
  active.dispose();

  expect([early, later, saved]).toEqual([[], [{ by: { a1: 't2' } }], [{ by: { a1: 't2' } }, { by: { a1: 't1' } }]]);
});
