import type { Message } from '@/lib/messages/message';

/** A Chrome of the server. */
export interface FleetChrome {
  readonly workspace: string;
  readonly origin: 'launched' | 'attached';
  /** Serves one session only and ends with it (SE1, isolation `browser`). */
  readonly dedicated: boolean;
  /**
   * `silent`: it answers nothing and is being killed, which counts as a crash. `released`: it was stopped or detached
   * on purpose, so its end is no crash.
   */
  readonly state: 'starting' | 'live' | 'silent' | 'released';
}

/** Where a session stands between two Chromes (BR5). */
export type SessionPlace =
  | { readonly at: 'live'; readonly chrome: string }
  /** Its pages are lost, and attempt number `attempt` to open them again is under way. */
  | { readonly at: 'lost'; readonly why: Message; readonly attempt: number }
  /** Its pages are lost; it waits for a request, and with `retries` also for any Chrome to start. */
  | { readonly at: 'parked'; readonly why: Message; readonly retries: boolean };

/** A session that has not ended. */
export interface FleetSession {
  /** Whether its policy lets it be restored without a request. */
  readonly restarts: boolean;
  /** When its Chromes crashed, monotonic milliseconds; only what still counts. */
  readonly crashes: readonly number[];
  /** Number of its latest attempt; results of earlier ones are ignored. */
  readonly attempts: number;
  readonly place: SessionPlace;
}

/** All Chromes and sessions of the server, by id. */
export interface FleetState {
  /** Limit of launched Chromes (BR7). */
  readonly most: number;
  readonly chromes: ReadonlyMap<string, FleetChrome>;
  readonly sessions: ReadonlyMap<string, FleetSession>;
}

/** Everything that changes the fleet. `chrome` and `session` are ids. */
export type FleetEvent =
  /** A Chrome is to be launched. */
  | { readonly type: 'launching'; readonly chrome: string; readonly workspace: string; readonly dedicated: boolean }
  /** The server is connecting to a Chrome that it did not start, or that an earlier server left running. */
  | ({ readonly type: 'reaching'; readonly chrome: string } & Omit<FleetChrome, 'state'>)
  /** It is connected. */
  | { readonly type: 'started'; readonly chrome: string }
  | { readonly type: 'not-started'; readonly chrome: string }
  /** A connected Chrome runs but answers nothing. */
  | { readonly type: 'silent'; readonly chrome: string }
  /** It is stopped or detached on purpose. */
  | { readonly type: 'released'; readonly chrome: string }
  /** Its connection has ended. `why` counts for a released one; every other one has crashed. */
  | { readonly type: 'gone'; readonly chrome: string; readonly why: Message }
  /** A session exists; `chrome` is undefined when the Chrome was gone before this server started. */
  | {
      readonly type: 'session';
      readonly session: string;
      readonly chrome: string | undefined;
      readonly origin: FleetChrome['origin'];
      readonly restarts: boolean;
    }
  /** The open pages of a session without a Chrome are known now: it can be restored. */
  | { readonly type: 'found'; readonly session: string }
  /**
   * A caller asks for another Chrome for the session; `renew` allows it for a live session too, and replaces its
   * context.
   */
  | { readonly type: 'asked'; readonly session: string; readonly renew: boolean }
  /** An attempt opened the session's pages in this Chrome. `forgive`: earlier crashes no longer count. */
  | {
      readonly type: 'back';
      readonly session: string;
      readonly attempt: number;
      readonly chrome: string;
      readonly forgive: boolean;
    }
  /** An attempt failed. `why` is undefined when its asker gets the error; `noChrome`: no Chrome could be started. */
  | {
      readonly type: 'not-back';
      readonly session: string;
      readonly attempt: number;
      readonly why: Message | undefined;
      readonly noChrome: boolean;
    }
  | { readonly type: 'session-ended'; readonly session: string };

/** What the fleet must do because of an event. */
export type FleetEffect =
  /** Kill the process of a silent Chrome. */
  | { readonly type: 'kill'; readonly chrome: string }
  /** Forget the connection to a Chrome that is gone; of a crashed one, end what remains and remove its profile. */
  | { readonly type: 'drop'; readonly chrome: string; readonly crashed: boolean }
  /** Tell the session that its pages are lost, and end what runs in them. */
  | { readonly type: 'lose'; readonly session: string; readonly said: Message }
  /** Write to the session's timeline. */
  | { readonly type: 'tell'; readonly session: string; readonly said: Message }
  /** Open the session's pages in another Chrome, without a request. */
  | { readonly type: 'bring-back'; readonly session: string; readonly attempt: number };

/**
 * `full`: the limit of launched Chromes is reached. `runs`: the session's Chrome runs. `starting`: another one is being
 * started for it. `over`: the event is about something that is over, or about an older attempt.
 */
export type FleetRefusal = 'full' | 'runs' | 'starting' | 'over';

/** The shared Chrome of a workspace: the id of one that lives, else of one that starts. */
export function sharedChrome({ chromes }: FleetState, workspace: string): string | undefined {
  const shared = [...chromes].filter(
    ([, chrome]) => chrome.workspace === workspace && chrome.origin === 'launched' && !chrome.dedicated,
  );
  const inState = (state: FleetChrome['state']) => shared.find(([, chrome]) => chrome.state === state)?.[0];
  return inState('live') ?? inState('starting');
}

/** How many Chromes of ours run, start or end. */
export function launchedChromes({ chromes }: FleetState): number {
  return [...chromes.values()].filter(({ origin }) => origin === 'launched').length;
}
