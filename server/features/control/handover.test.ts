import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import { Deferred } from '@/lib/async/deferred';
import { createBudget } from '@/lib/budget/budget';
import type { Holder } from '@/lib/control/lease';
import { everywhere, GRANTS } from '@/lib/rights/grants';
import { refusal } from '@/server/testing/disturbed-store';
import { quietLogger, tempSession, tempStore } from '@/server/testing/temp-store';
import { Leases } from '@/server/session/leases';
import type { Caller } from '@/server/session/caller';
import { Handover, type HandoverDeps } from './handover';
import { RunningActions } from '@/server/session/action/running-actions';
import { SessionLedger } from '@/server/session/ledger';
import { aQueue, longBudget, raise } from '@/server/testing/queue';
import { Timeline } from '@/server/session/timeline';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const AGENT_IDLE_MS = 60_000;

/** A Handover without a Chrome, with a clock, leases and rows. `storeRefuses` simulates a locked database (F16). */
async function makeHandover() {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const ledger = new SessionLedger(store, workspace, session, quietLogger);
  const clock = new FakeClock();
  const fault: { storeRefuses: boolean; storeWaits?: Promise<void> } = { storeRefuses: false };
  const [log, keys]: [string[], { ended: boolean }] = [[], { ended: false }];
  const leases = new Leases(clock, aQueue(clock), async (changes) => {
    await fault.storeWaits;
    if (fault.storeRefuses) throw refusal();
    await ledger.commit(changes);
  });
  const timeline = new Timeline(ledger, undefined, raise, { epochOf: () => undefined });
  const deps = {
    leases,
    runningActions: new RunningActions(),
    timeline,
    clock,
    logger: quietLogger,
    agentIdleMs: AGENT_IDLE_MS,
    receipts: receiptsIn(log, keys),
    sessionTab: () => undefined,
    openFreshPage: () => Promise.resolve(),
    changed: () => undefined,
    session: 's_1',
  };
  const handover = new Handover(deps);
  await leases.applyUntilStored({ type: 'tab-opened', tab: 't1', opener: undefined });
  return { clock, leases, handover, timeline, fault, log, keys, ledger };
}

/** Receipts whose fate is written to `log`. */
function receiptsIn(log: string[], keys: { readonly ended: boolean }): HandoverDeps['receipts'] {
  const receipt = { by: 'Ada', takenAt: '', returnedAt: '', url: '', tabs: [] };
  return {
    write: () => Promise.resolve({ receipt, given: () => void log.push('given') }),
    put: (participant) => ({
      record: { participant, receipt },
      stored: () => void log.push('stored'),
      withdrawn: () => void log.push('withdrawn'),
    }),
    closed: () => keys.ended,
  };
}

const caller: Caller = {
  principal: {
    ...{ ...ada, kind: 'human', person: 'p1', workspace: 'w1', rights: everywhere(GRANTS), rev: 0, expiresAt: 0 },
    credential: { kind: 'cookie', id: 'c1' },
  },
  door: 'ui',
};

/** Ada has taken the lease from the agent, and the store does not answer until `answer`. */
async function takenAndSilent() {
  const made = await makeHandover();
  const { leases, fault } = made;
  await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: bot });
  await leases.applyUntilStored({ type: 'take', tab: 't1', by: ada, scope: 'tab' });
  await expect.poll(() => leases.lease('t1')?.state).toBe('held');
  const silence = new Deferred();
  fault.storeWaits = silence.promise;
  return { ...made, answer: () => silence.resolve() };
}

describe('a hand-back while the store is silent', () => {
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => String(Object(error).code),
    );

  it('[BU1][CO5] answers within its budget; when it is stored after all, the agent has the wheel and its receipt', async () => {
    const { clock, leases, handover, ledger, log, answer } = await takenAndSilent();
    const given = codeOf(handover.handBack(createBudget({ timeoutMs: 400, clock }), caller, 't1', undefined));
    await turn();
    clock.advance(400);
    const answered = [await given, leases.lease('t1'), [...log]];
    answer();
    await expect.poll(() => leases.lease('t1')).toMatchObject({ state: 'held', holder: bot });

    expect(answered).toEqual(['TIMEOUT', expect.objectContaining({ state: 'held', holder: ada }), []]);
    expect([log, await ledger.receipts()]).toEqual([
      ['stored', 'given'],
      [expect.objectContaining({ participant: bot.id })],
    ]);
  });

  it('[CO5] that the store refuses leaves no receipt and the same holder', async () => {
    const { clock, leases, handover, ledger, fault, log, answer } = await takenAndSilent();
    const given = codeOf(handover.handBack(longBudget(clock), caller, 't1', undefined));
    await turn();
    fault.storeRefuses = true;
    answer();

    expect([await given, log, leases.lease('t1'), await ledger.receipts()]).toEqual([
      'STORE_BUSY',
      ['withdrawn'],
      expect.objectContaining({ state: 'held', holder: ada }),
      [],
    ]);
  });

  it('[CO4] does not hand over to an agent whose key ends before the change is decided', async () => {
    const { clock, leases, handover, keys, log, answer } = await takenAndSilent();
    const asked = leases.applyUntilStored({ type: 'request', tab: 't1', by: bot, moderates: false });
    const given = codeOf(handover.handOver(longBudget(clock), caller, 't1', bot, 'tab', undefined));
    await turn();
    keys.ended = true;
    answer();

    expect([await given, log]).toEqual(['NOT_FOUND', []]);
    await asked;
    expect(leases.lease('t1')).toMatchObject({ holder: ada });
  });
});

/** Lets pending store requests finish. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a lost connection', () => {
  it('[CO7] keeps the lease for 15 s, then releases it', async () => {
    const { clock, leases, handover } = await makeHandover();
    await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: ada });
    handover.lost(ada.id);
    await turn();
    clock.advance(14_999);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'parked', holder: ada, until: 15_000 });
    clock.advance(1);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'free', reason: 'left' });
  });

  it('[CO7] that is restored in time keeps the lease for good', async () => {
    const { clock, leases, handover } = await makeHandover();
    await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: ada });
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
    await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: bot });
    await leases.applyUntilStored({ type: 'take', tab: 't1', by: ada, scope: 'tab' });
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

  it('[CO7] does not park a person who came back while the loss could not be stored', async () => {
    const { clock, leases, handover, fault } = await makeHandover();
    await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: ada });
    fault.storeRefuses = true;
    handover.lost(ada.id);
    await turn();
    handover.back(ada.id);
    fault.storeRefuses = false;
    clock.advance(250);
    await expect.poll(() => leases.lease('t1')).toMatchObject({ state: 'held', reason: 'came back' });
    clock.advance(60_000);
    await turn();
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: ada });
  });

  it('[F16] does not end the process from a timer, and releases the lease later', async () => {
    const { clock, leases, handover, fault } = await makeHandover();
    await leases.applyUntilStored({ type: 'take-free', tab: 't1', by: ada });
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
