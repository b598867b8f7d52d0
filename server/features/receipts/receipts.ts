import { cutActions, fittingActions, RECEIPT_LIMITS, type Receipt } from '@/lib/actions/receipt';
import { withBudget } from '@/lib/budget/budget';
import type { Holder } from '@/lib/control/lease';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Caller } from '@/server/session/caller';
import type { ActionCall } from '@/server/session/action/call';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import {
  ACTION_FILES,
  INPUT_RECORDER,
  RECEIPTS,
  type OutgoingReceipt,
  type WrittenReceipt,
} from '@/server/session/feature-slots';
import { Slot } from '@/server/session/slot';
import type { PageAddress } from '@/server/session/visibility';
import { actedOf } from './acted';
import { ReceiptOutbox } from './receipt-outbox';
import {
  changedCookies,
  cookieMarks,
  reportTakeover,
  tabsOf,
  type Takeover,
  TakeoverLog,
  type ReportedTakeover,
} from './takeover-log';

/** Longest time that a hand-back waits for the page's content. Milliseconds. */
const PAGE_CONTENT_MS = 600;
const MOST_DOWNLOADS = 20;

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

/** Writes the receipts that agents get when a person gives them the lease (CO5). */
class Receipts implements Hooks {
  /** Receipts that agents have not acknowledged yet. */
  readonly outbox: ReceiptOutbox;
  readonly #takeovers: TakeoverLog;

  constructor(private readonly kernel: SessionKernel) {
    const { init, leases, registry, services } = kernel;
    const { downloads } = ACTION_FILES.of(kernel);
    this.outbox = new ReceiptOutbox({ ...services, known: init.knownReceipts, ledger: init.ledger });
    const placeOf = (tab: string): PageAddress | undefined => kernel.visibility.placeFor(tab, undefined);
    this.#takeovers = new TakeoverLog({ leases, downloads, placeOf, sessionTabs: () => registry.all() });
    leases.onEffect.on((effect) => this.#takeovers.leaseMoved(effect));
    kernel.onPersonDid.on((participant, done) => {
      if (done) this.#takeovers.did(participant, done);
      else this.#takeovers.missed(participant);
    });
  }

  /** The agent sent another action, so it has received the earlier replies. */
  asked({ principal }: Caller, action: Action): void {
    this.outbox.heard(principal.id, action.id);
  }

  /** Records a person's action for the receipt. */
  afterAction(call: ActionCall, reply: Reply, silent: boolean): void {
    const { id, kind } = call.caller.principal;
    const done = kind !== 'agent' && !silent ? actedOf(call, reply) : undefined;
    if (done) this.#takeovers.did(id, done);
  }

  /**
   * Adds the receipt to the agent's first reply after it got the lease back, but not to a refusal because a person
   * drives. The same action sent again gets the same receipt (F7).
   */
  onReply({ principal }: Caller, action: Action, reply: Reply): Reply {
    if (reply.error?.code === 'CONTROL_HELD' || reply.error?.code === 'CONTROL_LOST') return reply;
    const handoff = this.outbox.tell(principal.id, action.id);
    return handoff ? { ...reply, handoff } : reply;
  }

  named(): string[] {
    return this.outbox.waiting;
  }

  participantGone(participant: string): void {
    this.outbox.close(participant);
  }

  ended(): void {
    this.outbox.end();
  }

  put(participant: string, receipt: Receipt): OutgoingReceipt {
    return this.outbox.put(participant, receipt);
  }

  closed(participant: string): boolean {
    return this.outbox.closed(participant);
  }

  /** Writes a receipt within `PAGE_CONTENT_MS`; it says what could not be read in that time. Never rejects. */
  async write({ principal }: Caller, tab: string, to: Holder, note: string | undefined): Promise<WrittenReceipt> {
    const takeovers = this.#takeovers;
    const takeover = takeovers.of(principal.id, to.id);
    const [page, cookies] = await Promise.all([
      this.#page(tab, to.id),
      this.#cookies(tab, takeover),
      INPUT_RECORDER.of(this.kernel).finish(principal.id),
    ]);
    const read = reportTakeover(takeover);
    const receipt = this.#receipt(principal.name, tab, to, note, { read, page, cookies });
    return { receipt, given: () => takeovers.delivered(principal.id, to.id, tab, read) };
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
    // Actions made from raw input are recorded later than actions that came after them, so sort by time.
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
      url: this.kernel.visibility.placeFor(tab, undefined)?.url ?? this.kernel.registry.get(tab)?.tab.url ?? '',
      tabs: this.#tabs(),
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
    const now = this.#tabs();
    const urlBefore = takeover.tabs.find(({ id }) => id === tab)?.url;
    const ids = [...takeover.tabs, ...now].map(({ id }) => id);
    return {
      ...(urlBefore !== undefined && { urlBefore }),
      tabsOpened: now.filter(({ id }) => !takeover.tabs.some((before) => before.id === id)),
      tabsClosed: takeover.tabs.filter(({ id }) => !now.some((other) => other.id === id)),
      downloads: ACTION_FILES.of(this.kernel)
        .downloads.since(takeover.downloads, ids)
        .slice(-MOST_DOWNLOADS)
        .map(({ view: { name, state } }) => ({ name, state })),
    };
  }

  #tabs(): Receipt['tabs'] {
    return tabsOf(this.kernel.registry.all(), (tab) => this.kernel.visibility.placeFor(tab, undefined));
  }

  async #page(tab: string, reader: string): Promise<PageNews> {
    const sessionTab = this.kernel.registry.get(tab);
    if (sessionTab?.tab.health.state !== 'ready' && sessionTab?.tab.health.state !== 'loading')
      return { page: { tab, why: sessionTab?.tab.health.reason ?? 'The tab is closed.' } };
    const visibilityEpoch = this.kernel.visibility.visibilityEpoch(tab);
    if (visibilityEpoch === undefined) return held(tab);
    try {
      const seen = await this.#within((budget) => sessionTab.tab.snapshots.changesFor(budget, reader));
      if (this.kernel.visibility.visibilityEpoch(tab) !== visibilityEpoch) return held(tab);
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
        budget.race(Promise.all([takeover.cookies, cookieMarks(this.kernel.registry.get(tab))])),
      );
      return before && now && changedCookies(before, now);
    } catch {
      return undefined;
    }
  }

  #within<T>(work: Parameters<typeof withBudget<T>>[1]): Promise<T> {
    return withBudget({ timeoutMs: PAGE_CONTENT_MS, clock: this.kernel.services.clock }, work);
  }
}

/** A session's receipts that agents have not acknowledged yet. */
export const RECEIPT_OUTBOX = new Slot<ReceiptOutbox>('receipt outbox');

export const receipts: Feature = {
  name: 'receipts',
  start: (kernel) => {
    const made = new Receipts(kernel);
    RECEIPTS.fill(kernel, made);
    RECEIPT_OUTBOX.fill(kernel, made.outbox);
    return made;
  },
  forget: async (ledger) => ledger.forgetReceipts(),
};
