import { within } from '@/lib/async/within';
import { inTime } from '@/server/store/in-time';
import type { Receipt } from '@/lib/actions/receipt';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { ControlEffect, ControlEvent, Holder, Lease, LeaseLoss, Scope } from '@/lib/control/lease';
import { privateHoldOf, driven, ownerOf } from '@/lib/control/rules';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/lib/rights/grants';
import type { Write } from '@/server/browser/write';
import type { Message } from '@/lib/messages/message';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from '@/server/session/caller';
import { PARKED_MS, PRIVATE_PARKED_MS, type ChangeNote, type JoinedChange, type Leases } from '@/server/session/leases';
import { Drain } from './drain';
import type { RunningActions } from '@/server/session/action/running-actions';
import { Timers } from '@/lib/async/timers';
import type { Feature } from '@/server/session/feature';
import { RECEIPTS, type WrittenReceipt } from '@/server/session/feature-slots';
import { Slot } from '@/server/session/slot';
import { actorOf } from '@/server/session/participants';
import type { SessionTab } from '@/server/session/session-tab';
import type { Timeline, TimelineNote } from '@/server/session/timeline';
import { leaseChangeMessage } from './lease-messages';

/** Longest wait for Chrome to release held keys and buttons. Milliseconds. */
const RELEASE_MS = 220;
/** Pause before a row that the store refused is written again. Milliseconds. */
const ROW_RETRY_MS = 250;

/** Pause before opening a fresh page is retried. Milliseconds. */
const CLEAR_RETRY_MS = 2_000;

export interface HandoverDeps {
  readonly session: string;
  readonly leases: Leases;
  readonly runningActions: RunningActions;
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly agentIdleMs: number;
  readonly receipts: ReturnType<typeof RECEIPTS.of>;
  sessionTab(tab: string): SessionTab | undefined;
  /** Replaces a privately held page by a fresh one. Throws when it cannot. */
  openFreshPage(tab: string): Promise<void>;
  changed(): void;
}

interface LeaseReceiver {
  readonly tab: string;
  readonly to: Holder;
}
type MadeReceipt = LeaseReceiver & WrittenReceipt;

type GivingEvent = Extract<ControlEvent, { type: 'hand-back' | 'grant' | 'hand-over' }>;
type ClearEffect = Extract<ControlEffect, { type: 'clear' }>;
type DrainEffect = Extract<ControlEffect, { type: 'drain' }>;
type Changed = Extract<ControlEffect, { type: 'changed' }>;

/**
 * Carries out changes of leases: drains the loser's actions, releases its keys, writes timeline rows and receipts (CO3,
 * CO5).
 */
export class Handover {
  readonly #timers: Timers;
  #retries = 0;
  /** By tab: settles when the last holder's keys and buttons are released (I6). */
  readonly #releasing = new Map<string, Promise<void>>();

  constructor(private readonly deps: HandoverDeps) {
    this.#timers = new Timers(deps.clock);
    deps.leases.onEffect.on((effect, note) => this.#carryOut(effect, note));
  }

  /**
   * Takes the lease. Returns when the loser's actions have ended and its keys and buttons are released. Throws
   * CONTROL_HELD.
   */
  async take(budget: Budget, caller: Caller, tab: string, scope: 'session' | 'tab'): Promise<void> {
    const by = actorOf(caller.principal);
    await this.deps.leases.apply(budget, { type: 'take', tab, by, scope, moderates: this.#moderates(caller) });
    await this.deps.leases.waitFor(budget, tab, by.id);
    await this.letGo(budget, tab);
  }

  /** Waits until the previous holder's keys and buttons are released, `RELEASE_MS` at most (I6). */
  async letGo(budget: Budget, tab: string): Promise<void> {
    const releasing = this.#releasing.get(tab);
    if (releasing) await budget.race(within(this.deps.clock, RELEASE_MS, releasing));
  }

  /**
   * Frees the tab, or with scope `session` all tabs of the caller. Returns when no action of the former holder can
   * reach the page any more.
   */
  async release(budget: Budget, caller: Caller, tab: string, scope: Scope): Promise<void> {
    const by = actorOf(caller.principal);
    await this.deps.leases.apply(budget, { type: 'release', tab, by, reason: 'released', scope });
    return this.deps.leases.settled(budget, tab);
  }

  /**
   * Frees a tab for a caller whose call succeeds anyway, as soon as the store takes that. Waits for it within the
   * budget; never rejects.
   */
  async releaseUntilStored(budget: Budget, caller: Caller, tab: string): Promise<void> {
    const { leases, clock } = this.deps;
    const released = leases.applyUntilStored({
      type: 'release',
      tab,
      by: actorOf(caller.principal),
      reason: 'released',
    });
    try {
      await budget.race(inTime(clock, released));
      await leases.settled(budget, tab);
    } catch {
      // Another participant has it, the tab is gone, or the store takes the release later.
    }
  }

  /**
   * Gives the lease back to the agent it was taken from, with a receipt and an optional note (CO5). Returns when the
   * agent has it.
   */
  async handBack(budget: Budget, caller: Caller, tab: string, note: string | undefined): Promise<void> {
    await this.#give(
      budget,
      caller,
      { type: 'hand-back', tab, by: actorOf(caller.principal) },
      this.#takenFrom(caller, tab),
      note,
    );
    return this.deps.leases.settled(budget, tab);
  }

  /** Asks the holder for the lease (CO4). Throws CONTROL_HELD. */
  request(budget: Budget, caller: Caller, tab: string): Promise<void> {
    return this.deps.leases.apply(budget, {
      type: 'request',
      tab,
      by: actorOf(caller.principal),
      moderates: this.#moderates(caller),
    });
  }

  deny(budget: Budget, caller: Caller, tab: string): Promise<void> {
    return this.deps.leases.apply(budget, { type: 'deny', tab, by: actorOf(caller.principal) });
  }

  /** Gives the lease to the participant who asked for it. Returns when they have it. Throws CONTROL_HELD, CONFLICT. */
  async grant(budget: Budget, caller: Caller, tab: string, scope: Scope, note: string | undefined): Promise<void> {
    const lease = this.deps.leases.lease(tab);
    await this.#give(
      budget,
      caller,
      { type: 'grant', tab, by: actorOf(caller.principal), scope },
      lease?.state === 'asked' ? [{ tab, to: lease.asker }] : [],
      note,
    );
    return this.deps.leases.settled(budget, tab);
  }

  /** Gives the lease to a participant. Returns when they have it. Throws CONTROL_HELD, CONFLICT. */
  async handOver(
    budget: Budget,
    caller: Caller,
    tab: string,
    to: Holder,
    scope: Scope,
    note: string | undefined,
  ): Promise<void> {
    await this.#give(
      budget,
      caller,
      { type: 'hand-over', tab, by: actorOf(caller.principal), to, scope },
      [{ tab, to }],
      note,
    );
    return this.deps.leases.settled(budget, tab);
  }

  /** The agents that a hand-back returns leases to, each once, with one of its tabs; the agent of `tab` comes first. */
  #takenFrom({ principal }: Caller, tab: string): LeaseReceiver[] {
    const found = new Map<string, LeaseReceiver>();
    for (const id of [tab, ...this.deps.leases.leases.keys()]) {
      const lease = driven(this.deps.leases.lease(id));
      const to = lease?.holder.id === principal.id ? lease.takenFrom : undefined;
      if (to && !found.has(to.id)) found.set(to.id, { tab: id, to });
    }
    return [...found.values()];
  }

  /** A person with the `manage` grant may take the lease from other people (CO4). */
  #moderates({ principal }: Caller): boolean {
    return principal.kind === 'human' && grantsIn(principal, this.deps.session).has('manage');
  }

  /**
   * Gives the lease away. An agent that receives it from a person also gets a receipt of that person's work, stored in
   * the same commit: it has the receipt if and only if it has the lease, also after a restart (CO5). Receipts that the
   * agent has not acknowledged stay in the outbox.
   */
  async #give(
    budget: Budget,
    caller: Caller,
    event: GivingEvent,
    receivers: readonly LeaseReceiver[],
    note: string | undefined,
  ): Promise<void> {
    const lease = this.deps.leases.lease(event.tab);
    const mine = lease !== undefined && caller.principal.kind !== 'agent' && ownerOf(lease)?.id === caller.principal.id;
    const told = mine ? receivers.filter(({ to }) => to.kind === 'agent') : [];
    const made = await budget.race(
      Promise.all(
        told.map(async ({ tab, to }) => ({ tab, to, ...(await this.deps.receipts.write(caller, tab, to, note)) })),
      ),
    );
    const receipts = new Map<string, Receipt>();
    await this.deps.leases.apply(budget, event, { note, receipts, join: () => this.#join(event, made, receipts) });
  }

  /**
   * Called when a gift is decided, since the key of a receiver may have ended until then. Adds the receipts that are
   * given to `receipts`. Throws NOT_FOUND when nobody is left to receive the lease.
   */
  #join(event: GivingEvent, made: readonly MadeReceipt[], receipts: Map<string, Receipt>): JoinedChange {
    if (event.type === 'hand-over' && event.to.kind === 'agent' && this.deps.receipts.closed(event.to.id))
      throw new WheelhouseError('NOT_FOUND', `${event.to.name} is not here any more: its key has ended.`);
    const given = made.filter(({ to }) => !this.deps.receipts.closed(to.id));
    const outgoing = given.map(({ to, receipt }) => this.deps.receipts.put(to.id, receipt));
    for (const { tab, receipt } of given) receipts.set(tab, receipt);
    return {
      changes: { receipts: outgoing.map(({ record }) => record) },
      apply: () => {
        for (const one of outgoing) one.stored();
        for (const one of given) {
          one.given();
          this.active(one.to.id);
        }
      },
      withdraw: () => outgoing.forEach((one) => one.withdrawn()),
    };
  }

  /** Restarts the agent's idle time: after `agentIdleMs` without activity it loses its leases (CO10). */
  active(participant: string): void {
    this.#timers.plan(`idle ${participant}`, this.deps.agentIdleMs, () => this.left(participant, 'idle'));
  }

  /** Frees the participant's tabs at once, because they left or were idle too long (CO7). */
  left(participant: string, why: LeaseLoss | 'released'): void {
    // A participant who leaves during a private hold is treated as disconnected: freeing the tab would show the page.
    if (why === 'released' && this.#hides(participant)) return this.lost(participant);
    this.#surely({ type: 'left', participant, why });
  }

  /** Parks the leases of a participant whose connection was lost; the interface shows until when (CO7). */
  lost(participant: string): void {
    const now = this.deps.clock.now();
    this.#surely({ type: 'lost', participant, until: now + PARKED_MS, privateUntil: now + PRIVATE_PARKED_MS });
  }

  /**
   * The session has a new Chrome: holders keep their leases, and epochs grow so that older writes fail the fence (F1).
   * @param closed tabs that the old Chrome closed while it ended and that are reopened, with their leases
   */
  renewed(closed: ReadonlyMap<string, Lease>): void {
    this.#surely({ type: 'renewed' });
    for (const [tab, lease] of closed) this.#surely({ type: 'tab-reopened', tab, lease });
  }

  /** The participant has connected again: their parked leases resume. */
  back(participant: string): void {
    this.#surely({ type: 'back', participant });
  }

  dispose(): void {
    this.#timers.dispose();
  }

  #carryOut(effect: ControlEffect, note: ChangeNote | undefined): void {
    switch (effect.type) {
      case 'drain':
        void this.#drain(effect);
        return;
      case 'release-input':
        this.#releasing.set(effect.tab, this.#releaseInput(effect.tab));
        return;
      case 'clear':
        void this.#clear(effect);
        return;
      case 'changed':
        this.#tell(effect, note);
        return;
      case 'private-hold':
      // Privacy handles this effect, before any other listener.
    }
  }

  /**
   * Ends the loser's running actions, then gives the lease to the next holder. Bounded: a page that never answers
   * cannot block the change.
   */
  async #drain({ tab, holder, by, epoch }: DrainEffect): Promise<void> {
    const { leases, runningActions, clock, logger } = this.deps;
    const lease = leases.lease(tab);
    const given = lease?.state === 'draining' && lease.given;
    const drain = new Drain(
      clock,
      this.deps.sessionTab(tab)?.tab,
      runningActions.of(tab, holder.id),
      given && holder.kind === 'human',
    );
    const said: Message = by ? { code: given ? 'wheelNow' : 'wheelTakenBy', name: by.name } : { code: 'wheelNobody' };
    const error = new WheelhouseError('CONTROL_LOST', said, { details: { holder: by, epoch } });
    try {
      await drain.run(error);
    } catch (failure) {
      logger.warn({ tab, error: messageOf(failure) }, 'a takeover could not be drained cleanly');
    }
    this.#surely({ type: 'drained', tab, epoch });
  }

  /** Replaces a page that was left private, and frees the tab only then (CO8). Retries every `CLEAR_RETRY_MS`. */
  async #clear(effect: ClearEffect): Promise<void> {
    const { logger, timeline } = this.deps;
    const { tab, epoch } = effect;
    try {
      await this.deps.openFreshPage(tab);
    } catch (failure) {
      logger.warn({ tab, error: messageOf(failure) }, 'a page that was left private could not be opened anew yet');
      return this.#timers.plan(`clear ${tab}`, CLEAR_RETRY_MS, () => void this.#clear(effect));
    }
    this.#surely({ type: 'drained', tab, epoch }, () => {
      void timeline.tell({ kind: 'control', said: { code: 'privateCleared' }, tab });
    });
  }

  #hides(participant: string): boolean {
    return [...this.deps.leases.leases.values()].some((lease) => privateHoldOf(lease)?.by.id === participant);
  }

  async #releaseInput(tab: string): Promise<void> {
    const sessionTab = this.deps.sessionTab(tab);
    if (!sessionTab) return;
    // An answer armed by the last holder must not take effect while somebody else has the lease (CO2).
    sessionTab.tab.dialogs.suspendAnswers();
    sessionTab.tab.tools.chooser.suspendFiles();
    const write: Write = (method, ...params) => sessionTab.tab.sessions.commands.send(method, ...params);
    try {
      await sessionTab.tab.input.releaseAll(write);
    } catch (failure) {
      this.deps.logger.warn({ tab, error: messageOf(failure) }, 'held keys could not be released');
    }
  }

  #tell({ tab, change, by, lease }: Changed, note: ChangeNote | undefined): void {
    // An agent that receives a lease and never acts loses it as idle, too (CO10).
    const holder = driven(lease)?.holder;
    if (holder?.kind === 'agent') this.active(holder.id);
    if ('until' in lease) this.#countDown(tab, lease.until);
    else this.#timers.cancel(dueOf(tab));
    const said = leaseChangeMessage(change, lease, by, note?.note);
    const receipt = note?.receipts.get(tab);
    if (said)
      this.#record({
        kind: 'control',
        said,
        tab,
        epoch: lease.epoch,
        ...(by && { actor: by }),
        ...(receipt && { receipt }),
      });
    this.deps.changed();
  }

  /** Sends a `due` event when the lease's time limit (an unanswered request, or a lost connection) is over. */
  #countDown(tab: string, until: number): void {
    this.#timers.plan(dueOf(tab), until - this.deps.clock.now(), () => this.#surely({ type: 'due', tab }));
  }

  /** Writes a row about a change of hands; when the store refuses it, again every `ROW_RETRY_MS`. */
  #record(row: TimelineNote): void {
    this.deps.timeline.tell(row).catch(() => {
      this.#retries += 1;
      this.#timers.plan(`again ${this.#retries}`, ROW_RETRY_MS, () => this.#record(row));
    });
  }

  /**
   * Applies an event that has no caller to report an error to, so that no tab stays between two holders (F16). Does
   * nothing after the session has ended, because lost connections are reported late.
   */
  #surely(event: ControlEvent, then: () => void = () => undefined): void {
    if (this.#timers.disposed) return;
    this.deps.leases.applyUntilStored(event).then(then, (failure: unknown) => {
      if (this.#timers.disposed) return;
      this.deps.logger.error({ event: event.type, error: messageOf(failure) }, 'a change of hands was not stored');
    });
  }
}

const dueOf = (tab: string): string => `due ${tab}`;

/** Changes of leases of a session. */
export const HANDOVER = new Slot<Handover>('handover');

export const control: Feature = {
  name: 'control',
  start: (kernel) => {
    const { services, leases, runningActions, timeline, registry, visibility } = kernel;
    const handover = new Handover({
      ...services,
      session: kernel.id,
      leases,
      runningActions,
      timeline,
      receipts: RECEIPTS.of(kernel),
      sessionTab: (tab) => registry.get(tab),
      openFreshPage: (tab) => visibility.openFreshPage(tab),
      changed: () => kernel.changed(),
    });
    HANDOVER.fill(kernel, handover);
    kernel.onConnect.on(({ principal }) => handover.back(principal.id));
    kernel.onPagesLost.on((closed) => handover.renewed(closed));
    // An agent that acts or sends raw input is not idle (CO10).
    kernel.onUse.on(({ principal }) => principal.kind === 'agent' && handover.active(principal.id));
    return {
      beforeWrite: (budget, tab) => handover.letGo(budget, tab),
      participantGone: (participant) => handover.left(participant, 'signed out'),
      rightsLost: (participant) => handover.left(participant, 'no right'),
      dispose: () => handover.dispose(),
    };
  },
};
