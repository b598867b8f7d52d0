import { describe, expect, it } from 'vitest';
import { createBudget, type Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { ControlEffect, Holder, Lease } from '@/lib/control/lease';
import { Leases } from './leases';
import { aQueue } from '@/server/testing/queue';
import { CommandQueue } from './queue';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };

/** Leases of free tabs, with what they stored and announced. */
async function makeLeases(...tabs: string[]) {
  const clock = new FakeClock();
  const saved: [string, Lease['state'], number][] = [];
  const told: ControlEffect['type'][] = [];
  const leases = new Leases(clock, aQueue(clock), (changes) => {
    for (const [tab, { state, epoch }] of changes.leases) saved.push([tab, state, epoch]);
    return Promise.resolve();
  });
  for (const tab of tabs) await leases.applyUntilStored({ type: 'tab-opened', tab, opener: undefined });
  saved.splice(0);
  leases.onEffect.on(({ type }) => told.push(type));
  return { clock, leases, saved, told };
}

const takeFree = (leases: Leases, tab: string, by: Holder): Promise<void> =>
  leases.applyUntilStored({ type: 'take-free', tab, by });
const take = (leases: Leases, tab: string, by: Holder): Promise<void> =>
  leases.applyUntilStored({ type: 'take', tab, by, scope: 'tab' });
const budgetOn = (clock: FakeClock, timeoutMs = 1_000): Budget => createBudget({ timeoutMs, clock });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('changing leases', () => {
  it('[CO1] stores each change, then announces it; an unchanged lease is not stored again', async () => {
    const { leases, saved, told } = await makeLeases('t1', 't2');
    await takeFree(leases, 't1', bot);
    await takeFree(leases, 't1', bot);
    expect([saved, told]).toEqual([[['t1', 'held', 2]], ['changed']]);
    await take(leases, 't1', ada);
    await leases.applyUntilStored({ type: 'drained', tab: 't1', epoch: 3 });
    expect(saved.slice(1)).toEqual([
      ['t1', 'draining', 3],
      ['t1', 'held', 4],
    ]);
    expect(told).toEqual(['changed', 'changed', 'drain', 'release-input', 'changed']);
  });

  it('[CO1] stamps them with its own clock', async () => {
    const { clock, leases } = await makeLeases('t1');
    clock.advance(70);
    await takeFree(leases, 't1', bot);
    expect(leases.lease('t1')?.since).toBe(70);
  });

  it('[CO2] a refusal names the holder, since when, the epoch, the reason and how to wait; nothing changes', async () => {
    const { leases, saved } = await makeLeases('t1');
    await takeFree(leases, 't1', ada);
    await expect(takeFree(leases, 't1', bot)).rejects.toThrow(
      expect.objectContaining({
        code: 'CONTROL_HELD',
        message: 'Ada has the wheel.',
        hint: 'Wait for it: GET …/tabs/t1/control/wait?timeoutMs=60000 answers when you may act.',
        details: {
          tab: 't1',
          epoch: 2,
          holder: ada,
          since: expect.stringMatching(/^\d{4}-.*Z$/),
          reason: 'first to act',
        },
      }),
    );
    expect(saved).toHaveLength(1);
    await expect(takeFree(leases, 't9', bot)).rejects.toThrow(expect.objectContaining({ code: 'TAB_NOT_FOUND' }));
  });

  it('[CO1] a change that cannot be stored does not happen: the next try drains as the first would have', async () => {
    let broken = false;
    const clock = new FakeClock();
    const leases = new Leases(clock, aQueue(clock), async () => {
      if (broken) throw new Error('the store is locked');
    });
    const told: ControlEffect['type'][] = [];
    await leases.applyUntilStored({ type: 'tab-opened', tab: 't1', opener: undefined });
    await takeFree(leases, 't1', bot);
    leases.onEffect.on(({ type }) => told.push(type));
    broken = true;
    await expect(take(leases, 't1', ada)).rejects.toThrow('the store is locked');
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: bot });
    broken = false;
    await take(leases, 't1', ada);
    expect(told).toEqual(['changed', 'drain']);
  });

  it('[F30] a listener that throws stops neither the others nor the effects that follow, and is reported as a fault', async () => {
    const clock = new FakeClock();
    const faults: unknown[] = [];
    const queue = new CommandQueue(clock, (error) => faults.push(error));
    const leases = new Leases(clock, queue, () => Promise.resolve());
    await leases.applyUntilStored({ type: 'tab-opened', tab: 't1', opener: undefined });
    await takeFree(leases, 't1', bot);
    const told: ControlEffect['type'][] = [];
    leases.onEffect.on(() => {
      throw new Error('a feature is broken');
    });
    leases.onEffect.on(({ type }) => told.push(type));
    await take(leases, 't1', ada);

    expect([told, faults]).toEqual([
      ['changed', 'drain'],
      [new Error('a feature is broken'), new Error('a feature is broken')],
    ]);
  });

  it('[CO7] after a restart a person has the tab for as long as a lost connection is waited for, an agent until it is idle', async () => {
    const { leases, saved, told } = await makeLeases();
    await leases.restore('t1', { epoch: 8, holder: ada, takenFrom: bot, privateHold: null });
    await leases.restore('t2', { epoch: 3, holder: bot, takenFrom: null, privateHold: null });
    const since = { since: 0, reason: 'the server was restarted' };
    expect([leases.lease('t1'), leases.lease('t2')]).toEqual([
      { state: 'parked', epoch: 9, holder: ada, takenFrom: bot, until: 15_000, ...since },
      { state: 'held', epoch: 4, holder: bot, takenFrom: undefined, ...since },
    ]);
    expect([saved, told]).toEqual([
      [
        ['t1', 'parked', 9],
        ['t2', 'held', 4],
      ],
      ['changed', 'changed'],
    ]);
  });

  it('[CO7] after a restart the epoch is higher than any before; leases without a holder are free', async () => {
    const { leases } = await makeLeases();
    await leases.restore('t1', { epoch: 8, holder: null, takenFrom: null, privateHold: null });
    expect(leases.lease('t1')).toEqual({ state: 'free', epoch: 9, since: 0, reason: 'the server was restarted' });
    await leases.applyUntilStored({ type: 'tab-opened', tab: 't1', opener: undefined });
    expect(leases.lease('t1')?.epoch).toBe(9);
  });

  it('[CO2][BR5] a tab that was closed meanwhile does not get back its stored lease: no former holder, and no epoch twice', async () => {
    const { leases } = await makeLeases();
    const stored = { epoch: 3, holder: bot, takenFrom: null, privateHold: null };
    await leases.opened('t1', undefined, stored);
    await take(leases, 't1', ada);
    await leases.applyUntilStored({ type: 'drained', tab: 't1', epoch: 5 });
    await leases.closed('t1');
    expect(leases.lease('t1')).toBeUndefined();
    await leases.opened('t1', undefined, stored);
    expect(leases.lease('t1')).toMatchObject({ state: 'free', epoch: 7 });
  });
});

describe('the fence before each write', () => {
  it('[CO2] passes the holder at the current epoch, and no other', async () => {
    const { leases } = await makeLeases('t1');
    await takeFree(leases, 't1', bot);
    expect(() => leases.fence('t1', bot.id, 2)).not.toThrow();
    expect(() => leases.fence('t1', bot.id, 1)).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
    expect(() => leases.fence('t1', ada.id, 2)).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
  });

  it('[CO2] closes the moment a person takes the lease, before anything is drained, and names that person', async () => {
    const { leases } = await makeLeases('t1');
    await takeFree(leases, 't1', bot);
    await take(leases, 't1', ada);
    expect(() => leases.fence('t1', bot.id, 2)).toThrow(
      expect.objectContaining({
        code: 'CONTROL_LOST',
        message: 'Ada has the wheel now.',
        details: expect.objectContaining({ holder: ada, epoch: 3 }),
      }),
    );
    expect(() => leases.fence('t1', ada.id, 3)).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
  });

  it('[CO2] is shut on a closed tab', async () => {
    const { leases } = await makeLeases('t1');
    await takeFree(leases, 't1', bot);
    await leases.applyUntilStored({ type: 'tab-closed', tab: 't1' });
    expect(() => leases.fence('t1', bot.id, 2)).toThrow(expect.objectContaining({ code: 'TAB_NOT_FOUND' }));
  });
});

describe('other holders of tabs', () => {
  it('[CO1] are named for commands that reach beyond one tab', async () => {
    const { leases } = await makeLeases('t1', 't2', 't3');
    const held = (name: string): unknown =>
      expect.objectContaining({
        code: 'CONTROL_HELD',
        message: expect.stringContaining(`${name} has the wheel of a tab`),
        details: expect.objectContaining({ tab: 't1' }),
      });
    leases.demandAlone(bot.id);
    await takeFree(leases, 't1', bot);
    leases.demandAlone(bot.id);
    expect(() => leases.demandAlone(ada.id)).toThrow(held('Bot'));
    await take(leases, 't1', ada);
    leases.demandAlone(ada.id);
    expect(() => leases.demandAlone(bot.id)).toThrow(held('Ada'));
  });
});

describe('waiting for the lease', () => {
  it('[CO10] ends at once on a free tab and on one that the caller holds', async () => {
    const { clock, leases } = await makeLeases('t1');
    await leases.waitFor(budgetOn(clock), 't1', bot.id);
    await takeFree(leases, 't1', bot);
    await leases.waitFor(budgetOn(clock), 't1', bot.id);
    expect([leases.mayAct('t1', bot.id), leases.mayAct('t1', ada.id)]).toEqual([true, false]);
  });

  it('[CO3] ends when the other holder is drained, not when the lease is only requested', async () => {
    const { clock, leases } = await makeLeases('t1');
    await takeFree(leases, 't1', bot);
    await take(leases, 't1', ada);
    let mine = false;
    const waiting = leases.waitFor(budgetOn(clock), 't1', ada.id).then(() => {
      mine = true;
    });
    await turn();
    expect(mine).toBe(false);
    await leases.applyUntilStored({ type: 'drained', tab: 't1', epoch: 3 });
    await waiting;
    expect(mine).toBe(true);
  });

  it('[CO5] ends when the lease is handed back', async () => {
    const { clock, leases } = await makeLeases('t1');
    await takeFree(leases, 't1', bot);
    await take(leases, 't1', ada);
    await leases.applyUntilStored({ type: 'drained', tab: 't1', epoch: 3 });
    const waiting = leases.waitFor(budgetOn(clock), 't1', bot.id);
    await leases.applyUntilStored({ type: 'hand-back', tab: 't1', by: ada });
    await waiting;
    expect(leases.lease('t1')).toMatchObject({ state: 'held', holder: bot });
  });

  it('[BU3][BU4] ends with the budget, and names the holder, the wait, and how to go on', async () => {
    const { clock, leases } = await makeLeases('t1');
    await takeFree(leases, 't1', ada);
    const waiting = leases.waitFor(budgetOn(clock, 200), 't1', bot.id);
    clock.advance(200);
    await expect(waiting).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'Ada has the wheel.',
      hint: expect.stringContaining('/tabs/t1/control/wait?timeoutMs='),
      details: { tab: 't1', holder: ada, log: [{ label: 'the wheel' }] },
    });
  });

  it('[OP3] ends when the session ends or its server stops, also for later calls', async () => {
    const { clock, leases } = await makeLeases('t1');
    await takeFree(leases, 't1', ada);
    const waiting = [
      leases.waitFor(budgetOn(clock), 't1', bot.id),
      leases.waitForShown(budgetOn(clock), 't1'),
      leases.settled(budgetOn(clock), 't1'),
    ].map((one) =>
      one.then(
        () => 'reached',
        ({ code }: { code: string }) => code,
      ),
    );
    leases.dispose(new WheelhouseError('ABORTED', 'The server stopped; the wheel stays with who has it.'));
    const late = leases.waitFor(budgetOn(clock), 't1', bot.id).catch(({ code }: { code: string }) => code);
    expect([await Promise.all(waiting), await late]).toEqual([['ABORTED', 'reached', 'reached'], 'ABORTED']);
  });

  it('[CO1] ends when the tab is closed', async () => {
    const { clock, leases } = await makeLeases('t1');
    await takeFree(leases, 't1', ada);
    const waiting = leases.waitFor(budgetOn(clock), 't1', bot.id);
    await leases.applyUntilStored({ type: 'tab-closed', tab: 't1' });
    await expect(waiting).rejects.toMatchObject({ code: 'TAB_NOT_FOUND' });
    await expect(leases.waitFor(budgetOn(clock), 't1', bot.id)).rejects.toMatchObject({ code: 'TAB_NOT_FOUND' });
  });
});
