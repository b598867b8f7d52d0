import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Comment } from '@/lib/comments/comment';
import type { Lease, LeaseMap } from '@/lib/control/lease';
import { privateHoldOf, driven, ownerOf } from '@/lib/control/rules';
import { messageOf } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Mask } from '@/lib/state/masks';
import { maskAddresses } from '@/lib/text/mask';
import type { ForgottenDeliveries } from '@/server/store/comments';
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

/** Changes of one decision, stored in one commit. */
export interface LedgerChanges extends Omit<Changes, 'leases'> {
  readonly leases?: LeaseMap;
}

/**
 * The stored data of one session: the store with workspace and session bound, so that no call can name another's (T6).
 * Known secrets are masked before writing (T14). Writes run one after another in call order and are in force once their
 * promise has settled.
 */
export class SessionLedger {
  /** Settles when the last write is stored or has failed. */
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

  /** The earlier result of this action, if it was requested before. */
  recall(key: ActionKey): Promise<EarlierResult | undefined> {
    return this.store.journal.recall(this.#key(key), key.fingerprint);
  }

  /** Writes the intent row and the result row in one commit, before the action takes effect. */
  intend(key: ActionKey, event: NewTimelineEvent): Promise<IntentResult> {
    const row = this.secrets.shown(event);
    return this.#inTurn(() => this.store.journal.recordIntent(this.#key(key), key.fingerprint, row));
  }

  conclude(key: ActionKey, reply: Reply, event: NewTimelineEvent): Promise<TimelineEvent> {
    const [shown, row] = [this.secrets.shown(reply), this.secrets.shown(event)];
    return this.#inTurn(() => this.store.journal.recordOutcome(this.#key(key), shown, row));
  }

  /** Writes the outcome row of an action that was not carried out, and removes its result row, in one commit. */
  withdraw(key: ActionKey, event: NewTimelineEvent): Promise<TimelineEvent> {
    const row = this.secrets.shown(event);
    return this.#inTurn(() => this.store.journal.withdraw(this.#key(key), row));
  }

  /** Writes the changes of one decision in one commit; returns its timeline rows with their sequence numbers. */
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

  comments(): Promise<Comment[]> {
    return this.store.comments.list(this);
  }

  /** Stores comments, or their present states, and removes others. */
  saveComments(comments: readonly Comment[], removed: readonly string[] = []): Promise<void> {
    const shown = this.secrets.shown(comments);
    return this.#inTurn(() => this.store.comments.save(this, shown, removed));
  }

  /** By agent, the ids of the comments that it has got. */
  deliveredComments(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    return this.store.comments.delivered(this);
  }

  commentsDelivered(agent: string, comments: readonly string[]): Promise<void> {
    return this.#describe(() => this.store.comments.deliver(this, agent, comments));
  }

  /** Forgets what one agent has got, or who has got these comments. */
  forgetDeliveries(which: ForgottenDeliveries): Promise<void> {
    return this.#describe(() => this.store.comments.forget(this, which));
  }

  saveReceipt(record: ReceiptRecord): Promise<void> {
    const shown = this.secrets.shown(record);
    return this.#inTurn(() => this.store.receipts.save(this, shown));
  }

  /** Removes receipts of this participant; of all in the session without one. */
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
    const privateHold = privateHoldOf(lease);
    return {
      workspace: this.workspace,
      session: this.session,
      tab,
      epoch,
      // During a handover: after a restart the participant with the private hold keeps the lease.
      holder: privateHold?.by ?? ownerOf(lease) ?? null,
      takenFrom,
      reason,
      privateHold: privateHold ? { reason: privateHold.reason, until: privateHold.until } : null,
    };
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Writes a row that callers need not wait for; logs a failure. */
  #describe(write: () => Promise<void>): Promise<void> {
    const written = this.#inTurn(write);
    written.catch((error: unknown) => this.failed(error, 'a row of the session was not saved'));
    return written;
  }

  /** Logs a failed write that no caller waits for. */
  failed(error: unknown, what: string): void {
    this.logger.error({ error: messageOf(error), session: this.session }, what);
  }

  #key(key: ActionKey): { workspace: string; session: string; participant: string; action: string } {
    return { workspace: this.workspace, session: this.session, participant: key.participant, action: key.action };
  }
}
