import { cutActions, fittingActions, RECEIPT_LIMITS, type Receipt } from '@/lib/actions/receipt';
import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { Downloads } from '@/server/browser/files/downloads';
import type { Caller } from '../caller';
import type { SessionTab } from '../session-tab';
import type { InputLog } from './input-log';
import {
  changedCookies,
  cookieMarks,
  reportTakeover,
  tabsOf,
  type PageAddressOf,
  type Takeover,
  type TakeoverLog,
  type ReportedTakeover,
} from './takeover-log';

/** A hand-back waits so long at most for what the page has to tell. Milliseconds. */
const PATIENCE_MS = 600;
const MOST_DOWNLOADS = 20;

export interface ReceiptsDeps {
  readonly clock: Clock;
  readonly log: InputLog;
  readonly takeovers: TakeoverLog;
  readonly downloads: Downloads;
  placeOf: PageAddressOf;
  /** Grows with every private hold of the tab; undefined while it may not be read (CO8). */
  visibilityEpoch(tab: string): number | undefined;
  sessionTab(tab: string): SessionTab | undefined;
  sessionTabs(): SessionTab[];
}

/** What the agent is told, and what to call when it is: the next time it is told what came after. */
export interface WrittenReceipt {
  readonly receipt: Receipt;
  given(): void;
}

interface PageNews {
  readonly page: NonNullable<Receipt['page']>;
  readonly refs?: Receipt['refs'];
  readonly cut?: string;
}

interface ReceiptFacts {
  readonly read: ReportedTakeover;
  readonly page: PageNews;
  readonly cookies: Receipt['cookies'];
}

const held = (tab: string): PageNews => ({
  page: { tab, why: 'The page was just being held privately. Take a new snapshot.' },
});

/** Writes what an agent is told when a person gives it the wheel (CO5). */
export class Receipts {
  constructor(private readonly deps: ReceiptsDeps) {}

  /** Takes `PATIENCE_MS` at most; what could not be read by then is said to be missing. Never rejects. */
  async write({ principal }: Caller, tab: string, to: Holder, note: string | undefined): Promise<WrittenReceipt> {
    const { log, takeovers } = this.deps;
    const takeover = takeovers.of(principal.id, to.id);
    const [page, cookies] = await Promise.all([
      this.#page(tab, to.id),
      this.#cookies(tab, takeover),
      log.finish(principal.id),
    ]);
    const read = reportTakeover(takeover);
    const receipt = this.#receipt(principal.name, tab, to, note, { read, page, cookies });
    return { receipt, given: () => takeovers.told(principal.id, to.id, tab, read) };
  }

  #receipt(
    by: string,
    tab: string,
    to: Holder,
    note: string | undefined,
    { read, page, cookies }: ReceiptFacts,
  ): Receipt {
    const { takeover } = read;
    const now = new Date().toISOString();
    // Raw input is known a little later than an action that came after it.
    const { actions, left } = fittingActions(read.actions.toSorted((a, b) => a.at.localeCompare(b.at)));
    const more = left + read.more;
    const cut = [
      ...(takeover?.resumed ? ['what was done before the server was started again'] : []),
      ...(more > 0 ? [cutActions(more)] : []),
      ...(cookies ? [] : ['names of changed cookies: Chrome did not tell them in time']),
      ...(page.cut === undefined ? [] : [page.cut]),
    ];
    return {
      by,
      ...(note !== undefined && note !== '' && { note }),
      takenAt: takeover?.takenAt ?? now,
      returnedAt: now,
      url: this.deps.placeOf(tab)?.url ?? this.deps.sessionTab(tab)?.tab.url ?? '',
      tabs: tabsOf(this.deps.sessionTabs(), this.deps.placeOf),
      to: to.name,
      ...this.#moved(tab, takeover),
      actions,
      ...(cookies && { cookies }),
      page: page.page,
      ...(page.refs && { refs: page.refs }),
      ...(cut.length > 0 && { cut }),
    };
  }

  #moved(tab: string, takeover: Takeover | undefined): Partial<Receipt> {
    if (!takeover) return {};
    const now = tabsOf(this.deps.sessionTabs(), this.deps.placeOf);
    const urlBefore = takeover.tabs.find(({ id }) => id === tab)?.url;
    const ids = [...takeover.tabs, ...now].map(({ id }) => id);
    return {
      ...(urlBefore !== undefined && { urlBefore }),
      tabsOpened: now.filter(({ id }) => !takeover.tabs.some((before) => before.id === id)),
      tabsClosed: takeover.tabs.filter(({ id }) => !now.some((other) => other.id === id)),
      downloads: this.deps.downloads
        .since(takeover.downloads, ids)
        .slice(-MOST_DOWNLOADS)
        .map(({ view: { name, state } }) => ({ name, state })),
    };
  }

  async #page(tab: string, reader: string): Promise<PageNews> {
    const sessionTab = this.deps.sessionTab(tab);
    if (sessionTab?.tab.health.state !== 'ready' && sessionTab?.tab.health.state !== 'loading')
      return { page: { tab, why: sessionTab?.tab.health.reason ?? 'The tab is closed.' } };
    const visibilityEpoch = this.deps.visibilityEpoch(tab);
    if (visibilityEpoch === undefined) return held(tab);
    try {
      const seen = await this.#within((budget) => sessionTab.tab.snapshots.changesFor(budget, reader));
      if (this.deps.visibilityEpoch(tab) !== visibilityEpoch) return held(tab);
      if (!seen) return { page: { tab, why: 'You have taken no snapshot of this tab before.' } };
      const { revision, delta, text } = seen.view;
      const base = { tab, since: delta?.since, revision };
      const refs = { tab, ...seen.refs };
      if (delta?.whole !== undefined) return { page: { ...base, why: `${delta.whole} Take a new snapshot.` }, refs };
      if (text.length <= RECEIPT_LIMITS.page) return { page: { ...base, text }, refs };
      return {
        page: { ...base, text: text.slice(0, RECEIPT_LIMITS.page) },
        refs,
        cut: `${text.length - RECEIPT_LIMITS.page} characters of what changed on the page`,
      };
    } catch {
      return { page: { tab, why: 'The page did not answer in time. Take a new snapshot.' } };
    }
  }

  async #cookies(tab: string, takeover: Takeover | undefined): Promise<Receipt['cookies']> {
    if (!takeover) return undefined;
    try {
      const [before, now] = await this.#within((budget) =>
        budget.race(Promise.all([takeover.cookies, cookieMarks(this.deps.sessionTab(tab))])),
      );
      return before && now && changedCookies(before, now);
    } catch {
      return undefined;
    }
  }

  #within<T>(work: Parameters<typeof withBudget<T>>[1]): Promise<T> {
    return withBudget({ timeoutMs: PATIENCE_MS, clock: this.deps.clock }, work);
  }
}
