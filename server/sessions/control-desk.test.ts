import { describe, expect, it } from 'vitest';
import { createBudget, type Budget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { ControlEffect, Holder, Lease } from '@/lib/control/lease';
import { ControlDesk } from './control-desk';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };

/** A desk with free tabs, what it saved and what it told. */
function makeDesk(...tabs: string[]) {
  const clock = new FakeClock();
  const saved: [string, Lease['state'], number][] = [];
  const told: ControlEffect['type'][] = [];
  const desk = new ControlDesk(clock, (tab, { state, epoch }) => saved.push([tab, state, epoch]));
  for (const tab of tabs) desk.apply({ type: 'tab-opened', tab, opener: undefined });
  saved.splice(0);
  desk.onEffect.on(({ type }) => told.push(type));
  return { clock, desk, saved, told };
}

const claim = (desk: ControlDesk, tab: string, by: Holder): void => desk.apply({ type: 'claim', tab, by });
const take = (desk: ControlDesk, tab: string, by: Holder): void => desk.apply({ type: 'take', tab, by, scope: 'tab' });
const budgetOn = (clock: FakeClock, timeoutMs = 1_000): Budget => createBudget({ timeoutMs, clock });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('changing leases', () => {
  it('[CO1] saves each change, then tells it; what did not change is not saved again', () => {
    const { desk, saved, told } = makeDesk('t1', 't2');
    claim(desk, 't1', bot);
    claim(desk, 't1', bot);
    expect([saved, told]).toEqual([[['t1', 'held', 2]], ['changed']]);
    take(desk, 't1', ada);
    desk.apply({ type: 'drained', tab: 't1', epoch: 3 });
    expect(saved.slice(1)).toEqual([
      ['t1', 'draining', 3],
      ['t1', 'held', 4],
    ]);
    expect(told).toEqual(['changed', 'changed', 'drain', 'release-input', 'changed']);
  });

  it('[CO1] stamps them with its own clock', () => {
    const { clock, desk } = makeDesk('t1');
    clock.advance(70);
    claim(desk, 't1', bot);
    expect(desk.lease('t1')?.since).toBe(70);
  });

  it('[CO2] a refusal says who has the wheel, since when and which epoch, why, and how to wait; nothing changes', () => {
    const { desk, saved } = makeDesk('t1');
    claim(desk, 't1', ada);
    expect(() => claim(desk, 't1', bot)).toThrow(
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
    expect(() => claim(desk, 't9', bot)).toThrow(expect.objectContaining({ code: 'TAB_NOT_FOUND' }));
  });

  it('[CO1] a change that cannot be stored does not happen: the next try drains as the first would have', () => {
    let broken = false;
    const desk = new ControlDesk(new FakeClock(), () => {
      if (broken) throw new Error('the store is locked');
    });
    const told: ControlEffect['type'][] = [];
    desk.apply({ type: 'tab-opened', tab: 't1', opener: undefined });
    claim(desk, 't1', bot);
    desk.onEffect.on(({ type }) => told.push(type));
    broken = true;
    expect(() => take(desk, 't1', ada)).toThrow('the store is locked');
    expect(desk.lease('t1')).toMatchObject({ state: 'held', holder: bot });
    broken = false;
    take(desk, 't1', ada);
    expect(told).toEqual(['changed', 'drain']);
  });

  it('[CO7] after a restart a person has the tab for as long as a lost connection is waited for, an agent until it is idle', () => {
    const { desk, saved, told } = makeDesk();
    desk.restore('t1', { epoch: 8, holder: ada, takenFrom: bot, cover: null });
    desk.restore('t2', { epoch: 3, holder: bot, takenFrom: null, cover: null });
    const since = { since: 0, reason: 'the server was restarted' };
    expect([desk.lease('t1'), desk.lease('t2')]).toEqual([
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

  it('[CO7] after a restart the epoch is higher than any before; what nobody held is free', () => {
    const { desk } = makeDesk();
    desk.restore('t1', { epoch: 8, holder: null, takenFrom: null, cover: null });
    expect(desk.lease('t1')).toEqual({ state: 'free', epoch: 9, since: 0, reason: 'the server was restarted' });
    desk.apply({ type: 'tab-opened', tab: 't1', opener: undefined });
    expect(desk.lease('t1')?.epoch).toBe(9);
  });

  it('[CO2][BR5] a tab that was closed meanwhile does not get back what was stored of it before: no holder of then, and no epoch twice', () => {
    const { desk } = makeDesk();
    const stored = { epoch: 3, holder: bot, takenFrom: null, cover: null };
    desk.opened('t1', undefined, stored);
    take(desk, 't1', ada);
    desk.apply({ type: 'drained', tab: 't1', epoch: 5 });
    desk.closed('t1');
    expect(desk.lease('t1')).toBeUndefined();
    desk.opened('t1', undefined, stored);
    expect(desk.lease('t1')).toMatchObject({ state: 'free', epoch: 7 });
  });
});

describe('the fence before each write', () => {
  it('[CO2] passes the holder at the epoch of now, and nobody else', () => {
    const { desk } = makeDesk('t1');
    claim(desk, 't1', bot);
    expect(() => desk.fence('t1', bot.id, 2)).not.toThrow();
    expect(() => desk.fence('t1', bot.id, 1)).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
    expect(() => desk.fence('t1', ada.id, 2)).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
  });

  it('[CO2] closes the moment a person takes the wheel, before anything is drained, and names that person', () => {
    const { desk } = makeDesk('t1');
    claim(desk, 't1', bot);
    take(desk, 't1', ada);
    expect(() => desk.fence('t1', bot.id, 2)).toThrow(
      expect.objectContaining({
        code: 'CONTROL_LOST',
        message: 'Ada has the wheel now.',
        details: expect.objectContaining({ holder: ada, epoch: 3 }),
      }),
    );
    expect(() => desk.fence('t1', ada.id, 3)).toThrow(expect.objectContaining({ code: 'CONTROL_LOST' }));
  });

  it('[CO2] is shut on a closed tab', () => {
    const { desk } = makeDesk('t1');
    claim(desk, 't1', bot);
    desk.apply({ type: 'tab-closed', tab: 't1' });
    expect(() => desk.fence('t1', bot.id, 2)).toThrow(expect.objectContaining({ code: 'TAB_NOT_FOUND' }));
  });
});

describe('who else holds a tab', () => {
  it('[CO1] is named for commands that reach beyond one tab', () => {
    const { desk } = makeDesk('t1', 't2', 't3');
    const held = (name: string): unknown =>
      expect.objectContaining({
        code: 'CONTROL_HELD',
        message: expect.stringContaining(`${name} has the wheel of a tab`),
        details: expect.objectContaining({ tab: 't1' }),
      });
    desk.demandAlone(bot.id);
    claim(desk, 't1', bot);
    desk.demandAlone(bot.id);
    expect(() => desk.demandAlone(ada.id)).toThrow(held('Bot'));
    take(desk, 't1', ada);
    desk.demandAlone(ada.id);
    expect(() => desk.demandAlone(bot.id)).toThrow(held('Ada'));
  });
});

describe('waiting for the wheel', () => {
  it('[CO10] ends at once on a free tab and on one that is yours', async () => {
    const { clock, desk } = makeDesk('t1');
    await desk.waitFor(budgetOn(clock), 't1', bot.id);
    claim(desk, 't1', bot);
    await desk.waitFor(budgetOn(clock), 't1', bot.id);
    expect([desk.mayAct('t1', bot.id), desk.mayAct('t1', ada.id)]).toEqual([true, false]);
  });

  it('[CO3] ends when the other is drained, not when the wheel is only asked for', async () => {
    const { clock, desk } = makeDesk('t1');
    claim(desk, 't1', bot);
    take(desk, 't1', ada);
    let mine = false;
    const waiting = desk.waitFor(budgetOn(clock), 't1', ada.id).then(() => {
      mine = true;
    });
    await turn();
    expect(mine).toBe(false);
    desk.apply({ type: 'drained', tab: 't1', epoch: 3 });
    await waiting;
    expect(mine).toBe(true);
  });

  it('[CO5] ends when the wheel is handed back', async () => {
    const { clock, desk } = makeDesk('t1');
    claim(desk, 't1', bot);
    take(desk, 't1', ada);
    desk.apply({ type: 'drained', tab: 't1', epoch: 3 });
    const waiting = desk.waitFor(budgetOn(clock), 't1', bot.id);
    desk.apply({ type: 'hand-back', tab: 't1', by: ada });
    await waiting;
    expect(desk.lease('t1')).toMatchObject({ state: 'held', holder: bot });
  });

  it('[BU3][BU4] ends with the budget, and says who has it, what was waited for, and how to go on', async () => {
    const { clock, desk } = makeDesk('t1');
    claim(desk, 't1', ada);
    const waiting = desk.waitFor(budgetOn(clock, 200), 't1', bot.id);
    clock.advance(200);
    await expect(waiting).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'Ada has the wheel.',
      hint: expect.stringContaining('/tabs/t1/control/wait?timeoutMs='),
      details: { tab: 't1', holder: ada, log: [{ label: 'the wheel' }] },
    });
  });

  it('[OP3] ends when the session is over or its server stops, also what comes after that', async () => {
    const { clock, desk } = makeDesk('t1');
    claim(desk, 't1', ada);
    const waiting = [
      desk.waitFor(budgetOn(clock), 't1', bot.id),
      desk.waitForShown(budgetOn(clock), 't1'),
      desk.settled(budgetOn(clock), 't1'),
    ].map((one) =>
      one.then(
        () => 'reached',
        ({ code }: { code: string }) => code,
      ),
    );
    desk.dispose();
    const late = desk.waitFor(budgetOn(clock), 't1', bot.id).catch(({ code }: { code: string }) => code);
    expect([await Promise.all(waiting), await late]).toEqual([['ABORTED', 'reached', 'reached'], 'ABORTED']);
  });

  it('[CO1] ends when the tab is closed, since its wheel never comes back', async () => {
    const { clock, desk } = makeDesk('t1');
    claim(desk, 't1', ada);
    const waiting = desk.waitFor(budgetOn(clock), 't1', bot.id);
    desk.apply({ type: 'tab-closed', tab: 't1' });
    await expect(waiting).rejects.toMatchObject({ code: 'TAB_NOT_FOUND' });
    await expect(desk.waitFor(budgetOn(clock), 't1', bot.id)).rejects.toMatchObject({ code: 'TAB_NOT_FOUND' });
  });
});
