import { WheelhouseError } from '@/lib/errors/error';
import { sightOf, type Principal } from '@/server/access/principal';
import { Timers } from '@/lib/async/timers';
import type { Caller } from './caller';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';

/**
 * Shortest time between two saves of the tabs that participants used last: a participant may alternate between tabs
 * quickly. Milliseconds.
 */
const USED_MS = 1_000;

/** The tab that a session shows first, and what `active` means for each participant (SE2). */
export class ActiveTab {
  /** May name a tab that is not open yet or never returns. */
  #tab: string | undefined;
  #unsaved = false;
  readonly #timers: Timers;

  /** Ids of tabs from the last run: their session tabs are not new. */
  readonly #known: ReadonlySet<string>;

  constructor(
    private readonly core: SessionCore,
    private readonly registry: TabRegistry,
  ) {
    this.#tab = core.init.active?.tab;
    this.#known = new Set(core.init.knownTabs.map(({ id }) => id));
    this.#timers = new Timers(core.services.clock);
    core.participants.onUse.on(() => this.#saveSoon());
  }

  get id(): string | undefined {
    const { registry } = this;
    return this.#tab !== undefined && registry.get(this.#tab) ? this.#tab : registry.all()[0]?.tab.id;
  }

  /**
   * Finds a tab by name; `active` is the tab this participant used last, else the session's active one. Throws
   * TAB_NOT_FOUND, TAB_AMBIGUOUS; BROWSER_DOWN when the tab is missing because Chrome is.
   */
  find({ principal }: Caller, called: string): SessionTab {
    const { registry } = this;
    const { participants } = this.core;
    const name = this.shownName(principal, called);
    const sessionTab =
      name === 'active' ? this.sessionTab(participants.usedTab(principal.id)) : this.#there(() => registry.find(name));
    participants.use(principal.id, sessionTab.tab.id);
    return sessionTab;
  }

  /**
   * The tab that a caller means: for a guest whose link shows one tab always that one, and no other exists (AU4).
   * Throws TAB_NOT_FOUND, BROWSER_DOWN.
   */
  shownName(principal: Principal, name: string): string {
    const only = sightOf(principal)?.tab;
    if (only === undefined) return name;
    const { id, label } = this.registry.get(only)?.tab ?? {};
    if (id !== undefined && (name === 'active' || name === id || name === label)) return id;
    // Without a list of the tabs that there are.
    throw this.core.status.error() ?? new WheelhouseError('TAB_NOT_FOUND', `There is no tab "${name.slice(0, 100)}".`);
  }

  sessionTab(preferred?: string): SessionTab {
    return this.#there(() => this.registry.firstOf(preferred, this.#tab));
  }

  #there(look: () => SessionTab): SessionTab {
    try {
      return look();
    } catch (error) {
      throw this.core.status.error() ?? error;
    }
  }

  /** Makes a tab active after an action wrote to it. */
  activate(tab: string): void {
    if (this.#tab === tab || !this.registry.get(tab)) return;
    this.#set(tab);
    this.core.changed();
  }

  /** Activates a new session tab if it is the first, or a new popup of the active one. */
  added({ tab: { id, opener } }: SessionTab): void {
    if (this.#tab === undefined) this.#set(id);
    if (opener !== undefined && opener === this.#tab && !this.#known.has(id)) this.activate(id);
  }

  gone(tab: string): void {
    if (this.#tab === tab) this.#set(this.registry.all().at(-1)?.tab.id);
  }

  /** Stores pending changes. */
  dispose(): void {
    if (this.#unsaved) this.#save();
    this.#timers.dispose();
  }

  #set(tab: string | undefined): void {
    this.#tab = tab;
    this.#save();
  }

  #saveSoon(): void {
    if (this.#unsaved) return;
    this.#unsaved = true;
    this.#timers.plan('used', USED_MS, () => this.#save());
  }

  #save(): void {
    this.#unsaved = false;
    this.#timers.cancel('used');
    void this.core.init.ledger.changeSession({ active: { tab: this.#tab, by: this.core.participants.used } });
  }
}
