import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Lease, LeaseMap } from '@/lib/control/lease';
import { privateHoldOf, driven, ownerOf } from '@/lib/control/rules';
import { messageOf } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Mask } from '@/lib/state/masks';
import { maskAddresses } from '@/lib/text/mask';
import type { EarlierResult, IntentResult } from '@/server/store/journal';
import type { PictureRecord } from '@/server/store/pictures';
import type { SessionChange } from '@/server/store/sessions';
import type { HelpRequestRecord } from '@/server/store/help-requests';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { LeaseRecord } from '@/server/store/leases';
import type { Changes, Store } from '@/server/store/store';
import type { NewTimelineEvent, TimelineQuery } from '@/server/store/timeline';
import { KnownSecrets } from '@/server/browser/known-secrets';
import type { Logger } from '@/server/telemetry/logger';

export type { EarlierResult, IntentResult, NewTimelineEvent, TimelineQuery };

/** Names one action of one participant, for the result table (CO10). */
export interface ActionKey {
  readonly participant: string;
  readonly action: string;
  /** SHA-256 of the action as sent: the same id with another action is refused. */
  readonly fingerprint: string;
}

/** What one decision changes: stored together, or not at all. */
export interface LedgerChanges extends Omit<Changes, 'leases'> {
  readonly leases?: LeaseMap;
}

/**
 * What one session keeps of itself: the store with workspace and session already bound, so that no call can name
 * another's (T6). No known secret gets into it (T14). What is written is written one after the other, in the order of
 * the calls, whatever turn the store takes; it counts when its promise has settled.
 */
export class SessionLedger {
  /** Settles when what was written last is stored, or could not be. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Store,
    readonly workspace: string,
    readonly session: string,
    private readonly logger: Logger,
    readonly secrets = new KnownSecrets(),
  ) {}

  append(event: NewTimelineEvent): Promise<TimelineEvent> {
    const row = this.secrets.shown(event);
    return this.#inTurn(() => this.store.timeline.append(this.workspace, this.session, row));
  }

  /** What became of this action, if it was asked for before. */
  recall(key: ActionKey): Promise<EarlierResult | undefined> {
    return this.store.journal.recall(this.#key(key), key.fingerprint);
  }

  /** Intent row and result row in one commit, before the effect (quality.md section 1). */
  intend(key: ActionKey, event: NewTimelineEvent): Promise<IntentResult> {
    const row = this.secrets.shown(event);
    return this.#inTurn(() => this.store.journal.recordIntent(this.#key(key), key.fingerprint, row));
  }

  conclude(key: ActionKey, reply: Reply, event: NewTimelineEvent): Promise<TimelineEvent> {
    const [shown, row] = [this.secrets.shown(reply), this.secrets.shown(event)];
    return this.#inTurn(() => this.store.journal.recordOutcome(this.#key(key), shown, row));
  }

  /** Writes all of one decision or nothing of it; gives its rows with their places. */
  commit({ leases = new Map(), helpRequests = [], ...rest }: LedgerChanges): Promise<TimelineEvent[]> {
    const changes = this.secrets.shown({ helpRequests, ...rest });
    const records = [...leases].map(([tab, lease]) => this.#leaseRecord(tab, lease));
    return this.#inTurn(() => this.store.commit(this, { leases: records, ...changes }));
  }

  events(query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.store.timeline.list(this.workspace, this.session, query);
  }

  pictures(): Promise<PictureRecord[]> {
    return this.store.pictures.list(this.workspace, this.session);
  }

  picture(eventId: string): Promise<PictureRecord | undefined> {
    return this.store.pictures.find(this.workspace, this.session, eventId);
  }

  addPicture(picture: PictureRecord): Promise<void> {
    return this.#inTurn(() => this.store.pictures.add(this.workspace, this.session, picture));
  }

  removePicturesUpTo(seq: number): Promise<void> {
    return this.#inTurn(() => this.store.pictures.removeUpTo(this.workspace, this.session, seq));
  }

  exportLines(): AsyncGenerator<string, void> {
    return this.store.exportTimeline(this.workspace, this.session);
  }

  search(budget: Budget, query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.store.timeline.search(budget, this.workspace, this.session, query);
  }

  questions(): Promise<HelpRequestRecord[]> {
    return this.store.questions.list(this);
  }

  saveReceipt(record: ReceiptRecord): Promise<void> {
    const shown = this.secrets.shown(record);
    return this.#inTurn(() => this.store.receipts.save(this, shown));
  }

  /** Left out: all of the session. */
  forgetReceipts(participant?: string): Promise<void> {
    return this.#inTurn(() => this.store.receipts.remove(this, participant));
  }

  receipts(): Promise<ReceiptRecord[]> {
    return this.store.receipts.list(this);
  }

  addTab(tab: { id: string; targetId: string; opener: string | undefined; url: string }): Promise<void> {
    const openedAt = new Date().toISOString();
    const row = {
      ...tab,
      url: this.#address(tab.url),
      workspace: this.workspace,
      session: this.session,
      opener: tab.opener ?? null,
      label: null,
      lastRef: 0,
      openedAt,
      closedAt: null,
    };
    return this.#describe(() => this.store.tabs.add(row));
  }

  changeTab(
    id: string,
    change: { url?: string; label?: string; lastRef?: number; targetId?: string; closedAt?: string | null },
  ): Promise<void> {
    const columns = change.url === undefined ? change : { ...change, url: this.#address(change.url) };
    return this.#describe(() => this.store.tabs.update(this.workspace, this.session, id, columns));
  }

  saveMasks(tab: string, masks: readonly Mask[]): Promise<void> {
    return this.#inTurn(() => this.store.tabs.saveMasks(this.workspace, this.session, tab, masks));
  }

  changeSession(change: SessionChange): Promise<void> {
    return this.#describe(() => this.store.sessions.update(this.workspace, this.session, change));
  }

  #address(url: string): string {
    return maskAddresses(this.secrets.redactor.address(url));
  }

  #leaseRecord(tab: string, lease: Lease): LeaseRecord {
    const takenFrom = (lease.state === 'draining' ? lease.back : driven(lease)?.takenFrom) ?? null;
    const { epoch, reason } = lease;
    const cover = privateHoldOf(lease);
    return {
      workspace: this.workspace,
      session: this.session,
      tab,
      epoch,
      // Half changed hands: after a restart it still is with the one who kept it private.
      holder: cover?.by ?? ownerOf(lease) ?? null,
      takenFrom,
      reason,
      cover: cover ? { reason: cover.reason, until: cover.until } : null,
    };
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Rows that describe, rather than decide: nobody has to wait for them, and a failure is logged. */
  #describe(write: () => Promise<void>): Promise<void> {
    const written = this.#inTurn(write);
    written.catch((error: unknown) => this.failed(error, 'a row of the session was not saved'));
    return written;
  }

  /** Tells of a write that nobody waits for. */
  failed(error: unknown, what: string): void {
    this.logger.error({ error: messageOf(error), session: this.session }, what);
  }

  #key(key: ActionKey): { workspace: string; session: string; participant: string; action: string } {
    return { workspace: this.workspace, session: this.session, participant: key.participant, action: key.action };
  }
}
