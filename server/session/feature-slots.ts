import type { Budget } from '@/lib/budget/budget';
import type { Holder } from '@/lib/control/lease';
import type { Receipt } from '@/lib/actions/receipt';
import type { LeaseRequest } from '@/lib/protocol/lease-request';
import type { HelpRequestView, HelpResult } from '@/lib/help/help-request';
import type { Message } from '@/lib/messages/message';
import type { SavedTab } from '@/lib/state/saved';
import type { Principal } from '@/server/access/principal';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { InputEvent } from '@/lib/protocol/input';
import type { Picture } from '@/lib/stream/picture';
import type { Tier } from '@/lib/stream/tiers';
import type { FileApi, TraceApi } from '@/server/actions/context';
import type { Downloads } from '@/server/browser/files/downloads';
import type { FrameSink } from '@/server/browser/frame-sink';
import type { SessionFiles } from '@/server/browser/files/session-files';
import type { NewContext } from '@/server/fleet/browsers';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { Caller } from './caller';
import type { SessionTab } from './session-tab';
import { Slot } from './slot';

/** Slots through which the kernel and features use other features. */

/** The pictures of a session tab; filled for each tab. */
export const PICTURES = new Slot<{
  /** The present geometry number; input that was aimed at another one is refused (FR4). */
  readonly geometry: number;
  /**
   * The smallest current picture of the running captures; undefined while nobody watches or the tab is held privately.
   */
  atHand(): Picture | undefined;
  /**
   * Adds a receiver, for example a recording; it gets no picture of a private hold. The returned function removes it.
   */
  addSink(tier: Tier, sink: FrameSink): () => void;
}>('pictures of a tab');

/** Files and downloads, for actions. */
export const ACTION_FILES = new Slot<{
  readonly sessionFiles: SessionFiles;
  readonly downloads: Downloads;
  forAction(sessionTab: SessionTab, principal: Principal): FileApi;
}>('files for actions');

export const TRACES = new Slot<{
  forAction(sessionTab: SessionTab, by: Holder): TraceApi;
  /** Ends all traces of the session and keeps what they recorded. */
  endAll(budget: Budget): Promise<void>;
}>('traces');

/** Callbacks for the fate of one input event sent to Chrome. */
export interface RecordedDelivery {
  /** Chrome has acknowledged it. */
  delivered(): void;
  /** It was not sent, or Chrome refused it. */
  lost(): void;
}

/** For an event that is not recorded. */
export const UNRECORDED: RecordedDelivery = { delivered: () => undefined, lost: () => undefined };

export const INPUT_RECORDER = new Slot<{
  /** Called before an event of this caller is sent to the tab. */
  begin(caller: Caller, sessionTab: SessionTab, event: InputEvent): RecordedDelivery;
  /** Waits until the raw input of this participant is recorded as actions, or the page has had its time to report. */
  finish(participant: string): Promise<void>;
}>('input recorder');

/** A receipt; call `given` once the agent has it, so that the next one starts after it. */
export interface WrittenReceipt {
  readonly receipt: Receipt;
  given(): void;
}

/** A receipt that is stored with a change of leases. */
export interface OutgoingReceipt {
  /** The row to store: the receipt, joined with those that the agent has not acknowledged. */
  readonly record: ReceiptRecord;
  /** The row is stored: the agent gets the receipt. */
  stored(): void;
  /** The change could not be stored: the agent does not get the receipt. */
  withdrawn(): void;
}

export const RECEIPTS = new Slot<{
  /**
   * Writes the receipt for the agent `to`, who gets the lease from this person. Never rejects; takes a bounded time.
   */
  write(caller: Caller, tab: string, to: Holder, note: string | undefined): Promise<WrittenReceipt>;
  /** Prepares a receipt for the agent, for the commit of the change that gives it the lease. */
  put(participant: string, receipt: Receipt): OutgoingReceipt;
  /** Whether the key of this agent has ended, so that it gets no more receipts. */
  closed(participant: string): boolean;
}>('receipts');

/** Help requests of agents to people. */
export const HELP = new Slot<{
  /** Whether one is open. */
  readonly waiting: boolean;
  ask(budget: Budget, caller: Caller, sessionTab: SessionTab, request: LeaseRequest): Promise<HelpRequestView>;
  answer(budget: Budget | undefined, caller: Caller, tab: string, request: LeaseRequest): Promise<HelpRequestView>;
  /** `claim` or `unclaim`. */
  claim(budget: Budget, caller: Caller, tab: string, request: LeaseRequest): Promise<HelpRequestView>;
  /** A person gave the lease of a tab to an agent: answers the agent's help request there. */
  handedOver(
    caller: Caller,
    tab: string,
    agent: string,
    result: HelpResult | undefined,
    note: string | undefined,
  ): Promise<void>;
}>('help');

/** What the fleet needs of a session to move it from a lost Chrome into another one (BR5). */
export const RECOVERY = new Slot<{
  /** The pages are lost: answers every waiting call and informs all participants. */
  lost(message: Message): void;
  /** The previous server and the session's Chrome are gone: takes over the tabs that were open. */
  found(open: readonly SavedTab[], code: 'serverAndChromeGone' | 'chromeOutdated'): void;
  /** Handles Target.targetCrashed. */
  pageCrashed(targetId: string): void;
  /** Opens the session's pages in new contexts. Throws BROWSER_DOWN when that Chrome is gone as well. */
  moveTo(budget: Budget, browser: ChromeBrowser, contexts: readonly NewContext[]): Promise<void>;
  /** The session is live again. `by`: who asked; `same`: in the same Chrome. */
  back(by: Caller | undefined, same: boolean): void;
  /** Saves the session's state for recovery now. Never rejects. */
  save(): Promise<void>;
}>('recovery');

/** The pause of a session's agents by a moderator (CO4). */
export const PAUSE = new Slot<{
  /** Throws CONTROL_HELD when this is an agent and agents are paused. */
  demandRunning(principal: Principal): void;
  /** Waits until agents may go on, when this is one. Throws CONTROL_HELD at the end of the budget. */
  waitFor(budget: Budget, principal: Principal): Promise<void>;
}>('pause');

/** Counts a refusal of this caller. */
export const REFUSALS = new Slot<{ count(caller: Caller, code: string | undefined): Promise<void> }>('refusals');
