import type { Action, ActionKind, ActionOf } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Viewport } from '@/lib/geometry/picture';
import type { DownloadView } from '@/lib/files/views';
import type { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Locator } from '@/lib/input-recorder/target-element';
import type { TraceKept, TraceState } from '@/lib/trace/schema';
import type { Download } from '@/server/browser/files/download';
import type { Downloads } from '@/server/browser/files/downloads';
import type { SessionFiles } from '@/server/browser/files/session-files';
import type { Tab } from '@/server/browser/tab';
import type { FencedSession } from '@/server/browser/write';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';

export interface TabSummary {
  readonly id: string;
  readonly label: string | undefined;
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
}

/** What an action may do to the other tabs of its session; the session implements it. */
export interface TabApi {
  list(): TabSummary[];
  /** Opens an empty tab in the session's context, attached and ready, and its lease with it. */
  open(budget: Budget, label: string | undefined): Promise<Tab>;
  summary(id: string): TabSummary;
  focus(id: string): TabSummary;
  close(budget: Budget, id: string): Promise<void>;
  label(id: string, label: string): TabSummary;
  /** The tab of this action goes on in a new page at its address; id, label and lease stay (EV4). */
  restart(budget: Budget): Promise<TabSummary>;
  /** Tabs that came since this action began (popups), by id. */
  openedSince(): string[];
}

/** The files of the session, for actions. */
export interface FileApi {
  readonly sessionFiles: SessionFiles;
  readonly downloads: Downloads;
  /** Paths of files that the caller may have, to pass to Chrome. Throws PATH_DENIED, NOT_FOUND naming the file. */
  readonly paths: (names: readonly string[]) => Promise<string[]>;
  /** A download as the caller may see it. */
  readonly viewOf: (download: Download) => DownloadView;
  /** Tells everybody which armed answer was replaced. */
  readonly armReplaced: (loser: string) => void;
  /** Tells everybody that a file chooser was closed without files. */
  readonly chooserClosed: () => void;
}

export interface StartTrace {
  readonly screenshots?: boolean | undefined;
  /** Milliseconds after which it ends by itself. */
  readonly maxMs?: number | undefined;
}

export interface StopTrace {
  readonly gzip?: boolean | undefined;
  readonly saveAs?: string | undefined;
}

/** The trace of the tab; the session implements it. */
export interface TraceApi {
  start(budget: Budget, write: FencedSession, options: StartTrace): Promise<TraceState>;
  stop(budget: Budget, options: StopTrace): Promise<TraceKept>;
  state(): TraceState;
}

/** Everything a handler may touch, narrow on purpose. One per executed action. */
export interface ActionContext {
  readonly tab: Tab;
  readonly budget: Budget;
  readonly write: FencedSession;
  readonly tabs: TabApi;
  readonly files: FileApi;
  readonly traces: TraceApi;
  /** Name of the acting participant. */
  readonly actor: string;
  /** Id under which the tab remembers what this participant has seen of its pages (SN2, SN7). */
  readonly reader: string;
  /**
   * The acting agent; undefined for a person. Scripts and settings it leaves are stopped or suspended when it loses the
   * lease (CO3).
   */
  readonly agent: ScriptOwner | undefined;
  /** The action as the caller wrote it, with the names of variables instead of their values. */
  readonly asWritten: Action;
  /** Variables are filled in already, by a composite around this action. */
  readonly resolved: boolean;
  /**
   * Carries out another action on this tab, inside this one: in its budget, under its epoch, with rows of its own
   * (AC7). Never throws.
   */
  readonly perform: (action: Action, how: NestedAction) => Promise<Reply>;
  /** Whether a tab's name, id or label means the tab of this action. */
  readonly isThisTab: (name: string) => boolean;
  /** The guard (GU1): the normalised address, or NAV_BLOCKED. */
  readonly checkUrl: (url: string) => string;
  /** Throws NAV_BLOCKED for an address that no page may reach (GU1). */
  readonly demandReachable: (url: string) => Promise<void>;
  /**
   * Why the session's pages last got nothing from where this address leads; Chrome knows only that the proxy gave
   * nothing.
   */
  readonly ending: (url: string) => { readonly rule?: string; readonly error?: string } | undefined;
  /**
   * A secret of this session from now on: before the page has it (T14). `instead`: a beginning of it that was one until
   * now.
   */
  readonly keepSecret: (text: string, instead?: string) => void;
  /** Address of a search (UNSUPPORTED while none is set up). */
  readonly searchUrl: (query: string, engine: string | undefined) => string;
  /** The fence, for what changes a page on another lane than `write`: throws CONTROL_LOST (CO2). */
  readonly checkLease: () => Promise<void>;
  /**
   * Makes sure of the lease of another tab of the session before something is done to it: takes a free one, throws
   * CONTROL_HELD (CO2).
   */
  readonly takeFree: (tab: string) => Promise<unknown>;
  /**
   * Whether the caller may see values of cookies and of storage, which are worth a sign-in: a caller who may run
   * scripts may.
   */
  readonly showsValues: boolean;
  /** WebSocket of the browser, for the engine `page`. */
  readonly browserUrl: string;
  /** Refuses with EVAL_DISABLED where scripts are switched off. */
  readonly checkEvaluate: () => void;
  /** The page of the whole session (SE4). */
  readonly resize: (viewport: Viewport) => Promise<void>;
  /** Names the target of the action for the timeline as soon as it is known; watchers see it live. */
  noteTarget(resolved: ResolvedTarget): void;
}

/** How an action inside another is carried out. */
export interface NestedAction {
  readonly asWritten: Action;
  readonly resolved: boolean;
  /** Kept of the budget for what must follow, milliseconds. */
  readonly reserveMs?: number;
  /** False: the page need not calm down before the next one. */
  readonly settle?: boolean;
}

export interface ResolvedTarget {
  readonly element?: { readonly ref?: string; readonly role: string; readonly name: string };
  readonly point?: { readonly x: number; readonly y: number };
  /** How it is found again, where role and name do not say it. */
  readonly locator?: Locator | undefined;
  /** Whether text typed there is a password, a code or a card number (SN6); unknown counts as yes. */
  readonly secret?: boolean;
}

/** The result of a handler, from which the action path makes the reply. */
export interface HandlerResult {
  readonly value?: unknown;
  readonly via?: Reply['via'];
  /** How text was typed: by key events, or in pieces between its first and last characters (AC4). */
  readonly typed?: Reply['typed'];
  readonly warnings?: readonly string[];
  readonly engine?: Reply['engine'];
  /** The action failed; `value` still holds its partial result, such as the finished part of a batch. */
  readonly error?: WheelhouseError;
}

/** The result of an action with the changes around it; the action path adds actor, time and duration. */
export interface ActionOutcome
  extends HandlerResult, Pick<Reply, 'navigated' | 'newTabs' | 'downloads' | 'dialogs' | 'snapshot' | 'revision'> {}

/** How one kind is carried out. Methods, so that `handlerOf` can give one type for all kinds. */
export interface Handler<A> {
  /** The page may change: the reply waits until it has calmed down (AC5). */
  readonly settles: boolean;
  /** It waits for earlier actions of the tab. Evaluate and reads do not hold the queue (AC6, EV1). */
  readonly queued: boolean;
  /** It is made of other actions, which are queued, raced with dialogs and recorded by themselves. */
  readonly nests?: boolean;
  /** It works on a tab that hangs or shows a dialog: it may be what frees it (EV4). */
  readonly worksWhenStuck?: boolean;
  /** It answers dialogs; any other action returns as soon as one opens (DI1). */
  readonly answersDialogs?: boolean;
  /** It was to bring back a value: where a dialog opens first it fails instead of returning (EV10). */
  readonly failsOnDialog?: boolean;
  /** Its own tab may close meanwhile. */
  readonly mayCloseTab?: boolean;
  /** It puts another page in the place of this one, so that it need not wait for what hangs there (EV4). */
  replacesPage?(action: A): boolean;
  run(context: ActionContext, action: A): Promise<HandlerResult>;
}

export function defineAction<K extends ActionKind>(
  handler: Handler<ActionOf<K>> & { readonly kind: K },
): Handler<ActionOf<K>> {
  return handler;
}
