import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { TargetInfo } from '@/server/cdp/shapes/objects';
import type { Mask } from '@/lib/state/masks';
import { Emitter } from '@/server/browser/emitter';
import type { SessionTab } from './session-tab';

/** The data of a tab that survives a restart of the server. */
export interface StoredTab {
  readonly id: string;
  readonly targetId: string;
  readonly label: string | undefined;
  readonly lastRef: number;
  /** ISO 8601. */
  readonly closedAt?: string | null | undefined;
  /** Masked fields of its documents (CO8). */
  readonly masks?: readonly Mask[] | undefined;
}

/** What the registry needs of a session tab. */
export interface RegisteredTab {
  readonly tab: {
    readonly id: string;
    readonly targetId: string;
    readonly label: string | undefined;
    readonly url: string;
  };
  dispose(): void;
}

type OpenedTarget = Pick<TargetInfo, 'targetId' | 'openerId'>;

/** Makes the session tab of a target: attaches, connects, starts. */
type MakeTab<S, I> = (info: I, known: StoredTab, opener: S | undefined) => Promise<S>;

const SHORTEST_PREFIX = 4;

/** The tabs of one session, found by any of their names (SE2). */
export class TabRegistry<S extends RegisteredTab = SessionTab, I extends OpenedTarget = TargetInfo> {
  readonly onAdded: Emitter<[S]>;
  /** A session tab whose target closed while it was being made; no other code has seen it. */
  readonly onLost: Emitter<[S]>;
  /** A tab continues in another target; this is its old session tab. */
  readonly onReplaced: Emitter<[S]>;
  readonly #sessionTabs = new Map<string, S>();
  readonly #joining = new Map<string, Promise<void>>();
  readonly #gone = new Set<string>();
  readonly #known: Map<string, StoredTab>;
  /** Errors of targets that could not be attached, by target id. */
  readonly #failed = new Map<string, unknown>();
  readonly #onFailed = new Emitter<[targetId: string]>();
  #lastNumber: number;
  /** Settles when the targets being opened by `reopen` are known. */
  #reopening: Promise<void> | undefined;

  /** @param fault receives what a listener throws */
  constructor(
    private readonly makeTab: MakeTab<S, I>,
    known: readonly StoredTab[],
    fault?: (error: unknown) => void,
  ) {
    this.onAdded = new Emitter(fault);
    this.onLost = new Emitter(fault);
    this.onReplaced = new Emitter(fault);
    this.#known = new Map(known.map((tab) => [tab.targetId, tab]));
    this.#lastNumber = Math.max(0, ...known.map((tab) => Number(tab.id.slice(1))));
  }

  all(): S[] {
    return [...this.#sessionTabs.values()];
  }

  /** Number of tabs, including those being attached. */
  get size(): number {
    return this.#sessionTabs.size + this.#joining.size;
  }

  get(id: string): S | undefined {
    return this.#sessionTabs.get(id);
  }

  byTarget(targetId: string): S | undefined {
    return this.all().find((sessionTab) => sessionTab.tab.targetId === targetId);
  }

  /** Makes the session tab of a target, once. Targets adopted at the same time keep the order of their ids. */
  adopt(info: I): Promise<void> {
    if (this.byTarget(info.targetId)) return Promise.resolve();
    const joining = this.#joining.get(info.targetId);
    if (joining) return joining;
    if (this.#reopening) return this.#reopening.then(() => this.adopt(info));
    const known = this.#known.get(info.targetId) ?? {
      id: this.#nextId(),
      targetId: info.targetId,
      label: undefined,
      lastRef: 0,
    };
    const work = this.#sessionTab(info, known);
    this.#joining.set(info.targetId, work);
    return work;
  }

  /**
   * Moves a tab's id and label to another target, which `open` makes. Chrome may report the target before `open`
   * returns its id, so reported targets wait until then. Returns the target id; the session tab is made later.
   */
  reopen(known: Omit<StoredTab, 'targetId'>, open: () => Promise<string>): Promise<string> {
    const opened = (this.#reopening ?? Promise.resolve()).then(open).then((targetId) => {
      this.#known.set(targetId, { ...known, targetId });
      return targetId;
    });
    const settled = Promise.allSettled([opened]).then(() => {
      if (this.#reopening === settled) this.#reopening = undefined;
    });
    this.#reopening = settled;
    return opened;
  }

  /** Removes the session tab of a closed target and returns it, if there is one. */
  remove(targetId: string): S | undefined {
    if (this.#joining.has(targetId)) this.#gone.add(targetId);
    this.#failed.delete(targetId);
    const sessionTab = this.byTarget(targetId);
    if (sessionTab) this.#sessionTabs.delete(sessionTab.tab.id);
    return sessionTab;
  }

  /** Waits until the session tab of the target exists. Throws the error that prevented attaching it. */
  async whenAdded(budget: Budget, targetId: string): Promise<S> {
    const found = this.byTarget(targetId);
    if (found) return found;
    if (this.#failed.has(targetId)) throw this.#failed.get(targetId);
    const failed = this.#onFailed.next((id) => (id === targetId ? id : undefined));
    try {
      return await Promise.race([
        this.onAdded.waitFor(budget, 'the new tab to be attached', (sessionTab) =>
          sessionTab.tab.targetId === targetId ? sessionTab : undefined,
        ),
        failed.promise.then((): never => {
          throw this.#failed.get(targetId);
        }),
      ]);
    } finally {
      failed.stop();
    }
  }

  /**
   * Finds a tab by id, label, target id, or a unique prefix of label or target id. Throws TAB_NOT_FOUND or
   * TAB_AMBIGUOUS.
   */
  find(name: string): S {
    const exact =
      this.#sessionTabs.get(name) ?? this.all().find(({ tab }) => tab.label === name || tab.targetId === name);
    if (exact) return exact;
    const close =
      name.length < SHORTEST_PREFIX
        ? []
        : this.all().filter(
            ({ tab }) =>
              tab.targetId.toLowerCase().startsWith(name.toLowerCase()) || tab.label?.startsWith(name) === true,
          );
    const [only, second] = close;
    // Without addresses: a tab may be held privately (CO8).
    const tabs = this.all().map(({ tab }) => ({ id: tab.id, label: tab.label }));
    if (second)
      throw new WheelhouseError('TAB_AMBIGUOUS', `"${name}" fits ${close.length} tabs.`, { details: { tabs } });
    if (only) return only;
    throw new WheelhouseError('TAB_NOT_FOUND', `There is no tab "${name.slice(0, 100)}" in this session.`, {
      details: { tabs },
    });
  }

  /** The first of these tabs that is open, else the first tab. Throws TAB_NOT_FOUND. */
  firstOf(...ids: readonly (string | undefined)[]): S {
    const sessionTab =
      ids.flatMap((id) => (id === undefined ? [] : [this.#sessionTabs.get(id)])).find((found) => found) ??
      this.all()[0];
    if (sessionTab) return sessionTab;
    throw new WheelhouseError('TAB_NOT_FOUND', { code: 'noOpenTab' }, { hint: 'Open one: POST …/tabs.' });
  }

  async #sessionTab(info: I, known: StoredTab): Promise<void> {
    try {
      const sessionTab = await this.makeTab(info, known, await this.#opener(info.openerId));
      if (this.#gone.has(info.targetId)) return this.#lose(sessionTab);
      const old = this.#sessionTabs.get(known.id);
      this.#sessionTabs.set(known.id, sessionTab);
      if (old) this.onReplaced.emit(old);
      this.onAdded.emit(sessionTab);
    } catch (error) {
      if (!this.#gone.has(info.targetId)) this.#failed.set(info.targetId, error);
      this.#onFailed.emit(info.targetId);
      throw error;
    } finally {
      this.#joining.delete(info.targetId);
      this.#gone.delete(info.targetId);
    }
  }

  /**
   * Waits for the opener's session tab: a page may open a popup before its own exists, and the popup would not inherit
   * its lease (SE2).
   */
  async #opener(targetId: string | undefined): Promise<S | undefined> {
    if (targetId === undefined) return undefined;
    await Promise.allSettled([this.#joining.get(targetId)]);
    return this.byTarget(targetId);
  }

  #lose(sessionTab: S): void {
    sessionTab.dispose();
    this.onLost.emit(sessionTab);
  }

  #nextId(): string {
    this.#lastNumber += 1;
    return `t${this.#lastNumber}`;
  }
}
