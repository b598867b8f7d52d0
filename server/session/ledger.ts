import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Lease } from '@/lib/control/lease';
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
import type { Store } from '@/server/store/store';
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

/**
 * What one session keeps of itself: the store with workspace and session already bound, so that no call can name
 * another's (T6). No known secret gets into it (T14).
 */
export class SessionLedger {
  constructor(
    private readonly store: Store,
    readonly workspace: string,
    readonly session: string,
    private readonly logger: Logger,
    readonly secrets = new KnownSecrets(),
  ) {}

  append(event: NewTimelineEvent): TimelineEvent {
    return this.store.timeline.append(this.workspace, this.session, this.secrets.shown(event));
  }

  /** What became of this action, if it was asked for before. */
  recall(key: ActionKey): EarlierResult | undefined {
    return this.store.journal.recall(this.#key(key), key.fingerprint);
  }

  /** Intent row and result row in one commit, before the effect (quality.md section 1). */
  intend(key: ActionKey, event: NewTimelineEvent): IntentResult {
    return this.store.journal.recordIntent(this.#key(key), key.fingerprint, this.secrets.shown(event));
  }

  conclude(key: ActionKey, reply: Reply, event: NewTimelineEvent): TimelineEvent {
    return this.store.journal.recordOutcome(this.#key(key), this.secrets.shown(reply), this.secrets.shown(event));
  }

  events(query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.store.timeline.list(this.workspace, this.session, query);
  }

  pictures(): PictureRecord[] {
    return this.store.pictures.list(this.workspace, this.session);
  }

  picture(eventId: string): PictureRecord | undefined {
    return this.store.pictures.find(this.workspace, this.session, eventId);
  }

  addPicture(picture: PictureRecord): void {
    this.store.pictures.add(this.workspace, this.session, picture);
  }

  removePicturesUpTo(seq: number): void {
    this.store.pictures.removeUpTo(this.workspace, this.session, seq);
  }

  exportLines(): AsyncGenerator<string, void> {
    return this.store.exportTimeline(this.workspace, this.session);
  }

  search(budget: Budget, query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.store.timeline.search(budget, this.workspace, this.session, query);
  }

  saveLease(tab: string, lease: Lease): void {
    const takenFrom = (lease.state === 'draining' ? lease.back : driven(lease)?.takenFrom) ?? null;
    const { epoch, reason } = lease;
    const cover = privateHoldOf(lease);
    // Half changed hands: after a restart it still is with the one who kept it private.
    const holder = cover?.by ?? ownerOf(lease) ?? null;
    this.store.leases.save(
      {
        workspace: this.workspace,
        session: this.session,
        tab,
        epoch,
        holder,
        takenFrom,
        reason,
        cover: cover ? { reason: cover.reason, until: cover.until } : null,
      },
      new Date(),
    );
  }

  saveQuestion(record: HelpRequestRecord): void {
    this.store.questions.save(this, this.secrets.shown(record));
  }

  forgetQuestion(id: string): void {
    this.store.questions.remove(this, id);
  }

  questions(): Promise<HelpRequestRecord[]> {
    return this.store.questions.list(this);
  }

  saveReceipt(record: ReceiptRecord): void {
    this.store.receipts.save(this, this.secrets.shown(record));
  }

  /** Left out: all of the session. */
  forgetReceipts(participant?: string): void {
    this.store.receipts.remove(this, participant);
  }

  receipts(): Promise<ReceiptRecord[]> {
    return this.store.receipts.list(this);
  }

  addTab(tab: { id: string; targetId: string; opener: string | undefined; url: string }): void {
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
    this.#keep(this.store.tabs.add(row));
  }

  changeTab(
    id: string,
    change: { url?: string; label?: string; lastRef?: number; targetId?: string; closedAt?: string | null },
  ): void {
    this.#keep(
      this.store.tabs.update(
        this.workspace,
        this.session,
        id,
        change.url === undefined ? change : { ...change, url: this.#address(change.url) },
      ),
    );
  }

  saveMasks(tab: string, masks: readonly Mask[]): void {
    this.store.tabs.saveMasks(this.workspace, this.session, tab, masks);
  }

  changeSession(change: SessionChange): void {
    this.#keep(this.store.sessions.update(this.workspace, this.session, change));
  }

  #address(url: string): string {
    return maskAddresses(this.secrets.redactor.address(url));
  }

  /** Rows that describe, rather than decide: nobody waits for them, and a failure is logged. */
  #keep(write: Promise<void>): void {
    write.catch((error: unknown) =>
      this.logger.error({ error: messageOf(error), session: this.session }, 'a row of the session was not saved'),
    );
  }

  #key(key: ActionKey): { workspace: string; session: string; participant: string; action: string } {
    return { workspace: this.workspace, session: this.session, participant: key.participant, action: key.action };
  }
}
