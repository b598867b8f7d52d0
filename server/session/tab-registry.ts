import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Protocol } from '@/server/cdp/protocol';
import type { Mask } from '@/lib/state/masks';
import { Emitter } from '@/server/browser/emitter';
import type { SessionTab } from './session-tab';

/** What is kept of a tab across restarts of the server. */
export interface StoredTab {
  readonly id: string;
  readonly targetId: string;
  readonly label: string | undefined;
  readonly lastRef: number;
  /** What stays masked in its documents (CO8). */
  readonly masks?: readonly Mask[] | undefined;
}

/** What the book has to know of a seat. */
export interface RegisteredTab {
  readonly tab: {
    readonly id: string;
    readonly targetId: string;
    readonly label: string | undefined;
    readonly url: string;
  };
  dispose(): void;
}

type TargetInfo = Pick<Protocol.Target.TargetInfo, 'targetId' | 'openerId'>;

/** Makes the seat of a target: attaches, wires, starts. */
type MakeTab<S, I> = (info: I, known: StoredTab, opener: S | undefined) => Promise<S>;

const SHORTEST_PREFIX = 4;

/** The tabs of one session, by every name they go by (SE2). */
export class TabRegistry<S extends RegisteredTab = SessionTab, I extends TargetInfo = Protocol.Target.TargetInfo> {
  readonly onAdded = new Emitter<[S]>();
  /** A seat whose target went away while it was made; nobody else has heard of it. */
  readonly onLost = new Emitter<[S]>();
  /** A tab that goes on in another target has a new seat; this was its old one. */
  readonly onReplaced = new Emitter<[S]>();
  readonly #sessionTabs = new Map<string, S>();
  readonly #joining = new Map<string, Promise<void>>();
  readonly #gone = new Set<string>();
  readonly #known: Map<string, StoredTab>;
  /** Targets that exist and could not be attached. */
  readonly #failed = new Map<string, unknown>();
  readonly #onFailed = new Emitter<[targetId: string]>();
  #lastNumber: number;
  /** Targets on their way to become known ones. */
  #reopening: Promise<void> | undefined;

  constructor(
    private readonly makeTab: MakeTab<S, I>,
    known: readonly StoredTab[],
  ) {
    this.#known = new Map(known.map((tab) => [tab.targetId, tab]));
    this.#lastNumber = Math.max(0, ...known.map((tab) => Number(tab.id.slice(1))));
  }

  all(): S[] {
    return [...this.#sessionTabs.values()];
  }

  /** How many there are, with those on their way. */
  get size(): number {
    return this.#sessionTabs.size + this.#joining.size;
  }

  get(id: string): S | undefined {
    return this.#sessionTabs.get(id);
  }

  byTarget(targetId: string): S | undefined {
    return this.all().find((sessionTab) => sessionTab.tab.targetId === targetId);
  }

  /** Gives a target its seat, once. Targets that are joining at the same time keep the order of their ids. */
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
   * Gives a tab another target, which `open` makes: its id and label go on there. Chrome reports a target before it
   * answers who made it, so what it reports meanwhile waits. Returns the target id; the seat follows.
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

  /** The target is gone; its seat, if it has one, is taken out of the book. */
  remove(targetId: string): S | undefined {
    if (this.#joining.has(targetId)) this.#gone.add(targetId);
    this.#failed.delete(targetId);
    const sessionTab = this.byTarget(targetId);
    if (sessionTab) this.#sessionTabs.delete(sessionTab.tab.id);
    return sessionTab;
  }

  /** Waits until the target has its seat. Throws what kept it from being attached. */
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
   * Finds a tab by id, label, target id, or a prefix of label or target id that fits one only. Throws TAB_NOT_FOUND or
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
    // Not their addresses: one may be held privately (CO8).
    const tabs = this.all().map(({ tab }) => ({ id: tab.id, label: tab.label }));
    if (second)
      throw new WheelhouseError('TAB_AMBIGUOUS', `"${name}" fits ${close.length} tabs.`, { details: { tabs } });
    if (only) return only;
    throw new WheelhouseError('TAB_NOT_FOUND', `There is no tab "${name.slice(0, 100)}" in this session.`, {
      details: { tabs },
    });
  }

  /** The first of these that is open, else the first there is. Throws TAB_NOT_FOUND. */
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
   * A page may open a popup before its own seat is made; without waiting for that, the popup would not inherit its
   * control (SE2).
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
