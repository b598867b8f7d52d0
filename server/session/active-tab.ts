import { Timers } from '@/lib/async/timers';
import type { Caller } from './caller';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';

/** Who reads two tabs in turn changes what they last used with each: that is stored once in so long. Milliseconds. */
const USED_MS = 1_000;

/** The tab that a session shows first, and what `active` means for each participant (SE2). */
export class ActiveTab {
  /** May name one that is not there yet, or never comes back. */
  #tab: string | undefined;
  #unsaved = false;
  readonly #timers: Timers;

  /** Tabs that are not new when they are seated. */
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
   * `active` is what this participant last used, else what was last acted on. Throws TAB_NOT_FOUND, TAB_AMBIGUOUS;
   * BROWSER_DOWN for one that is not there because Chrome is not.
   */
  find({ principal: { id } }: Caller, name: string): SessionTab {
    const { registry } = this;
    const { participants } = this.core;
    const sessionTab =
      name === 'active' ? this.sessionTab(participants.usedTab(id)) : this.#there(() => registry.find(name));
    participants.use(id, sessionTab.tab.id);
    return sessionTab;
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

  /** It was acted on. */
  activate(tab: string): void {
    if (this.#tab === tab || !this.registry.get(tab)) return;
    this.#set(tab);
    this.core.changed();
  }

  /** A tab has its seat: the first is shown, and a new popup of the one that is. */
  seated({ tab: { id, opener } }: SessionTab): void {
    if (this.#tab === undefined) this.#set(id);
    if (opener !== undefined && opener === this.#tab && !this.#known.has(id)) this.activate(id);
  }

  gone(tab: string): void {
    if (this.#tab === tab) this.#set(this.registry.all().at(-1)?.tab.id);
  }

  /** What is still to be stored is stored now. */
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
