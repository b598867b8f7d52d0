import { withCrash } from '@/lib/recovery/crash-log';
import type { Message } from '@/lib/messages/message';
import {
  launchedChromes,
  type FleetChrome,
  type FleetEffect,
  type FleetEvent,
  type FleetRefusal,
  type FleetSession,
  type FleetState,
} from './fleet';

/**
 * Number of Chrome crashes within ten minutes after which a session is restored automatically; the next one parks it
 * (F2).
 */
const CRASHES = 2;

/** A refused event changes nothing. */
export interface FleetDecision {
  readonly state: FleetState;
  readonly effects: readonly FleetEffect[];
  readonly refusal?: FleetRefusal;
}

type Of<T extends FleetEvent['type']> = Extract<FleetEvent, { readonly type: T }>;

/** The only way the fleet changes (BR5): pure. `now` is monotonic milliseconds. */
export function reduceFleet(state: FleetState, event: FleetEvent, now: number): FleetDecision {
  switch (event.type) {
    case 'launching':
      return launching(state, event);
    case 'reaching':
      return reaching(state, event);
    case 'started':
      return started(state, event.chrome);
    case 'not-started':
      return notStarted(state, event.chrome);
    case 'silent':
      return silent(state, event.chrome);
    case 'released':
      return released(state, event.chrome);
    case 'gone':
      return gone(state, event, now);
    case 'session':
      return joined(state, event, now);
    case 'found':
      return found(state, event.session);
    case 'asked':
      return asked(state, event);
    case 'back':
      return back(state, event);
    case 'not-back':
      return notBack(state, event);
    case 'session-ended':
      return sessionEnded(state, event.session);
  }
}

function launching(state: FleetState, { chrome, workspace, dedicated }: Of<'launching'>): FleetDecision {
  if (state.chromes.has(chrome)) return refused(state, 'over');
  if (launchedChromes(state) >= state.most) return refused(state, 'full');
  return done(withChrome(state, chrome, { workspace, origin: 'launched', dedicated, state: 'starting' }));
}

function reaching(state: FleetState, { chrome, workspace, origin, dedicated }: Of<'reaching'>): FleetDecision {
  if (state.chromes.has(chrome)) return refused(state, 'over');
  return done(withChrome(state, chrome, { workspace, origin, dedicated, state: 'starting' }));
}

/** A launched Chrome has started, so sessions for which none could be started are tried again. */
function started(state: FleetState, id: string): FleetDecision {
  const chrome = state.chromes.get(id);
  if (chrome?.state !== 'starting') return refused(state, 'over');
  const after = withChrome(state, id, { ...chrome, state: 'live' });
  if (chrome.origin === 'attached') return done(after);
  const retried = [...state.sessions].flatMap(([session, one]) =>
    one.place.at === 'parked' && one.place.retries ? [[session, attempting(one, RETURNING)] as const] : [],
  );
  const tell = retried.map(([session]): FleetEffect => ({ type: 'tell', session, said: RETURNING }));
  return done(withSessions(after, retried), [...tell, ...attempts(retried)]);
}

function notStarted(state: FleetState, id: string): FleetDecision {
  const chrome = state.chromes.get(id);
  return chrome?.state === 'starting' ? done(withChrome(state, id, undefined)) : refused(state, 'over');
}

/** Only a Chrome of ours is killed, and only once. */
function silent(state: FleetState, id: string): FleetDecision {
  const chrome = state.chromes.get(id);
  if (chrome?.state !== 'live' || chrome.origin === 'attached') return refused(state, 'over');
  const told = sessionsIn(state, id).map(([session]): FleetEffect => ({
    type: 'tell',
    session,
    said: { code: 'chromeSilent' },
  }));
  return done(withChrome(state, id, { ...chrome, state: 'silent' }), [...told, { type: 'kill', chrome: id }]);
}

/** One that has not started is forgotten: its start, if it comes, is refused. */
function released(state: FleetState, id: string): FleetDecision {
  const chrome = state.chromes.get(id);
  if (!chrome || chrome.state === 'released') return refused(state, 'over');
  if (chrome.state === 'starting') return done(withChrome(state, id, undefined));
  return done(withChrome(state, id, { ...chrome, state: 'released' }));
}

/** Each of its sessions is restored by itself, or parked. */
function gone(state: FleetState, { chrome: id, why }: Of<'gone'>, now: number): FleetDecision {
  const chrome = state.chromes.get(id);
  // A Chrome that never started is given up by the code that starts it.
  if (!chrome || chrome.state === 'starting') return refused(state, 'over');
  const crashed = chrome.state !== 'released';
  const losing = sessionsIn(state, id).map(
    ([session, one]) => [session, crashed ? afterCrash(one, chrome.origin, now) : parked(one, why)] as const,
  );
  const after = withSessions(withChrome(state, id, undefined), losing);
  return done(after, [{ type: 'drop', chrome: id, crashed }, ...losses(losing)]);
}

/** Its Chrome may have gone while the session was made. */
function joined(state: FleetState, { session, chrome, origin, restarts }: Of<'session'>, now: number): FleetDecision {
  if (state.sessions.has(session)) return refused(state, 'over');
  const place = { at: 'parked', why: RETURNING, retries: false } as const;
  const fresh: FleetSession = { restarts, crashes: [], attempts: 0, place };
  if (chrome === undefined) return done(withSessions(state, [[session, fresh]]));
  const known = state.chromes.get(chrome);
  if (known && known.state !== 'starting')
    return done(withSessions(state, [[session, { ...fresh, place: { at: 'live', chrome } }]]));
  const lost = [[session, afterCrash(fresh, origin, now)]] as const;
  return done(withSessions(state, lost), losses(lost));
}

function found(state: FleetState, id: string): FleetDecision {
  const session = state.sessions.get(id);
  if (session?.place.at !== 'parked') return refused(state, 'over');
  const attempt = [[id, attempting(session, RETURNING)]] as const;
  return done(withSessions(state, attempt), attempts(attempt));
}

/** The asker carries out the attempt, within their own budget. */
function asked(state: FleetState, { session: id, renew }: Of<'asked'>): FleetDecision {
  const session = state.sessions.get(id);
  if (!session) return refused(state, 'over');
  if (session.place.at === 'lost') return refused(state, 'starting');
  if (session.place.at === 'parked') return done(withSessions(state, [[id, attempting(session, session.place.why)]]));
  if (!renew) return refused(state, 'runs');
  const said: Message = { code: 'contextRenewing' };
  return done(withSessions(state, [[id, attempting(session, said)]]), [{ type: 'lose', session: id, said }]);
}

/** The Chrome may have gone right after the pages were open. */
function back(state: FleetState, { session: id, attempt, chrome, forgive }: Of<'back'>): FleetDecision {
  const session = state.sessions.get(id);
  if (session?.place.at !== 'lost' || session.place.attempt !== attempt) return refused(state, 'over');
  const known = state.chromes.get(chrome);
  if (!known || known.state === 'starting') return refused(state, 'over');
  const live: FleetSession = {
    ...session,
    crashes: forgive ? [] : session.crashes,
    place: { at: 'live', chrome },
  };
  return done(withSessions(state, [[id, live]]));
}

function notBack(state: FleetState, { session: id, attempt, why, noChrome }: Of<'not-back'>): FleetDecision {
  const session = state.sessions.get(id);
  if (session?.place.at !== 'lost' || session.place.attempt !== attempt) return refused(state, 'over');
  const waits = parked(session, why ?? session.place.why, noChrome);
  return done(withSessions(state, [[id, waits]]), why ? [{ type: 'tell', session: id, said: why }] : []);
}

function sessionEnded(state: FleetState, id: string): FleetDecision {
  if (!state.sessions.has(id)) return refused(state, 'over');
  const sessions = new Map(state.sessions);
  sessions.delete(id);
  return done({ ...state, sessions });
}

/** A crash of a launched Chrome is repaired automatically as far as the policy and the number of crashes allow. */
function afterCrash(session: FleetSession, origin: FleetChrome['origin'], now: number): FleetSession {
  const why: Message = { code: 'chromeGone' };
  if (origin === 'attached') return parked(session, why);
  const crashes = withCrash(session.crashes, now);
  const counted = { ...session, crashes };
  if (session.restarts && crashes.length <= CRASHES) return attempting(counted, RETURNING);
  return parked(counted, crashes.length > 1 ? { code: 'chromeParked', times: crashes.length } : why);
}

const RETURNING: Message = { code: 'chromeReturning' };

function attempting(session: FleetSession, why: Message): FleetSession {
  const attempt = session.attempts + 1;
  return { ...session, attempts: attempt, place: { at: 'lost', why, attempt } };
}

function parked(session: FleetSession, why: Message, retries = false): FleetSession {
  return { ...session, place: { at: 'parked', why, retries } };
}

type Changed = readonly (readonly [id: string, session: FleetSession])[];

/** Tells all of them before any attempt begins. */
function losses(changed: Changed): FleetEffect[] {
  const lose = changed.flatMap(([session, { place }]): FleetEffect[] =>
    place.at === 'live' ? [] : [{ type: 'lose', session, said: place.why }],
  );
  return [...lose, ...attempts(changed)];
}

function attempts(changed: Changed): FleetEffect[] {
  return changed.flatMap(([session, { place }]): FleetEffect[] =>
    place.at === 'lost' ? [{ type: 'bring-back', session, attempt: place.attempt }] : [],
  );
}

function sessionsIn({ sessions }: FleetState, chrome: string): [string, FleetSession][] {
  return [...sessions].filter(([, { place }]) => place.at === 'live' && place.chrome === chrome);
}

function withChrome(state: FleetState, id: string, chrome: FleetChrome | undefined): FleetState {
  const chromes = new Map(state.chromes);
  if (chrome) chromes.set(id, chrome);
  else chromes.delete(id);
  return { ...state, chromes };
}

function withSessions(state: FleetState, changed: Changed): FleetState {
  return { ...state, sessions: new Map([...state.sessions, ...changed]) };
}

function done(state: FleetState, effects: readonly FleetEffect[] = []): FleetDecision {
  return { state, effects };
}

function refused(state: FleetState, refusal: FleetRefusal): FleetDecision {
  return { state, effects: [], refusal };
}
