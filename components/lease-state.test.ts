import { describe, expect, it } from 'vitest';
import { aControl, after, ANA, aQuestion, aSession, AT, aTab, BOT, YOU } from '@/components/testing/views';
import { handsBackTo, sessionLease, tabLease } from './lease-state';
import type { DialogView } from '@/lib/actions/reply';

const dialog: DialogView = { id: 'd1', type: 'confirm', message: 'Sure?', openedAt: after(5) };

describe('tabLease', () => {
  it('[ui: one idea] an agent that holds the lease drives', () => {
    expect(tabLease(aTab({ control: aControl(BOT) }), YOU.id)).toEqual({
      kind: 'agent',
      word: 'agentDriving',
      values: { name: 'buyer-bot' },
      since: AT,
      reason: '',
      holder: BOT,
      mine: false,
    });
  });

  it('[ui: one idea] a person is "you" only to themselves', () => {
    expect(tabLease(aTab({ control: aControl(YOU) }), YOU.id)).toMatchObject({
      kind: 'human',
      word: 'youDriving',
      mine: true,
    });
    expect(tabLease(aTab({ control: aControl(ANA) }), YOU.id)).toMatchObject({
      kind: 'human',
      word: 'humanDriving',
      values: { name: 'Ana' },
      mine: false,
    });
  });

  it('nobody is "you" before the server has said who that is', () => {
    expect(tabLease(aTab({ control: aControl(null) }), undefined)).toMatchObject({
      kind: 'idle',
      word: 'idle',
      mine: false,
    });
    expect(tabLease(aTab({ control: aControl(YOU) }), undefined)).toMatchObject({ word: 'humanDriving', mine: false });
  });

  it('[CO3] draining is said as changing hands, in the colour of who gets the lease', () => {
    expect(tabLease(aTab({ control: aControl(YOU, { state: 'draining' }) }), YOU.id)).toMatchObject({
      kind: 'human',
      word: 'changingHands',
    });
  });

  it('[DI1] a dialog needs a person while an agent or nobody holds the tab', () => {
    for (const holder of [BOT, null]) {
      expect(tabLease(aTab({ dialog, control: aControl(holder) }), YOU.id)).toMatchObject({
        kind: 'help',
        word: 'needsYou',
        since: after(5),
        reason: 'Sure?',
      });
    }
  });

  it('[DI1] a dialog does not call for help while a person holds the tab', () => {
    expect(tabLease(aTab({ dialog, control: aControl(ANA) }), YOU.id)).toMatchObject({ kind: 'human' });
  });

  it('[CO6] an agent that asks needs a person until one drives there, whatever else goes on; a page that hangs is said first', () => {
    const questions = [aQuestion()];
    for (const holder of [BOT, null])
      expect(tabLease(aTab({ control: aControl(holder, { questions }) }), YOU.id)).toMatchObject({
        kind: 'help',
        word: 'needsYou',
        since: after(7),
        reason: 'A code was sent to a phone',
      });
    expect(tabLease(aTab({ control: aControl(YOU, { questions }) }), YOU.id)).toMatchObject({
      kind: 'human',
      word: 'youDriving',
    });
    expect(
      tabLease(
        aTab({ health: { state: 'hung', since: AT, reason: '' }, control: aControl(BOT, { questions }) }),
        YOU.id,
      ),
    ).toMatchObject({ kind: 'stuck' });
  });

  it('[CO4] a question that somebody else is on calls nobody; whoever is on it is still reminded, and another question calls', () => {
    const claimed = { by: ANA, at: after(9) };
    const state = (you: string, ...questions: ReturnType<typeof aQuestion>[]) =>
      tabLease(aTab({ control: aControl(BOT, { questions }) }), you);
    expect(state(YOU.id, aQuestion({ claimed }))).toMatchObject({
      kind: 'human',
      word: 'personOnIt',
      values: { name: 'Ana' },
      since: after(9),
      holder: BOT,
    });
    expect(state(ANA.id, aQuestion({ claimed }))).toMatchObject({ kind: 'help', word: 'youOnIt', since: after(9) });
    expect(state(YOU.id, aQuestion({ claimed }), aQuestion({ id: 'q2' }))).toMatchObject({
      kind: 'help',
      word: 'needsYou',
      since: after(7),
    });
  });

  it('[CO4] agents that are paused say by whom, unless a person drives or is needed', () => {
    const paused = { by: ANA, at: after(9) };
    const control = (holder: typeof BOT | typeof ANA, questions = [aQuestion()]) =>
      tabLease(aTab({ control: aControl(holder, { paused, questions }) }), YOU.id);
    expect(control(BOT, [])).toMatchObject({
      kind: 'human',
      word: 'personPaused',
      values: { name: 'Ana' },
      since: after(9),
      holder: BOT,
    });
    expect(tabLease(aTab({ control: aControl(BOT, { paused }) }), ANA.id)).toMatchObject({ word: 'youPaused' });
    expect(control(BOT)).toMatchObject({ word: 'needsYou' });
    expect(control(ANA, [])).toMatchObject({ word: 'humanDriving' });
  });

  it('[SE5] hung and crashed are stuck whoever holds the lease, since when and why', () => {
    const health = (state: 'hung' | 'crashed') => ({ state, since: after(9), reason: 'loop' });
    expect(tabLease(aTab({ health: health('hung'), control: aControl(YOU) }), YOU.id)).toMatchObject({
      kind: 'stuck',
      word: 'stuckScript',
      since: after(9),
      reason: 'loop',
      mine: true,
    });
    const stuck = {
      since: AT,
      reason: 'It fails.',
      said: { code: 'agentFails', name: 'bot', times: 3, error: 'COVERED' } as const,
    };
    expect(tabLease(aTab({ control: aControl(BOT), stuck }), YOU.id)).toMatchObject({
      kind: 'stuck',
      word: 'stuckFails',
      reason: 'It fails.',
      holder: BOT,
    });
    expect(
      tabLease(
        aTab({ control: aControl(BOT), stuck: { ...stuck, said: { code: 'agentSilent', name: 'bot', minutes: 5 } } }),
        YOU.id,
      ),
    ).toMatchObject({ kind: 'stuck', word: 'stuckNowhere' });
    expect(tabLease(aTab({ control: aControl(BOT), health: health('hung'), stuck }), YOU.id)).toMatchObject({
      word: 'stuckScript',
    });
    const parked = {
      since: AT,
      reason: '',
      said: { code: 'floodParked', flood: 'console', url: 'http://a.test/' } as const,
    };
    expect(tabLease(aTab({ stuck: parked }), YOU.id)).toMatchObject({ kind: 'stuck', word: 'stuckParked' });
    expect(
      tabLease(aTab({ stuck: { ...parked, said: { code: 'floodSlowed', flood: 'console' } } }), YOU.id),
    ).toMatchObject({ word: 'stuckFlood' });
    expect(tabLease(aTab({ health: health('crashed'), dialog }), YOU.id)).toMatchObject({
      kind: 'stuck',
      word: 'stuckCrashed',
    });
  });
});

describe('handsBackTo', () => {
  it('[CO5] is the agent of the shown tab, else that of another tab of the same person; never of somebody else', () => {
    const taken = aTab({ id: 't1', control: aControl(YOU, { takenFrom: BOT }) });
    const popup = aTab({ id: 't2', control: aControl(YOU) });
    const anas = aTab({ id: 't3', control: aControl(ANA, { takenFrom: BOT }) });
    const session = aSession({ tabs: [taken, popup, anas] });
    expect([taken, popup, anas].map((tab) => handsBackTo(session, tab, YOU.id))).toEqual([BOT, BOT, BOT]);
    expect(handsBackTo(aSession({ tabs: [popup, anas] }), popup, YOU.id)).toBeNull();
  });
});

describe('sessionLease', () => {
  it('is the state of the active tab', () => {
    const tabs = [aTab({ id: 't1', control: aControl(BOT) }), aTab({ id: 't2', control: aControl(YOU) })];
    expect(sessionLease(aSession({ tabs, activeTab: 't2' }), YOU.id)).toMatchObject({ kind: 'human', tab: 't2' });
  });

  it('[ui: wall] another tab that needs a person more is shown instead, a dialog before a stuck one', () => {
    const stuck = aTab({ id: 't2', health: { state: 'hung', since: AT, reason: '' } });
    const asks = aTab({ id: 't3', dialog });
    expect(sessionLease(aSession({ tabs: [aTab(), stuck] }), YOU.id)).toMatchObject({ kind: 'stuck', tab: 't2' });
    expect(sessionLease(aSession({ tabs: [aTab(), stuck, asks] }), YOU.id)).toMatchObject({ kind: 'help', tab: 't3' });
  });

  it('forgets closed tabs, and is idle without any', () => {
    const closed = aTab({ health: { state: 'closed', since: AT, reason: '' }, dialog });
    expect(sessionLease(aSession({ tabs: [closed] }), YOU.id)).toMatchObject({ kind: 'idle', tab: undefined });
    expect(sessionLease(aSession({ tabs: [] }), YOU.id)).toMatchObject({ kind: 'idle', word: 'idle' });
  });

  it('[BR5] a session whose Chrome is gone is stuck as a whole', () => {
    expect(sessionLease(aSession({ state: 'browser-down', stateReason: 'killed' }), YOU.id)).toMatchObject({
      kind: 'stuck',
      word: 'stuckBrowser',
      reason: 'killed',
      tab: undefined,
    });
  });

  it('an ended session is idle and says so', () => {
    expect(sessionLease(aSession({ state: 'ended' }), YOU.id)).toMatchObject({ kind: 'idle', word: 'ended' });
  });
});
