import { WheelhouseError } from '@/lib/errors/error';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { maskAddresses } from '@/lib/text/mask';
import type { SavedTab } from '@/lib/state/saved';
import { quotaError } from '@/server/access/quota';
import type { TabApi, TabSummary } from '@/server/actions/context';
import { CdpError } from '@/server/cdp/protocol';
import type { ActiveTab } from './active-tab';
import type { SessionCore } from './core';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';

/** Addresses that are opened again; others, such as Chrome's own pages, are left (GU1). */
const WEB = /^https?:/i;
/** A page that is opened again is waited for so long; it goes on loading by itself. Milliseconds. */
const ARRIVE_MS = 3_000;
/** An empty page may take so long to be there. Milliseconds. */
const EMPTY_MS = 10_000;
/** Between Chrome's promise to close a page and its end. Milliseconds. */
const CLOSE_MS = 1_000;

/** Gives whoever acts the wheel of a tab. */
type Claim = (tab: string) => Promise<unknown>;

/** Opening, closing and naming tabs of one session; what the `tab` action and the tab routes share. */
export class SessionTabs {
  /** An empty tab that was made for an action that opens one. */
  #spare: string | undefined;
  #opening = 0;
  readonly #closing = new Set<string>();
  /** An empty page is on its way into the only tab. */
  #emptying: Promise<boolean> | undefined;

  constructor(
    private readonly core: SessionCore,
    private readonly registry: TabRegistry,
    private readonly active: ActiveTab,
  ) {}

  /**
   * In a session without tabs an action that opens one has none to be sent to: it gets the new one. Throws as `open`.
   */
  async openFirst(budget: Budget): Promise<SessionTab> {
    const sessionTab = await this.open(budget, undefined);
    this.#spare = sessionTab.tab.id;
    return sessionTab;
  }

  /**
   * Opens an empty tab, its sentinel attached before anything is loaded. Throws QUOTA.
   *
   * @param context The number of the session's context
   */
  async open(budget: Budget, label: string | undefined, context = 0): Promise<SessionTab> {
    if (label !== undefined) this.#checkLabel(label);
    const sessionTab = await this.#openPage(budget, context);
    // Before anything is waited for: the label may be asked for by another at the same moment.
    if (label !== undefined) await this.#labelOrClose(budget, sessionTab, label);
    await budget.race(sessionTab.tab.ready);
    this.active.activate(sessionTab.tab.id);
    return sessionTab;
  }

  /** One that is being opened counts as open. */
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

  /** A page that cannot be attached is not left behind. Throws BROWSER_DOWN. */
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

  /** Whether it is being closed because somebody wants it. */
  closes(tab: string): boolean {
    return this.#closing.has(tab);
  }

  /**
   * Returns when the tab is gone, or when Chrome takes longer than `CLOSE_MS` after having agreed: the page may ask
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
   * Whether the page of this tab is the last one of a session that goes on: then an empty one takes its place. Not in
   * the own context of an attached Chrome, whose owner may close what is theirs.
   */
  isLast({ tab }: SessionTab): boolean {
    return this.registry.size === 1 && (this.core.init.contextRef.isolation !== 'default' || this.closes(tab.id));
  }

  /** The page of the only tab is gone: the tab goes on with an empty one. False when Chrome does not give it one. */
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

  /** Settles when the only tab has a page again. */
  async emptied(budget: Budget): Promise<void> {
    if (this.#emptying) await budget.race(this.#emptying);
  }

  /** Opens the tab anew at its address, in a page of its own; id, label, wheel and viewers stay with it (SE2). */
  async reopen(budget: Budget, { tab }: SessionTab, url = tab.url): Promise<SessionTab> {
    const { id, label } = tab;
    const context = this.core.init.contextRef.numberOf(tab.contextId);
    return this.#openAgain(budget, { id, label, url, lastRef: tab.refs.lastNumber, context });
  }

  /** Opens these tabs anew, in their order; one empty tab when there is none (BR5). */
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

  /** Throws CONFLICT when another tab has that label. */
  label(sessionTab: SessionTab, label: string): void {
    this.#checkLabel(label, sessionTab);
    sessionTab.tab.label = label;
    void this.core.init.ledger.changeTab(sessionTab.tab.id, { label });
    this.core.changed();
  }

  /** A tab that cannot have the label it was asked for is not left behind. */
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

  /** As it is called to this participant. */
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
   * What one action on `origin` may do to the tabs; `use` makes a tab the actor's own active one, `claim` gives it the
   * wheel of one it opened.
   */
  deskFor(origin: SessionTab, by: string, use: (tab: string) => void, claim: Claim): TabApi {
    const { registry } = this;
    const before = new Set(registry.all().map(({ tab }) => tab.id));
    const made = new Set<string>();
    return {
      list: () => registry.all().map((sessionTab) => this.summary(sessionTab, by)),
      open: async (budget, label) => {
        const { tab } = this.#takeSpare(origin, label) ?? (await this.open(budget, label));
        made.add(tab.id);
        await claim(tab.id);
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
        ...registry
          .all()
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

/** Begins to load `url` and waits a little for it to be there. A slow or dead address is left to itself. */
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
