import type { Action } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { Reply } from '@/lib/actions/reply';
import type { ControlView, SessionView, TabView } from '@/lib/protocol/views';
import type { Credential } from '@/server/access/principal';
import type { Caller } from './caller';
import type { ActionCall } from './action-call';
import type { SessionKernel } from './kernel';
import type { SessionLedger } from './ledger';
import type { SessionServices } from './session-parts';
import type { SessionTab } from './session-tab';

/**
 * What a session does beside carrying out actions: a folder of `server/features` with its state, which joins in at
 * these hooks and listens to the kernel's emitters. `start` also puts back what was stored (`kernel.init`).
 */
export interface Feature {
  readonly name: string;
  start(kernel: SessionKernel): Hooks;
  /** Removes what an earlier server kept of a session that cannot come back. */
  forget?(ledger: SessionLedger, services: SessionServices): Promise<void>;
}

/** Called in the order of the list of features; `dispose` in the reverse order. */
export interface Hooks {
  /** An action is asked for: what went with earlier replies to its sender has arrived. */
  asked?(caller: Caller, action: Action): void;
  /** Before the intent of an action is written. Throws to refuse it. */
  beforeAction?(caller: Caller, action: Action, tab: string): Promise<void>;
  /** An action was carried out. @param silent it was private, in part at least: nothing of it is told (CO8) */
  afterAction?(call: ActionCall, reply: Reply, silent: boolean): void;
  /** An action has the wheel, and its handler is about to run. */
  beforeWrite?(budget: Budget, tab: string): Promise<void>;
  /** An action has its reply, also when nobody hears it any more. */
  answered?(caller: Caller, reply: Reply): Promise<void>;
  /** The reply as it leaves, with what its sender is to be told beside it. */
  onReply?(caller: Caller, action: Action, reply: Reply): Reply;
  /** The session as this participant sees it, with this feature's part. */
  view?(view: SessionView, by: string | undefined): SessionView;
  /** How the wheel of a tab is shown. `sessionTab`: none while its page is not there. */
  control?(view: ControlView, sessionTab: SessionTab | undefined): ControlView;
  /** The same of a tab that this participant may see. */
  tabView?(view: TabView, tab: SessionTab): TabView;
  /** Participants for whom it keeps something, by id: they may not have been seen since the server started. */
  named?(): readonly string[];
  /** The key or sign-in of this participant ended, and they are here by nothing else. */
  participantGone?(participant: string): void;
  /** A key or sign-in ended. */
  credentialEnded?(credential: Credential): void;
  /** The server stops: writes down what is not yet. */
  stopping?(): Promise<void>;
  /** The session is about to be over: what is still to be told is told. */
  ending?(): void;
  /** The session is over: nothing of it is to be kept. */
  ended?(): void;
  /** The session is over: removes what it kept on disk. */
  erase?(): Promise<void>;
  /** Lets go of timers, listeners and files. */
  dispose?(): void;
}
