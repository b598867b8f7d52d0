import { expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Holder } from '@/lib/control/lease';
import { Emitter } from '@/server/browser/emitter';
import { quietLogger, tempSession, tempStore } from '@/server/testing/temp-store';
import { Leases } from '@/server/session/leases';
import { SessionLedger } from '@/server/session/ledger';
import { aQueue, raise } from '@/server/testing/queue';
import { StuckWatch, type WatchedTab } from './stuck-watch';
import { Timeline } from '@/server/session/timeline';

const bot: Holder = { id: 'bot', name: 'buyer-bot', kind: 'agent' };
const ada: Holder = { id: 'ada', name: 'Ada', kind: 'human' };
const MINUTE = 60_000;

it('[CO9] an agent that holds the lease and does nothing for five minutes is shown as stuck, until the lease passes; a person never is', async () => {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const clock = new FakeClock();
  const leases = new Leases(clock, aQueue(clock), () => Promise.resolve());
  const sessionTab: WatchedTab = {
    tab: {
      id: 't1',
      url: '',
      page: { onDocument: new Emitter() },
      snapshots: { take: () => Promise.reject(new Error('nobody looks')) },
    },
  };
  const timeline = new Timeline(new SessionLedger(store, workspace, session, quietLogger), undefined, raise, {
    epochOf: () => undefined,
  });
  const watch = new StuckWatch({
    services: { clock, logger: quietLogger },
    leases,
    timeline,
    changed: () => undefined,
    registry: { get: () => sessionTab },
  });
  const said = (): string | undefined => watch.shown(sessionTab)?.reason;
  await leases.applyUntilStored({ type: 'tab-opened', tab: 't1', opener: undefined });
  await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: bot });
  clock.advance(5 * MINUTE - 1);
  const early = said();
  clock.advance(1);
  const late = said();
  await leases.applyUntilStored({ type: 'take', tab: 't1', by: ada, scope: 'tab' });
  await leases.applyUntilStored({ type: 'drained', tab: 't1', epoch: leases.lease('t1')?.epoch ?? 0 });
  const taken = said();
  clock.advance(20 * MINUTE);
  watch.dispose();

  expect([early, late, taken, said()]).toEqual([
    undefined,
    'buyer-bot has the wheel and has done nothing for 5 minutes.',
    undefined,
    undefined,
  ]);
});
