import { within } from '@/lib/async/within';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { ControlEffect, ControlEvent, Holder, Lease, LeaseLoss, Scope } from '@/lib/control/lease';
import { privateHoldOf, driven, ownerOf } from '@/lib/control/rules';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/server/access/grants';
import type { Write } from '@/server/browser/write';
import type { Message } from '@/lib/messages/message';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from '@/server/session/caller';
import { PARKED_MS, PRIVATE_PARKED_MS, type ChangeNote, type Leases } from '@/server/session/leases';
import { Drain } from './drain';
import type { RunningActions } from '@/server/session/running-actions';
import { Timers } from '@/lib/async/timers';
import type { Feature } from '@/server/session/feature';
import { RECEIPTS } from '@/server/session/queries';
import { Slot } from '@/server/session/slot';
import { actorOf } from '@/server/session/participants';
import type { SessionTab } from '@/server/session/session-tab';
import type { Timeline } from '@/server/session/timeline';
import { leaseChangeMessage } from './lease-messages';

/** What was held down is up within this, or the page does not answer. Milliseconds. */
const RELEASE_MS = 220;
/** After this a change that could not be stored is tried again. Milliseconds. */
const STORE_RETRY_MS = 250;

/** After this a page that could not be opened anew is tried again. Milliseconds. */
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
  /** Puts a fresh page in the place of one that was held privately. Throws when it cannot. */
  openAnew(tab: string): Promise<void>;
  changed(): void;
}

interface LeaseReceiver {
  readonly tab: string;
  readonly to: Holder;
}

type GivingEvent = Extract<ControlEvent, { type: 'hand-back' | 'grant' | 'hand-over' }>;
type ClearEffect = Extract<ControlEffect, { type: 'clear' }>;
type DrainEffect = Extract<ControlEffect, { type: 'drain' }>;
type Changed = Extract<ControlEffect, { type: 'changed' }>;

/** Changes of hands: ends what the loser does, lets go of its keys, tells everybody, writes the receipt (CO3, CO5). */
export class Handover {
  readonly #timers: Timers;
  #retries = 0;
  /** By tab: keys and buttons of the last holder on their way up (I6). */
  readonly #releasing = new Map<string, Promise<void>>();

  constructor(private readonly deps: HandoverDeps) {
    this.#timers = new Timers(deps.clock);
    deps.leases.onEffect.on((effect, note) => this.#carryOut(effect, note));
  }

  /**
   * Takes the wheel and returns when it is really taken: what the other did has ended and been drained, what they held
   * down is up. Throws CONTROL_HELD.
   */
  async take(budget: Budget, caller: Caller, tab: string, scope: 'session' | 'tab'): Promise<void> {
    const by = actorOf(caller.principal);
    await this.deps.leases.apply({ type: 'take', tab, by, scope, moderates: this.#moderates(caller) });
    await this.deps.leases.waitFor(budget, tab, by.id);
    await this.letGo(budget, tab);
  }

  /** Settles when what the one before held down is up, or Chrome takes too long over it (I6). */
  async letGo(budget: Budget, tab: string): Promise<void> {
    const releasing = this.#releasing.get(tab);
    if (releasing) await budget.race(within(this.deps.clock, RELEASE_MS, releasing));
  }

  /** Returns when nothing that the holder did can land any more. */
  async release(budget: Budget, caller: Caller, tab: string): Promise<void> {
    await this.deps.leases.apply({ type: 'release', tab, by: actorOf(caller.principal), reason: 'released' });
    return this.deps.leases.settled(budget, tab);
  }

  /**
   * Gives the wheel back to the agent it was taken from, with a receipt and an optional note (CO5). Returns when the
   * agent has it.
   */
  async handBack(budget: Budget, caller: Caller, tab: string, note: string | undefined): Promise<void> {
    await this.#give(
      caller,
      { type: 'hand-back', tab, by: actorOf(caller.principal) },
      this.#takenFrom(caller, tab),
      note,
    );
    return this.deps.leases.settled(budget, tab);
  }

  /** Asks the holder for the wheel (CO4). Throws CONTROL_HELD. */
  request(caller: Caller, tab: string): Promise<void> {
    return this.deps.leases.apply({
      type: 'request',
      tab,
      by: actorOf(caller.principal),
      moderates: this.#moderates(caller),
    });
  }

  deny(caller: Caller, tab: string): Promise<void> {
    return this.deps.leases.apply({ type: 'deny', tab, by: actorOf(caller.principal) });
  }

  /** Gives the wheel to whoever asked for it. Returns when they have it. Throws CONTROL_HELD, CONFLICT. */
  async grant(budget: Budget, caller: Caller, tab: string, scope: Scope, note: string | undefined): Promise<void> {
    const lease = this.deps.leases.lease(tab);
    await this.#give(
      caller,
      { type: 'grant', tab, by: actorOf(caller.principal), scope },
      lease?.state === 'asked' ? [{ tab, to: lease.asker }] : [],
      note,
    );
    return this.deps.leases.settled(budget, tab);
  }

  /** Gives the wheel to a participant. Returns when they have it. Throws CONTROL_HELD, CONFLICT. */
  async handOver(
    budget: Budget,
    caller: Caller,
    tab: string,
    to: Holder,
    scope: Scope,
    note: string | undefined,
  ): Promise<void> {
    await this.#give(caller, { type: 'hand-over', tab, by: actorOf(caller.principal), to, scope }, [{ tab, to }], note);
    return this.deps.leases.settled(budget, tab);
  }

  /** To whom a hand-back goes, by tab: the one in question first, each agent once. */
  #takenFrom({ principal }: Caller, tab: string): LeaseReceiver[] {
    const found = new Map<string, LeaseReceiver>();
    for (const id of [tab, ...this.deps.leases.leases.keys()]) {
      const lease = driven(this.deps.leases.lease(id));
      const to = lease?.holder.id === principal.id ? lease.takenFrom : undefined;
      if (to && !found.has(to.id)) found.set(to.id, { tab: id, to });
    }
    return [...found.values()];
  }

  /** Who manages the session may take the wheel from people, too (CO4). */
  #moderates({ principal }: Caller): boolean {
    return principal.kind === 'human' && grantsIn(principal, this.deps.session).has('manage');
  }

  /**
   * Gives the lease away. An agent that gets it from a person is told what that person did (CO5); what the agent has
   * not heard yet stays in the outbox.
   */
  async #give(
    caller: Caller,
    event: GivingEvent,
    receivers: readonly LeaseReceiver[],
    note: string | undefined,
  ): Promise<void> {
    const lease = this.deps.leases.lease(event.tab);
    const mine = lease !== undefined && caller.principal.kind === 'human' && ownerOf(lease)?.id === caller.principal.id;
    const told = mine ? receivers.filter(({ to }) => to.kind === 'agent') : [];
    const made = await Promise.all(
      told.map(async ({ tab, to }) => ({ tab, to, ...(await this.deps.receipts.write(caller, tab, to, note)) })),
    );
    // Their keys may have ended while the receipts were made.
    if (event.type === 'hand-over' && event.to.kind === 'agent' && this.deps.receipts.closed(event.to.id))
      throw new WheelhouseError('NOT_FOUND', `${event.to.name} is not here any more: its key has ended.`);
    const receipts = made.filter(({ to }) => !this.deps.receipts.closed(to.id));
    const undo: (() => void)[] = [];
    try {
      // Stored before the wheel passes: whoever has it again is told, also by the next run of the server.
      for (const { to, receipt } of receipts) undo.push(await this.deps.receipts.put(to.id, receipt));
      await this.deps.leases.apply(event, {
        note,
        receipts: new Map(receipts.map(({ tab, receipt }) => [tab, receipt])),
      });
    } catch (error) {
      for (const takeBack of undo) takeBack();
      throw error;
    }
    for (const one of receipts) {
      one.given();
      this.active(one.to.id);
    }
  }

  /** An agent did something: it keeps the wheel for another `agentIdleMs` (CO10). */
  active(participant: string): void {
    this.#timers.plan(`idle ${participant}`, this.deps.agentIdleMs, () => this.left(participant, 'idle'));
  }

  /** Gone by will, or for too long: their tabs become free at once (CO7). */
  left(participant: string, why: LeaseLoss | 'released'): void {
    // Nobody means to show what they kept private by going elsewhere for a moment.
    if (why === 'released' && this.#hides(participant)) return this.lost(participant);
    this.#surely('who left lets go', () => this.deps.leases.apply({ type: 'left', participant, why }));
  }

  /** The connection is lost: what they hold waits for them a while, and everybody sees for how long (CO7). */
  lost(participant: string): void {
    const now = this.deps.clock.now();
    this.#surely('what was held is parked', () =>
      this.deps.leases.apply({
        type: 'lost',
        participant,
        until: now + PARKED_MS,
        coveredUntil: now + PRIVATE_PARKED_MS,
      }),
    );
  }

  /**
   * Their Chrome is another one: who has the wheel keeps it, and what was begun before no longer counts (F1). `closed`:
   * the tabs that it closed while it ended, which come back.
   */
  renewed(closed: ReadonlyMap<string, Lease>): void {
    this.#surely('epochs grow with a new Chrome', () => this.deps.leases.apply({ type: 'renewed' }));
    for (const [tab, lease] of closed)
      this.#surely('a tab that comes back has its wheel', () =>
        this.deps.leases.apply({ type: 'tab-reopened', tab, lease }),
      );
  }

  /** Connected again, here or in another window. */
  back(participant: string): void {
    this.#surely('who came back has the wheel', () => this.deps.leases.apply({ type: 'back', participant }));
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
      case 'cover':
      // By the session's Privacy, before anything else hears of it.
    }
  }

  /**
   * Ends what the loser has under way, then lets the new holder in. Bounded: a page that never answers cannot keep the
   * wheel.
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
    this.#surely('a drained tab changes hands', () => leases.apply({ type: 'drained', tab, epoch }));
  }

  /** Tries until the page is gone: before that nobody has the tab (CO8). */
  async #clear(effect: ClearEffect): Promise<void> {
    const { leases, logger, timeline } = this.deps;
    const { tab, epoch } = effect;
    try {
      await this.deps.openAnew(tab);
    } catch (failure) {
      logger.warn({ tab, error: messageOf(failure) }, 'a page that was left private could not be opened anew yet');
      return this.#timers.plan(`clear ${tab}`, CLEAR_RETRY_MS, () => void this.#clear(effect));
    }
    this.#surely('a page that was left private is gone', async () => {
      await leases.apply({ type: 'drained', tab, epoch });
      void timeline.tell({ kind: 'control', said: { code: 'privateCleared' }, tab });
    });
  }

  #hides(participant: string): boolean {
    return [...this.deps.leases.leases.values()].some((lease) => privateHoldOf(lease)?.by.id === participant);
  }

  async #releaseInput(tab: string): Promise<void> {
    const sessionTab = this.deps.sessionTab(tab);
    if (!sessionTab) return;
    // An answer armed by the last holder would be theirs, given while another has the wheel (CO2).
    sessionTab.tab.dialogs.putAside();
    sessionTab.tab.tools.chooser.putAside();
    const write: Write = (method, ...params) => sessionTab.tab.sessions.commands.send(method, ...params);
    try {
      await sessionTab.tab.input.releaseAll(write);
    } catch (failure) {
      this.deps.logger.warn({ tab, error: messageOf(failure) }, 'held keys could not be released');
    }
  }

  #tell({ tab, change, by, lease }: Changed, note: ChangeNote | undefined): void {
    // Also one that was handed the wheel and never comes back for it lets it go in the end (CO10).
    const holder = driven(lease)?.holder;
    if (holder?.kind === 'agent') this.active(holder.id);
    if ('until' in lease) this.#countDown(tab, lease.until);
    else this.#timers.cancel(dueOf(tab));
    const said = leaseChangeMessage(change, lease, by, note?.note);
    const receipt = note?.receipts.get(tab);
    if (said)
      this.#surely('a change of hands is on the timeline', () =>
        this.deps.timeline.tell({
          kind: 'control',
          said,
          tab,
          epoch: lease.epoch,
          ...(by && { actor: by }),
          ...(receipt && { receipt }),
        }),
      );
    this.deps.changed();
  }

  /** A request without an answer, or a connection that does not come back, is decided then. */
  #countDown(tab: string, until: number): void {
    this.#timers.plan(dueOf(tab), until - this.deps.clock.now(), () =>
      this.#surely('a time that was set has come', () => this.deps.leases.apply({ type: 'due', tab })),
    );
  }

  /**
   * For what nobody waits for, so that nobody can be told of its failure: when the store refuses (F16) it is tried
   * again until it works, so that no tab stays between two holders. Not when the session is over: a lost connection is
   * reported late.
   */
  #surely(what: string, work: () => Promise<unknown>): void {
    if (this.#timers.disposed) return;
    work().catch((failure: unknown) => {
      this.deps.logger.error({ what, error: messageOf(failure) }, 'a change of hands could not be stored yet');
      this.#retries += 1;
      this.#timers.plan(`again ${this.#retries}`, STORE_RETRY_MS, () => this.#surely(what, work));
    });
  }
}

const dueOf = (tab: string): string => `due ${tab}`;

/** Changes of hands of a session. */
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
      openAnew: (tab) => visibility.openAnew(tab),
      changed: () => kernel.changed(),
    });
    HANDOVER.fill(kernel, handover);
    kernel.onConnect.on(({ principal }) => handover.back(principal.id));
    kernel.onPagesLost.on((closed) => handover.renewed(closed));
    // An agent is not idle while it acts or drives by raw input (CO10).
    kernel.onUse.on(({ principal }) => principal.kind === 'agent' && handover.active(principal.id));
    return {
      beforeWrite: (budget, tab) => handover.letGo(budget, tab),
      participantGone: (participant) => handover.left(participant, 'signed out'),
      dispose: () => handover.dispose(),
    };
  },
};
