import { WheelhouseError } from '@/lib/errors/error';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { maskAddresses } from '@/lib/text/mask';
import type { SavedTab } from '@/lib/state/saved';
import { sightOf, type Principal } from '@/server/access/principal';
import { quotaError } from '@/server/access/quota';
import type { TabApi, TabSummary } from '@/server/actions/context';
import { CdpError } from '@/server/cdp/protocol';
import type { ActiveTab } from './active-tab';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';

/** Addresses that may be opened again; others, such as Chrome's own pages, are skipped (GU1). */
const WEB = /^https?:/i;
/** How long to wait for a reopened page to commit; it continues loading afterwards. Milliseconds. */
const ARRIVE_MS = 3_000;
/** How long opening an empty page may take. Milliseconds. */
const EMPTY_MS = 10_000;
/** How long to wait for a page's end after Chrome agreed to close it. Milliseconds. */
const CLOSE_MS = 1_000;

/** Takes a tab's lease for the actor. */
type TakeFree = (tab: string) => Promise<unknown>;

/** Opens, closes and labels the tabs of one session, for the `tab` action and the tab routes. */
export class SessionTabs {
  /** Id of the empty tab made for an action that opens one. */
  #spare: string | undefined;
  #opening = 0;
  readonly #closing = new Set<string>();
  /** Pending while the only tab gets an empty page. */
  #emptying: Promise<boolean> | undefined;

  constructor(
    private readonly core: SessionCore,
    private readonly registry: TabRegistry,
    private readonly active: ActiveTab,
  ) {}

  /** In a session without tabs, opens the tab that an opening action is sent to and then returns. Throws as `open`. */
  async openFirst(budget: Budget): Promise<SessionTab> {
    const sessionTab = await this.open(budget, undefined);
    this.#spare = sessionTab.tab.id;
    return sessionTab;
  }

  /**
   * Opens an empty tab; its sentinel attaches before the page loads anything. Throws QUOTA.
   *
   * @param context The number of the session's context
   */
  async open(budget: Budget, label: string | undefined, context = 0): Promise<SessionTab> {
    if (label !== undefined) this.#checkLabel(label);
    const sessionTab = await this.#openPage(budget, context);
    // Before any wait: another caller may ask for the same label at the same moment.
    if (label !== undefined) await this.#labelOrClose(budget, sessionTab, label);
    await budget.race(sessionTab.tab.ready);
    this.active.activate(sessionTab.tab.id);
    return sessionTab;
  }

  /** Opens a page; tabs being opened count towards the limit. Throws QUOTA. */
  async #openPage(budget: Budget, context: number): Promise<SessionTab> {
    const { registry } = this;
    const {
      init: { contextRef },
      services: { quotas, limits },
    } = this.core;
    const most = limits.caps.tabs;
    if (registry.size + this.#opening >= most) throw quotaError('tabs', registry.size, most);
    quotas.tab();
    this.#opening += 1;
    try {
      await quotas.memory(budget, contextRef.browser);
      return await this.#attached(budget, await contextRef.browser.openPage(budget, contextRef.at(context)));
    } finally {
      this.#opening -= 1;
    }
  }

  /** Waits until the page is attached; closes it when that fails. Throws BROWSER_DOWN. */
  async #attached(budget: Budget, targetId: string): Promise<SessionTab> {
    const { contextRef } = this.core.init;
    try {
      return await this.registry.whenAdded(budget, targetId);
    } catch (error) {
      void contextRef.browser.dropPage(targetId);
      if (!(error instanceof CdpError)) throw error;
      throw new WheelhouseError('BROWSER_DOWN', `Chrome refuses its new tab: ${error.detail}`, {
        hint: 'Use another Chrome, or let this endpoint allow Target.attachToTarget.',
        details: { method: error.method },
        cause: error,
      });
    }
  }

  /** Whether `close` is closing this tab. */
  closes(tab: string): boolean {
    return this.#closing.has(tab);
  }

  /**
   * Closes a tab. Returns when it is gone, or `CLOSE_MS` after Chrome agreed: the page may show a dialog that asks
   * whether to leave.
   */
  async close(budget: Budget, { tab }: SessionTab): Promise<void> {
    const gone = tab.onChange.next(() => tab.health.state === 'closed' || undefined);
    this.#closing.add(tab.id);
    try {
      await this.core.init.contextRef.browser.closePage(budget, tab.targetId);
      await waitALittle(budget, gone.promise);
      await this.emptied(budget);
    } finally {
      gone.stop();
      this.#closing.delete(tab.id);
    }
  }

  /**
   * Whether this tab is the session's last one and must get an empty page. Not in the default context of an attached
   * Chrome, whose owner may close their own tabs, unless `close` closes it.
   */
  isLast({ tab }: SessionTab): boolean {
    return this.registry.size === 1 && (this.core.init.contextRef.isolation !== 'default' || this.closes(tab.id));
  }

  /** Gives the only tab an empty page after its page closed. Returns false when Chrome cannot open one. */
  emptyLast({ tab: { id, label, refs, contextId } }: SessionTab): Promise<boolean> {
    const context = this.core.init.contextRef.numberOf(contextId);
    const empty = { id, label, url: '', lastRef: refs.lastNumber, context };
    const emptying = withBudget({ timeoutMs: EMPTY_MS, clock: this.core.services.clock }, (budget) =>
      this.#openAgain(budget, empty),
    ).then(
      () => true,
      () => false,
    );
    this.#emptying = emptying.finally(() => (this.#emptying = undefined));
    return emptying;
  }

  /** Waits until the only tab has a page again, or could not get one. */
  async emptied(budget: Budget): Promise<void> {
    if (this.#emptying) await budget.race(this.#emptying);
  }

  /** Reopens the tab at its address in a new page; id, label, lease and viewers stay (SE2). */
  async reopen(budget: Budget, { tab }: SessionTab, url = tab.url): Promise<SessionTab> {
    const { id, label } = tab;
    const context = this.core.init.contextRef.numberOf(tab.contextId);
    return this.#openAgain(budget, { id, label, url, lastRef: tab.refs.lastNumber, context });
  }

  /** Reopens these tabs; opens one empty tab when there are none (BR5). */
  async openAgain(budget: Budget, tabs: readonly SavedTab[]): Promise<void> {
    await Promise.all(tabs.map((tab) => this.#openAgain(budget, tab)));
    if (tabs.length === 0) await this.open(budget, undefined);
  }

  async #openAgain(budget: Budget, { id, label, url, lastRef, context = 0 }: SavedTab): Promise<SessionTab> {
    const { registry } = this;
    const { contextRef } = this.core.init;
    const targetId = await registry.reopen({ id, label, lastRef }, () =>
      contextRef.browser.openPage(budget, contextRef.at(context)),
    );
    const sessionTab = await this.#attached(budget, targetId);
    await budget.race(sessionTab.tab.ready);
    if (WEB.test(url)) await arriveAt(budget, sessionTab, url);
    return sessionTab;
  }

  /** Labels a tab. Throws CONFLICT when another tab has that label. */
  label(sessionTab: SessionTab, label: string): void {
    this.#checkLabel(label, sessionTab);
    sessionTab.tab.label = label;
    void this.core.init.ledger.changeTab(sessionTab.tab.id, { label });
    this.core.changed();
  }

  /** Labels a new tab; closes it when the label is taken. */
  async #labelOrClose(budget: Budget, sessionTab: SessionTab, label: string): Promise<void> {
    try {
      this.label(sessionTab, label);
    } catch (error) {
      await this.close(budget, sessionTab);
      throw error;
    }
  }

  #checkLabel(label: string, sessionTab?: SessionTab): void {
    const other = this.registry.all().find((one) => one.tab.label === label && one !== sessionTab);
    if (other) throw new WheelhouseError('CONFLICT', `Tab ${other.tab.id} has the label "${label}" already.`);
  }

  #takeSpare(origin: SessionTab, label: string | undefined): SessionTab | undefined {
    if (this.#spare !== origin.tab.id) return undefined;
    this.#spare = undefined;
    if (label !== undefined) this.label(origin, label);
    return origin;
  }

  /** The tab as this participant may see it. */
  summary({ tab }: SessionTab, by?: string): TabSummary {
    const { url, title } = this.core.visibility.placeFor(tab.id, by) ?? tab;
    return {
      id: tab.id,
      label: tab.label,
      url: maskAddresses(url),
      title: maskAddresses(title),
      active: tab.id === this.active.id,
    };
  }

  /**
   * The tab functions for one action of `actor` on `origin`. `use` makes a tab the actor's active one, `takeFree` gives
   * the actor the lease of a tab they opened. Who sees one tab by a share link is told of no other (AU4).
   */
  tabApiFor(origin: SessionTab, actor: Principal, use: (tab: string) => void, takeFree: TakeFree): TabApi {
    const { registry } = this;
    const by = actor.id;
    const only = sightOf(actor)?.tab;
    const shown = (): SessionTab[] => registry.all().filter(({ tab }) => only === undefined || tab.id === only);
    const before = new Set(registry.all().map(({ tab }) => tab.id));
    const made = new Set<string>();
    return {
      list: () => shown().map((sessionTab) => this.summary(sessionTab, by)),
      open: async (budget, label) => {
        const { tab } = this.#takeSpare(origin, label) ?? (await this.open(budget, label));
        made.add(tab.id);
        await takeFree(tab.id);
        use(tab.id);
        return tab;
      },
      summary: (id) => this.summary(registry.find(id), by),
      focus: (id) => {
        const sessionTab = registry.find(id);
        use(sessionTab.tab.id);
        this.active.activate(sessionTab.tab.id);
        return this.summary(sessionTab, by);
      },
      close: (budget, id) => this.close(budget, registry.find(id)),
      label: (id, label) => {
        const sessionTab = registry.find(id);
        this.label(sessionTab, label);
        return this.summary(sessionTab, by);
      },
      restart: async (budget) => this.summary(await this.reopen(budget, origin), by),
      openedSince: () => [
        ...made,
        ...shown()
          .filter(({ tab }) => !before.has(tab.id) && !made.has(tab.id) && tab.opener === origin.tab.id)
          .map(({ tab }) => tab.id),
      ],
    };
  }
}

async function waitALittle(budget: Budget, gone: Promise<true>): Promise<void> {
  try {
    await budget.within(CLOSE_MS, (inner) => inner.during('the tab to be gone', () => gone));
  } catch (error) {
    if (budget.over) throw error;
  }
}

/** Starts loading `url` and waits up to `ARRIVE_MS` for it to commit. A slow or dead address is not an error. */
async function arriveAt(budget: Budget, { tab }: SessionTab, url: string): Promise<void> {
  try {
    await budget.within(ARRIVE_MS, async (inner) => {
      const answer = await inner.race(tab.sessions.commands.sendMayFail('Page.navigate', { url }));
      if (answer?.loaderId !== undefined && answer.errorText === undefined)
        await tab.page.waitFor(inner, 'commit', answer.loaderId);
    });
  } catch (error) {
    if (budget.over) throw error;
  }
}
