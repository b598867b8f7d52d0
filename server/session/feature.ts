import type { Action } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { Reply } from '@/lib/actions/reply';
import type { ControlView, SessionView, TabView } from '@/lib/protocol/views';
import type { Credential, Principal } from '@/server/access/principal';
import type { Caller } from './caller';
import type { ActionCall } from './action/call';
import type { SessionKernel } from './kernel';
import type { SessionLedger } from './ledger';
import type { SessionServices } from './session-parts';
import type { SessionTab } from './session-tab';

/**
 * A part of a session beside the actions: a folder of `server/features` with its own state, which uses these hooks and
 * the kernel's emitters. `start` also restores what was stored (`kernel.init`).
 */
export interface Feature {
  readonly name: string;
  start(kernel: SessionKernel): Hooks;
  /** Removes the data of a session that cannot be recovered. */
  forget?(ledger: SessionLedger, services: SessionServices): Promise<void>;
}

/** Called in the order of the list of features; `dispose` in the reverse order. */
export interface Hooks {
  /** An action is requested: its sender has received the attachments of earlier replies. */
  asked?(caller: Caller, action: Action): void;
  /** Before the intent of an action is written. Throws to refuse it. */
  beforeAction?(caller: Caller, action: Action, tab: string): Promise<void>;
  /**
   * An action was carried out. @param silent it was at least partly private: nothing of it may be recorded (CO8). A
   * throw is a fault.
   */
  afterAction?(call: ActionCall, reply: Reply, silent: boolean): void;
  /**
   * An action may write: it has the lease, or is a remedy, which needs none. It then waits for its turn in the tab's
   * queue. Throws to refuse it.
   */
  beforeWrite?(budget: Budget, tab: string, caller: Caller): Promise<void>;
  /** An action has its reply, even if its caller has gone. A throw is a fault: the reply is given all the same. */
  answered?(caller: Caller, reply: Reply): Promise<void>;
  /** Returns the reply with this feature's attachments for its sender. A throw is a fault, as in `answered`. */
  onReply?(caller: Caller, action: Action, reply: Reply): Reply;
  /** Returns the session's view with this feature's part, which is the same for all viewers. */
  view?(view: SessionView): SessionView;
  /** The part of the view that is for this viewer alone. */
  ownView?(viewer: Principal): Partial<SessionView>;
  /** Returns the view of a tab's lease. `sessionTab` is undefined while the tab has no page. */
  control?(view: ControlView, sessionTab: SessionTab | undefined): ControlView;
  /** Returns the view of a tab that this participant may see. */
  tabView?(view: TabView, tab: SessionTab): TabView;
  /** Ids of participants whose data it keeps; they may not have called since the server started. */
  named?(): readonly string[];
  /** The participant's key or sign-in ended, and they have no other. */
  participantGone?(participant: string): void;
  /** The participant may not drive in this session any more. */
  rightsLost?(participant: string): void;
  /** A key or sign-in ended. */
  credentialEnded?(credential: Credential): void;
  /** The server stops: stores pending data. */
  stopping?(): Promise<void>;
  /** The session is about to end: writes its last events. */
  ending?(): void;
  /** The session has ended: stops keeping data of it. */
  ended?(): void;
  /** The session has ended: removes its files from disk. */
  erase?(): Promise<void>;
  /** Releases timers, listeners and files. */
  dispose?(): void;
}
