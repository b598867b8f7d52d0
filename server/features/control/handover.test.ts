import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Holder } from '@/lib/control/lease';
import { quietLogger, tempSession, tempStore } from '@/server/testing/temp-store';
import { Leases } from '@/server/session/leases';
import { Handover } from './handover';
import { RunningActions } from '@/server/session/action/running-actions';
import { SessionLedger } from '@/server/session/ledger';
import { CommandQueue } from '@/server/session/queue';
import { Timeline } from '@/server/session/timeline';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const AGENT_IDLE_MS = 60_000;

/**
 * Handover without a Chrome: what it owns is time, leases and rows. `storeRefuses` is what a locked database does
 * (F16).
 */
async function makeHandover() {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const ledger = new SessionLedger(store, workspace, session, quietLogger);
  const clock = new FakeClock();
  const fault = { storeRefuses: false };
  const leases = new Leases(clock, new CommandQueue(clock), async (changed) => {
    if (fault.storeRefuses) throw new Error('the store is locked');
    await ledger.commit({ leases: changed });
  });
  const timeline = new Timeline(ledger, undefined, { epochOf: () => undefined });
  const deps = {
    leases,
    runningActions: new RunningActions(),
    timeline,
    clock,
    logger: quietLogger,
    agentIdleMs: AGENT_IDLE_MS,
    receipts: {
      write: () => Promise.reject(new Error('no person hands back here')),
      put: () => Promise.resolve(() => undefined),
      closed: () => false,
    },
    sessionTab: () => undefined,
    openFreshPage: () => Promise.resolve(),
    changed: () => undefined,
    session: 's_1',
  };
  const handover = new Handover(deps);
  await leases.apply({ type: 'tab-opened', tab: 't1', opener: undefined });
  return { clock, leases, handover, timeline, fault };
}

/** What was asked of the store is stored. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a lost connection', () => {
  it('[CO7] keeps the lease for 15 s, then lets go of it', async () => {
    const { clock, leases, handover } = await makeHandover();
    await leases.apply({ type: 'claim', tab: 't1', by: ada });
    handover.lost(ada.id);
    await turn();
    clock.advance(14_999);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'parked', holder: ada, until: 15_000 });
    clock.advance(1);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'free', reason: 'left' });
  });

  it('[CO7] that comes back in time holds the lease as before, for good', async () => {
    const { clock, leases, handover } = await makeHandover();
    await leases.apply({ type: 'claim', tab: 't1', by: ada });
    handover.lost(ada.id);
    await turn();
    clock.advance(10_000);
    await turn();
    handover.back(ada.id);
    await turn();
    clock.advance(60_000);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: ada, epoch: 2, reason: 'came back' });
  });

  it('[CO7] after a restart runs by the same clock', async () => {
    const { clock, leases, timeline } = await makeHandover();
    await leases.restore('t1', { epoch: 7, holder: ada, takenFrom: null, privateHold: null });
    const [row] = await timeline.events({ limit: 1 });
    clock.advance(15_000);
    await turn();
    expect(row).toMatchObject({ kind: 'control', said: { code: 'wheelKept' }, actor: ada, epoch: 8 });
    expect(leases.lease('t1')).toMatchObject({ state: 'free', epoch: 9 });
  });
});

describe('an agent without a connection', () => {
  it('[CO10] keeps the lease while it is at work, and loses it when idle, also after a restart', async () => {
    const { clock, leases, handover } = await makeHandover();
    await leases.restore('t1', { epoch: 7, holder: bot, takenFrom: null, privateHold: null });
    clock.advance(AGENT_IDLE_MS - 1);
    await turn();
    handover.active(bot.id);
    clock.advance(AGENT_IDLE_MS - 1);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: bot, epoch: 8 });
    clock.advance(1);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'free' });
  });
});

describe('a store that refuses in the middle of a takeover', () => {
  it('[F16] does not leave the tab between two holders: the change is made as soon as it can be stored', async () => {
    const { clock, leases, fault } = await makeHandover();
    await leases.apply({ type: 'claim', tab: 't1', by: bot });
    await leases.apply({ type: 'take', tab: 't1', by: ada, scope: 'tab' });
    fault.storeRefuses = true;
    await turn();
    clock.advance(1_000);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'draining', to: ada });
    fault.storeRefuses = false;
    clock.advance(250);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: ada, takenFrom: bot });
  });

  it('[F16] does not end the process from a timer, and lets go later', async () => {
    const { clock, leases, handover, fault } = await makeHandover();
    await leases.apply({ type: 'claim', tab: 't1', by: ada });
    handover.lost(ada.id);
    await turn();
    fault.storeRefuses = true;
    clock.advance(15_000);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'parked' });
    fault.storeRefuses = false;
    clock.advance(250);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'free' });
  });
});
