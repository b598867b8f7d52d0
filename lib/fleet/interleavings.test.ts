import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FleetEffect, FleetEvent, FleetState } from './fleet';
import { launchedChromes } from './fleet';
import { reduceFleet, type FleetDecision } from './reduce';

/** BR5, BR7: random interleavings of everything that can happen to Chromes and sessions, checked after each event. */

const CHROMES = ['b1', 'b2', 'b3', 'a1'];
const SESSIONS = ['s1', 's2'];
const MOST = 2;
/** Milliseconds that pass between two events, at most. */
const PASSES_MS = 200_000;

const chrome = fc.constantFrom(...CHROMES);
const session = fc.constantFrom(...SESSIONS);
const originOf = (id: string) => (id.startsWith('a') ? ('attached' as const) : ('launched' as const));
const ofChrome = <T extends string>(type: T) => chrome.map((id) => ({ type, chrome: id }));
const attempt = fc.integer({ min: 1, max: 4 });
const event: fc.Arbitrary<FleetEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('launching' as const),
      chrome: fc.constantFrom('b1', 'b2', 'b3'),
      workspace: fc.constant('w'),
      dedicated: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: chrome.map((id) => ({
      ...{ type: 'reaching' as const, chrome: id, workspace: 'w' },
      ...{ origin: originOf(id), dedicated: false },
    })),
  },
  { weight: 8, arbitrary: ofChrome('started') },
  { weight: 1, arbitrary: ofChrome('not-started') },
  { weight: 2, arbitrary: ofChrome('silent') },
  { weight: 3, arbitrary: ofChrome('released') },
  {
    weight: 5,
    arbitrary: chrome.map((id) => ({ type: 'gone' as const, chrome: id, why: { code: 'browserStopped' as const } })),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(session, chrome, fc.nat(9)).map(([id, at, dice]) => ({
      ...{ type: 'session' as const, session: id, origin: originOf(at) },
      ...{ chrome: dice === 0 ? undefined : at, restarts: dice > 2 },
    })),
  },
  { weight: 2, arbitrary: session.map((id) => ({ type: 'found' as const, session: id })) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('asked' as const), session, renew: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('back' as const), session, attempt, chrome, forgive: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ type: fc.constant('not-back' as const), session, attempt, noChrome: fc.boolean() },
      why: fc.option(fc.constant({ code: 'chromeNotReturned' as const, reason: 'none' }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: session.map((id) => ({ type: 'session-ended' as const, session: id })) },
);
/** `own`: the result belongs to the present attempt, not to any. */
const history = fc.array(fc.record({ event, own: fc.boolean(), after: fc.nat(PASSES_MS) }), {
  maxLength: 80,
  size: 'max',
});

interface Step {
  readonly before: FleetState;
  readonly event: FleetEvent;
  readonly decision: FleetDecision;
}

function run(steps: typeof history extends fc.Arbitrary<infer T> ? T : never): Step[] {
  let before: FleetState = { most: MOST, chromes: new Map(), sessions: new Map() };
  let now = 0;
  return steps.map(({ event: any, own, after }) => {
    now += after;
    const present = own && 'attempt' in any ? before.sessions.get(any.session)?.attempts : undefined;
    const one = present !== undefined && 'attempt' in any ? { ...any, attempt: present } : any;
    const step = { before, event: one, decision: reduceFleet(before, one, now) };
    before = step.decision.state;
    return step;
  });
}

const always = (check: (steps: readonly Step[]) => void): void =>
  fc.assert(
    fc.property(history, (steps) => check(run(steps))),
    { numRuns: 300 },
  );

const sessionsOf = (effects: readonly FleetEffect[], type: FleetEffect['type']): string[] =>
  effects.flatMap((effect) => (effect.type === type && 'session' in effect ? [effect.session] : []));

it('[BR5] a live session is in a connected Chrome, and a refused event changes nothing', () => {
  always((steps) => {
    for (const { before, decision } of steps) {
      for (const { place } of decision.state.sessions.values())
        if (place.at === 'live')
          expect(decision.state.chromes.get(place.chrome)?.state).toMatch(/live|silent|released/);
      if (decision.refusal) expect([decision.state === before, decision.effects]).toEqual([true, []]);
    }
  });
});

it('[BR5] every session of a lost Chrome is told once and then restored or parked; after a stop on purpose it is always parked', () => {
  always((steps) => {
    for (const {
      before,
      event: { type, ...of },
      decision,
    } of steps) {
      if (type !== 'gone' || !('chrome' in of) || decision.refusal) continue;
      const inIt = [...before.sessions].filter(([, { place }]) => place.at === 'live' && place.chrome === of.chrome);
      const ids = inIt.map(([id]) => id);
      const places = ids.map((id) => decision.state.sessions.get(id)?.place.at);
      const lost = ids.filter((_, index) => places[index] === 'lost');
      expect(sessionsOf(decision.effects, 'lose').toSorted()).toEqual(ids.toSorted());
      expect(sessionsOf(decision.effects, 'bring-back').toSorted()).toEqual(lost.toSorted());
      expect(places.every((at) => at === 'lost' || at === 'parked')).toBe(true);
      const released = before.chromes.get(of.chrome ?? '')?.state === 'released';
      if (released) expect(lost).toEqual([]);
      expect(decision.effects.filter((effect) => effect.type === 'drop')).toEqual([
        { type: 'drop', chrome: of.chrome, crashed: !released },
      ]);
    }
  });
});

it('[BR5] no attempt starts twice, and only the latest attempt counts', () => {
  always((steps) => {
    const begun = new Map<string, number>();
    for (const { before, event: one, decision } of steps) {
      for (const effect of decision.effects) {
        if (effect.type !== 'bring-back') continue;
        expect(effect.attempt).toBeGreaterThan(begun.get(effect.session) ?? 0);
        begun.set(effect.session, effect.attempt);
      }
      if (one.type === 'session-ended' && !decision.refusal) begun.delete(one.session);
      if ((one.type === 'back' || one.type === 'not-back') && !decision.refusal)
        expect(before.sessions.get(one.session)?.place).toMatchObject({ at: 'lost', attempt: one.attempt });
    }
  });
});

it('[BR5][CO9] a Chrome is killed once, and never after it was ended on purpose', () => {
  always((steps) => {
    const killed = new Set<string>();
    for (const { before, event: one, decision } of steps) {
      if ((one.type === 'launching' || one.type === 'reaching') && !decision.refusal) {
        // Never a second Chrome of one record.
        expect(before.chromes.has(one.chrome)).toBe(false);
        killed.delete(one.chrome);
      }
      for (const effect of decision.effects) {
        if (effect.type !== 'kill') continue;
        expect(before.chromes.get(effect.chrome)?.state).toBe('live');
        expect(killed.has(effect.chrome)).toBe(false);
        killed.add(effect.chrome);
      }
    }
  });
});

it('[BR7] no Chrome is launched beyond the limit, and each starts once', () => {
  always((steps) => {
    for (const { before, event: one, decision } of steps) {
      if (decision.refusal) continue;
      if (one.type === 'launching') expect(launchedChromes(decision.state)).toBeLessThanOrEqual(MOST);
      if (one.type === 'started') expect(before.chromes.get(one.chrome)?.state).toBe('starting');
    }
  });
});

it('[BR5] when each attempt that is under way has ended, each session is live or parked', () => {
  always((steps) => {
    let state = steps.at(-1)?.decision.state;
    if (!state) return;
    for (const [id, { attempts }] of state.sessions)
      ({ state } = reduceFleet(
        state,
        { type: 'not-back', session: id, attempt: attempts, why: undefined, noChrome: true },
        0,
      ));

    expect([...state.sessions.values()].filter(({ place }) => place.at === 'lost')).toEqual([]);
  });
});
