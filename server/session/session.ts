import { randomUUID } from 'node:crypto';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import { controlView } from '@/lib/control/view';
import { guestEvents, guestSessionView } from '@/lib/links/guest-view';
import type { ControlView, SessionView, TimelineEvent } from '@/lib/protocol/views';
import { Emitter } from '@/server/browser/emitter';
import { isAgentOf, isGuestOf, sightOf, type Credential, type Principal } from '@/server/access/principal';
import type { Caller } from './caller';
import type { Feature, Hooks } from './feature';
import { authorise, carryOutAction } from './action/path';
import { SessionKernel } from './kernel';
import { actorOf } from './participants';
import type { Quotas } from './quotas';
import type { SessionInit, SessionServices } from './session-parts';
import type { SessionTab } from './session-tab';
import { toClock } from './to-clock';
import { ownParts, sessionView, UNHELD } from './view';

/** The unit that is shared, recorded and ended: a browser context with its participants (SE1), and its features. */
export class Session extends SessionKernel {
  /** The session has ended. */
  readonly onEnded = new Emitter<[]>(this.fault);
  readonly #features: readonly Hooks[];

  constructor(
    init: SessionInit,
    services: SessionServices & { readonly quotas: Quotas },
    features: readonly Feature[],
  ) {
    super(init, services);
    this.#features = features.map((feature) => feature.start(this));
    this.onExpired.on((why) => this.#expire(why));
  }

  /**
   * Carries out one action (docs/ARCHITECTURE.md, way 1). Never throws; failures are in the reply. `gone` aborts when
   * the caller can no longer receive it: an action with an id then waits for its caller to send it again, one without
   * an id runs until its budget ends (BU2, F7).
   */
  perform(caller: Caller, tab: string, action: Action, budget: Budget, gone?: AbortSignal): Promise<Reply> {
    return carryOutAction(this, this.#features, {
      caller,
      tabName: tab,
      action,
      budget,
      id: action.id ?? randomUUID(),
      startedAt: new Date().toISOString(),
      epoch: action.epoch,
      gone,
    });
  }

  /**
   * Finds a tab by name; `active` is the tab this participant used last, else the session's active one (SE2). Throws
   * TAB_NOT_FOUND, TAB_AMBIGUOUS, BROWSER_DOWN.
   */
  findTab(caller: Caller, name: string): SessionTab {
    return this.active.find(caller, name);
  }

  activeSessionTab(preferred?: string): SessionTab {
    return this.active.sessionTab(preferred);
  }

  get activeTab(): string | undefined {
    return this.active.id;
  }

  control(tab: string): ControlView {
    const sessionTab = this.registry.get(tab);
    const view = controlView(this.leases.lease(tab) ?? UNHELD, toClock, performance.now());
    return this.#features.reduce((so, one) => one.control?.(so, sessionTab) ?? so, view);
  }

  /**
   * The session as this caller may see it: tabs that another holds privately have no title and address (CO8), and
   * guests see what their link shows (AU4).
   */
  view(viewer?: Principal): SessionView {
    const view = sessionView(this, this.#features, viewer);
    const sight = viewer && sightOf(viewer);
    return sight ? guestSessionView(view, sight) : view;
  }

  /**
   * Callers with the same key see the same view at the same moment: all members, and all guests of a link, but those
   * who hold a tab or see a hidden one.
   */
  viewKey(viewer: Principal): string {
    const { id } = viewer;
    if (this.leases.bound().has(id) || this.visibility.seesHidden(id)) return `alone ${id}`;
    const sight = sightOf(viewer);
    const link = sight ? [sight.tab, sight.since] : [];
    return `shared ${JSON.stringify([...link, ownParts(this.#features, viewer)])}`;
  }

  /** The rows of the timeline that this caller may see. */
  shownTo(viewer: Principal, events: TimelineEvent[]): TimelineEvent[] {
    const sight = sightOf(viewer);
    return sight ? guestEvents(events, sight) : events;
  }

  rename(caller: Caller, name: string): void {
    this.name = name;
    void this.timeline.tell({
      kind: 'session',
      said: { code: 'sessionRenamed', name },
      actor: actorOf(caller.principal),
      door: caller.door,
    });
  }

  /**
   * Ends the session as soon as that is stored: the answer means that it does not come back after a restart. Throws
   * STORE_BUSY, and what ends the budget.
   */
  async end(budget: Budget, by: Caller): Promise<void> {
    try {
      await this.queue.run(budget, () => ({ store: () => this.#storeEnd(), apply: () => this.#ended(by) }));
    } catch (error) {
      // Another call ended it meanwhile.
      if (this.state === 'ended') return;
      throw busyEnding(error);
    }
  }

  /** Ends the session at once, whether or not the store takes that: its maker was told that it was not made. */
  abandon(by?: Caller): void {
    if (this.state === 'ended') return;
    void this.#storeEnd().catch(() => undefined);
    this.#ended(by);
  }

  /** Ends the session by itself, as soon as that is stored. */
  #expire(why: Message): void {
    this.queue
      .surely(() =>
        this.state === 'ended'
          ? { apply: () => undefined }
          : { store: () => this.#storeEnd(), apply: () => this.#ended(undefined, why) },
      )
      .catch((error: unknown) => {
        if (this.state !== 'ended') this.services.logger.warn({ error: messageOf(error) }, 'a session could not end');
      });
  }

  #storeEnd(): Promise<void> {
    return this.init.ledger.changeSession({ state: 'ended', endedAt: new Date().toISOString() });
  }

  #ended(by: Caller | undefined, why?: Message): void {
    const over = new WheelhouseError('NOT_FOUND', { code: 'sessionOver' });
    this.status.end(why ?? (by ? { code: 'sessionEndedBy', name: by.principal.name } : { code: 'sessionOver' }));
    this.runningActions.abortAll(over);
    this.#call((one) => one.ending?.());
    void this.timeline.tell({
      kind: 'session',
      said: why ?? { code: 'sessionEnded' },
      ...(by && { actor: actorOf(by.principal), door: by.door }),
    });
    this.changed();
    this.leases.dispose(over);
    this.#call((one) => one.ended?.());
    this.dispose(over);
    this.onEnded.emit();
  }

  /** Calls a hook of each feature; one that fails does not stop the others. */
  #call(hook: (one: Hooks) => void, features = this.#features): void {
    for (const one of features)
      try {
        hook(one);
      } catch (error) {
        this.fault(error);
      }
  }

  /** Removes all files of the ended session from disk. */
  async erase(): Promise<void> {
    await Promise.all(this.#features.map(async (one) => one.erase?.()));
  }

  /** Ends running actions, so that their outcomes are written before the store closes. */
  async quiet(reason: string): Promise<void> {
    this.runningActions.abortAll(new WheelhouseError('ABORTED', reason));
    await Promise.all([this.reservations.idle(), ...this.#features.map(async (one) => one.stopping?.())]);
  }

  /**
   * Handles the end of a key or sign-in (R3, AU3): ends its actions; participants who are present by no other one lose
   * the lease, get none back, and stop waiting. Also finds agents and guests by id: after a restart they may not have
   * called yet.
   */
  credentialEnded(credential: Credential): void {
    this.reservations.credentialEnded(credential);
    const named = this.#named().filter((id) => isAgentOf(credential, id) || isGuestOf(credential, id));
    for (const participant of new Set([...this.participants.ended(credential), ...named]))
      this.#call((one) => one.participantGone?.(participant));
    this.#call((one) => one.credentialEnded?.(credential));
  }

  /**
   * Handles a change of rights (AU3): ends actions whose callers lack a grant for them now; who may not drive any more
   * loses the wheel and stops asking for it.
   */
  rightsChanged(): void {
    this.reservations.rightsChanged((request) => authorise(this, request));
    const named = new Set(this.#named());
    for (const participant of this.participants.watchers().filter((id) => named.has(id)))
      this.#call((one) => one.rightsLost?.(participant));
    this.changed();
  }

  /** Ids of all participants that a lease or a feature names. */
  #named(): string[] {
    return [...this.leases.named(), ...this.#features.flatMap((one) => one.named?.() ?? [])];
  }

  /** Releases timers and listeners without ending the session: the server stops, Chrome runs on (OP3). */
  override dispose(why?: WheelhouseError): void {
    this.#call((one) => one.dispose?.(), this.#features.toReversed());
    super.dispose(why);
  }
}

/** Tells the caller of an end that the store did not take that the same call may be sent again. */
function busyEnding(error: unknown): unknown {
  if (!(error instanceof WheelhouseError) || error.code !== 'STORE_BUSY') return error;
  const hint = 'End it again in a moment; that does no harm. NOT_FOUND then means that it has ended.';
  return new WheelhouseError('STORE_BUSY', error.said ?? error.message, { hint, cause: error });
}
