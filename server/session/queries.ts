import type { Budget } from '@/lib/budget/budget';
import type { Holder } from '@/lib/control/lease';
import type { Receipt } from '@/lib/actions/receipt';
import type { LeaseRequest } from '@/lib/protocol/lease-request';
import type { HelpRequestView, HelpResult } from '@/lib/help/help-request';
import type { Message } from '@/lib/messages/message';
import type { SavedTab } from '@/lib/state/saved';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { InputEvent } from '@/lib/protocol/input';
import type { FileApi, TraceApi } from '@/server/actions/context';
import type { Downloads } from '@/server/browser/files/downloads';
import type { SessionFiles } from '@/server/browser/files/session-files';
import type { NewContext } from './browsers';
import type { Caller } from './caller';
import type { SessionTab } from './session-tab';
import { Slot } from './slot';

/** Slots of what the kernel or a feature asks of another feature. */

/** Files and downloads, for actions. */
export const ACTION_FILES = new Slot<{
  readonly sessionFiles: SessionFiles;
  readonly downloads: Downloads;
  forAction(sessionTab: SessionTab): FileApi;
}>('files for actions');

export const TRACES = new Slot<{
  forAction(sessionTab: SessionTab, by: Holder): TraceApi;
  /** Ends all traces of the session; what there is by then is kept. */
  endAll(budget: Budget): Promise<void>;
}>('traces');

/** What becomes of one event on its way to Chrome. */
export interface InputPassage {
  /** Chrome has acknowledged it. */
  landed(): void;
  /** It was never sent, or refused. */
  lost(): void;
}

/** Nothing of it is noted. */
export const UNRECORDED: InputPassage = { landed: () => undefined, lost: () => undefined };

export const INPUT_RECORDER = new Slot<{
  /** An event of this caller goes to the tab. */
  begin(caller: Caller, sessionTab: SessionTab, event: InputEvent): InputPassage;
  /** Settles when what this participant did by raw input is known, or the page has had its time to tell. */
  finish(participant: string): Promise<void>;
}>('input recorder');

/** What an agent is told, and what to call when it is: the next time it is told what came after. */
export interface WrittenReceipt {
  readonly receipt: Receipt;
  given(): void;
}

export const RECEIPTS = new Slot<{
  /** What this agent is told that gets the wheel from this person. Never rejects, and takes a bounded time. */
  write(caller: Caller, tab: string, to: Holder, note: string | undefined): Promise<WrittenReceipt>;
  /** Gives the agent this one, together with what it has not heard yet. The function takes it back. */
  put(participant: string, receipt: Receipt): Promise<() => void>;
  /** Whether the key of this agent has ended, so that it is told nothing any more. */
  closed(participant: string): boolean;
}>('receipts');

/** What agents ask people for. */
export const HELP = new Slot<{
  ask(budget: Budget, caller: Caller, sessionTab: SessionTab, request: LeaseRequest): Promise<HelpRequestView>;
  answer(caller: Caller, tab: string, request: LeaseRequest): Promise<HelpRequestView>;
  /** A person gave the wheel of a tab to an agent: that answers what the agent has asked there. */
  handedOver(
    caller: Caller,
    tab: string,
    agent: string,
    result: HelpResult | undefined,
    note: string | undefined,
  ): Promise<void>;
}>('help');

/** A session that loses its Chrome, and comes back in another (BR5). */
export const RECOVERY = new Slot<{
  /** Chrome is gone: every waiting call is answered, everybody told. */
  lost(message: Message): void;
  /** The server that saw it live is gone, and its Chrome. */
  found(open: readonly SavedTab[], code: 'serverAndChromeGone' | 'chromeOutdated'): void;
  /** Target.targetCrashed. */
  pageCrashed(targetId: string): void;
  /** Counts a crash. True: the session is to be brought back without anybody being asked. */
  crashed(): boolean;
  /** How often its Chrome crashed lately. */
  readonly crashes: number;
  /** Says what is done about the lost Chrome now. */
  tell(message: Message): void;
  /** Goes on in a new Chrome. Throws BROWSER_DOWN when that is gone, too. */
  moveTo(
    budget: Budget,
    by: Caller | undefined,
    browser: ChromeBrowser,
    contexts: readonly NewContext[],
  ): Promise<void>;
  /** Saves now what the session is brought back with. Never rejects. */
  save(): Promise<void>;
}>('recovery');

/** Counts a refusal of this caller. */
export const REFUSALS = new Slot<{ count(caller: Caller, code: string | undefined): Promise<void> }>('refusals');
