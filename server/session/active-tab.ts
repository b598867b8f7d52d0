import type { Clock } from '@/lib/budget/clock';
import type { Active } from '@/lib/state/active';
import type { Caller } from './caller';
import { Timers } from '@/lib/async/timers';
import type { SessionStatus } from './session-status';
import type { Participants } from './participants';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';

export interface ActiveTabDeps {
  readonly registry: TabRegistry;
  readonly status: SessionStatus;
  readonly participants: Participants;
  readonly clock: Clock;
  /** As it was when the last server stopped. */
  readonly before: Active | undefined;
  /** Tabs that are not new when they are seated. */
  readonly known: ReadonlySet<string>;
  save(active: Active): void;
  changed(): void;
}

/** Who reads two tabs in turn changes what they last used with each: that is stored once in so long. Milliseconds. */
const USED_MS = 1_000;

/** The tab that a session shows first, and what `active` means for each participant (SE2). */
export class ActiveTab {
  /** May name one that is not there yet, or never comes back. */
  #tab: string | undefined;
  #unsaved = false;
  readonly #timers: Timers;

  constructor(private readonly deps: ActiveTabDeps) {
    this.#tab = deps.before?.tab;
    this.#timers = new Timers(deps.clock);
    deps.participants.onUse.on(() => this.#saveSoon());
  }

  get id(): string | undefined {
    const { registry } = this.deps;
    return this.#tab !== undefined && registry.get(this.#tab) ? this.#tab : registry.all()[0]?.tab.id;
  }

  /**
   * `active` is what this participant last used, else what was last acted on. Throws TAB_NOT_FOUND, TAB_AMBIGUOUS;
   * BROWSER_DOWN for one that is not there because Chrome is not.
   */
  find({ principal: { id } }: Caller, name: string): SessionTab {
    const { registry, participants } = this.deps;
    const sessionTab =
      name === 'active' ? this.sessionTab(participants.usedTab(id)) : this.#there(() => registry.find(name));
    participants.use(id, sessionTab.tab.id);
    return sessionTab;
  }

  sessionTab(preferred?: string): SessionTab {
    return this.#there(() => this.deps.registry.firstOf(preferred, this.#tab));
  }

  #there(look: () => SessionTab): SessionTab {
    try {
      return look();
    } catch (error) {
      throw this.deps.status.error() ?? error;
    }
  }

  /** It was acted on. */
  activate(tab: string): void {
    if (this.#tab === tab || !this.deps.registry.get(tab)) return;
    this.#set(tab);
    this.deps.changed();
  }

  /** A tab has its seat: the first is shown, and a new popup of the one that is. */
  seated({ tab: { id, opener } }: SessionTab): void {
    if (this.#tab === undefined) this.#set(id);
    if (opener !== undefined && opener === this.#tab && !this.deps.known.has(id)) this.activate(id);
  }

  gone(tab: string): void {
    if (this.#tab === tab) this.#set(this.deps.registry.all().at(-1)?.tab.id);
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
    this.deps.save({ tab: this.#tab, by: this.deps.participants.used });
  }
}
