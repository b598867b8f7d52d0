import { describe, expect, it } from 'vitest';
import type { FleetEffect, FleetEvent, FleetRefusal, FleetState } from './fleet';
import { reduceFleet } from './reduce';

const MINUTE = 60_000;
const EMPTY: FleetState = { most: 2, chromes: new Map(), sessions: new Map() };

/** Applies events one after another; each is given alone, or with the minute it happens in. */
function after(...events: readonly (FleetEvent | readonly [minute: number, event: FleetEvent])[]) {
  let state = EMPTY;
  let effects: readonly FleetEffect[] = [];
  let refusal: FleetRefusal | undefined;
  for (const one of events) {
    const [minute, event] = 'type' in one ? [0, one] : one;
    ({ state, effects, refusal } = { refusal: undefined, ...reduceFleet(state, event, minute * MINUTE) });
  }
  const places = Object.fromEntries([...state.sessions].map(([id, { place }]) => [id, place]));
  const chromes = Object.fromEntries([...state.chromes].map(([id, chrome]) => [id, chrome.state]));
  return { places, chromes, effects, refusal, crashes: state.sessions.get('s1')?.crashes.length };
}

const launching = (chrome: string): FleetEvent => ({ type: 'launching', chrome, workspace: 'w', dedicated: false });
const started = (chrome: string): FleetEvent => ({ type: 'started', chrome });
const gone = (chrome: string): FleetEvent => ({ type: 'gone', chrome, why: { code: 'browserStopped' } });
const session = (id: string, chrome: string | undefined, restarts = true): FleetEvent => ({
  ...{ type: 'session', session: id, origin: 'launched' },
  ...{ chrome, restarts },
});
const back = (attempt: number, chrome: string, forgive = false): FleetEvent => ({
  ...{ type: 'back', session: 's1' },
  ...{ attempt, chrome, forgive },
});
const notBack = (attempt: number, noChrome = true): FleetEvent => ({
  ...{ type: 'not-back', session: 's1', why: { code: 'chromeNotReturned', reason: 'none' } },
  ...{ attempt, noChrome },
});
const asked = (renew = false): FleetEvent => ({ type: 'asked', session: 's1', renew });
/** A Chrome with one session. */
const LIVE = [launching('b1'), started('b1'), session('s1', 'b1')];
/** It crashes, and the session continues in the next one. */
const crashAndBack = (minute: number, chrome: number): (FleetEvent | [number, FleetEvent])[] => [
  [minute, gone(`b${chrome}`)],
  launching(`b${chrome + 1}`),
  started(`b${chrome + 1}`),
  back(chrome, `b${chrome + 1}`),
];

describe('a Chrome that crashes', () => {
  it('[BR5][F1] is cleaned up; each of its sessions is told and restored', () => {
    const { places, chromes, effects } = after(...LIVE, session('s2', 'b1'), gone('b1'));

    const why = { code: 'chromeReturning' };
    expect([places, chromes]).toEqual([
      { s1: { at: 'lost', why, attempt: 1 }, s2: { at: 'lost', why, attempt: 1 } },
      {},
    ]);
    expect(effects).toEqual([
      { type: 'drop', chrome: 'b1', crashed: true },
      { type: 'lose', session: 's1', said: why },
      { type: 'lose', session: 's2', said: why },
      { type: 'bring-back', session: 's1', attempt: 1 },
      { type: 'bring-back', session: 's2', attempt: 1 },
    ]);
  });

  it('[BR5][F2] parks a session at its third crash within ten minutes, until a person restarts it', () => {
    const third = after(...LIVE, ...crashAndBack(0, 1), ...crashAndBack(2, 2), [9, gone('b3')]);
    const later = after(...LIVE, ...crashAndBack(0, 1), ...crashAndBack(9, 2), [10, gone('b3')]);
    const forgiven = after(
      ...[...LIVE, ...crashAndBack(0, 1), ...crashAndBack(2, 2), [3, gone('b3')] as const],
      ...[asked(), launching('b4'), started('b4'), back(3, 'b4', true), [4, gone('b4')] as const],
    );

    const why = { code: 'chromeParked', times: 3 };
    expect(third.places).toEqual({ s1: { at: 'parked', why, retries: false } });
    expect(third.effects.map(({ type }) => type)).toEqual(['drop', 'lose']);
    expect([later.places, later.crashes]).toMatchObject([{ s1: { at: 'lost' } }, 2]);
    expect([forgiven.places, forgiven.crashes]).toMatchObject([{ s1: { at: 'lost' } }, 1]);
  });

  it('[BR5] parks a session whose policy says so, and every session of an attached Chrome', () => {
    const reaching: FleetEvent = {
      ...{ type: 'reaching', chrome: 'a1', workspace: 'w' },
      ...{ origin: 'attached', dedicated: false },
    };
    const policy = after(launching('b1'), started('b1'), session('s1', 'b1', false), gone('b1'));
    const attached = after(reaching, started('a1'), session('s1', 'a1'), gone('a1'));

    const place = { at: 'parked', why: { code: 'chromeGone' }, retries: false };
    expect([policy.places, attached.places]).toEqual([{ s1: place }, { s1: place }]);
  });

  it('[BR5] before its session is known brings that session back, too', () => {
    const { places, effects } = after(launching('b1'), started('b1'), gone('b1'), session('s1', 'b1'));

    expect([places, effects.map(({ type }) => type)]).toMatchObject([{ s1: { at: 'lost' } }, ['lose', 'bring-back']]);
  });
});

describe('a Chrome that is ended on purpose', () => {
  it('[BR3][BR5] moves none of its sessions to another Chrome', () => {
    const { places, chromes, effects } = after(...LIVE, { type: 'released', chrome: 'b1' }, gone('b1'));

    const why = { code: 'browserStopped' };
    expect([places, chromes]).toEqual([{ s1: { at: 'parked', why, retries: false } }, {}]);
    expect(effects).toEqual([
      { type: 'drop', chrome: 'b1', crashed: false },
      { type: 'lose', session: 's1', said: why },
    ]);
  });

  it('[BR5][OP3] while it starts does not start', () => {
    const { chromes, refusal } = after(launching('b1'), { type: 'released', chrome: 'b1' }, started('b1'));

    expect([chromes, refusal]).toEqual([{}, 'over']);
  });
});

describe('a Chrome that does not answer', () => {
  const silent: FleetEvent = { type: 'silent', chrome: 'b1' };

  it('[BR5][CO9] is killed once; its sessions are told, and its end counts as a crash', () => {
    const once = after(...LIVE, silent);
    const twice = after(...LIVE, silent, silent);
    const over = after(...LIVE, silent, gone('b1'));

    expect(once.effects).toEqual([
      { type: 'tell', session: 's1', said: { code: 'chromeSilent' } },
      { type: 'kill', chrome: 'b1' },
    ]);
    expect([twice.effects, twice.refusal]).toEqual([[], 'over']);
    expect(over.places).toMatchObject({ s1: { at: 'lost' } });
  });
});

describe('an attempt to bring a session back', () => {
  const CRASHED = [...LIVE, gone('b1')];

  it('[BR5] that fails parks the session, which is tried again when any Chrome of ours starts', () => {
    const failed = after(...CRASHED, notBack(1));
    const retried = after(...CRASHED, notBack(1), launching('b2'), started('b2'));
    const hadChrome = after(...CRASHED, notBack(1, false), launching('b2'), started('b2'));

    const why = { code: 'chromeNotReturned', reason: 'none' };
    expect([failed.places, failed.effects]).toEqual([
      { s1: { at: 'parked', why, retries: true } },
      [{ type: 'tell', session: 's1', said: why }],
    ]);
    expect(retried.effects).toEqual([
      { type: 'tell', session: 's1', said: { code: 'chromeReturning' } },
      { type: 'bring-back', session: 's1', attempt: 2 },
    ]);
    expect(hadChrome.places).toMatchObject({ s1: { at: 'parked' } });
  });

  it('[BR5] no longer counts when it is outdated, whatever its result', () => {
    const again = [...CRASHED, notBack(1), asked(), launching('b2'), started('b2')];

    for (const late of [back(1, 'b2'), notBack(1)])
      expect(after(...again, late)).toMatchObject({ refusal: 'over', places: { s1: { at: 'lost', attempt: 2 } } });
  });

  it('[BR5] does not count when its Chrome has gone meanwhile', () => {
    const { places, refusal } = after(...CRASHED, launching('b2'), started('b2'), gone('b2'), back(1, 'b2'));

    expect([places, refusal]).toMatchObject([{ s1: { at: 'lost' } }, 'over']);
  });

  it('[BR5] is refused on request while the Chrome runs or another attempt is under way', () => {
    expect(after(...LIVE, asked()).refusal).toBe('runs');
    expect(after(...CRASHED, asked()).refusal).toBe('starting');
    expect(after(...CRASHED, notBack(1), asked())).toMatchObject({ refusal: undefined, effects: [] });
  });

  it('[GU1] moves a live session whose pages have no network', () => {
    const { places, effects } = after(...LIVE, asked(true));

    const why = { code: 'contextRenewing' };
    expect([places, effects]).toEqual([
      { s1: { at: 'lost', why, attempt: 1 } },
      [{ type: 'lose', session: 's1', said: why }],
    ]);
  });

  it('[BR5][F11] starts for a session that the last server left without a Chrome once its pages are known', () => {
    const waiting = after(session('s1', undefined));
    const { effects } = after(session('s1', undefined), { type: 'found', session: 's1' });

    expect([waiting.places, waiting.effects]).toMatchObject([{ s1: { at: 'parked' } }, []]);
    expect(effects).toEqual([{ type: 'bring-back', session: 's1', attempt: 1 }]);
  });

  it('[SE1] of a session that has ended counts no more', () => {
    expect(after(...CRASHED, { type: 'session-ended', session: 's1' }, notBack(1))).toMatchObject({
      refusal: 'over',
      places: {},
      effects: [],
    });
  });
});

describe('launching', () => {
  it('[BR7] is refused at the limit of Chromes that run or start; those found from the last run do not count against it', () => {
    const found: FleetEvent = {
      ...{ type: 'reaching', chrome: 'b3', workspace: 'w' },
      ...{ origin: 'launched', dedicated: true },
    };
    const full = after(launching('b1'), started('b1'), launching('b2'), launching('b3'));
    const again = after(launching('b1'), launching('b2'), { type: 'not-started', chrome: 'b1' }, launching('b3'));

    expect([full.refusal, again.refusal]).toEqual(['full', undefined]);
    expect(after(launching('b1'), launching('b2'), found).refusal).toBeUndefined();
  });
});
