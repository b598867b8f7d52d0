import { driven } from '@/lib/control/rules';
import type { Viewport } from '@/lib/geometry/picture';
import type { SessionView } from '@/lib/protocol/views';
import { demand, type May } from '@/server/access/may';
import type { Principal } from '@/server/access/principal';
import { Emitter } from '@/server/browser/emitter';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import type { Caller } from './caller';
import { Leases } from './leases';
import { ActionReservations } from './action/reservations';
import { LeaseQueue } from './action/lease-queue';
import { RunningActions } from './action/running-actions';
import { SessionStatus } from './session-status';
import { Participants } from './participants';
import { CommandQueue } from './queue';
import type { Quotas } from './quotas';
import { Rates } from './rates';
import type { SessionInit, SessionServices } from './session-parts';
import { Timeline } from './timeline';
import { ALL_VISIBLE, type Visibility } from './visibility';

/** The part of a session that exists before its tabs: participants, leases, timeline and state. */
export class SessionCore {
  readonly id: string;
  readonly workspace: string;
  readonly participants: Participants;
  readonly timeline: Timeline;
  readonly queue: CommandQueue;
  readonly leases: Leases;
  readonly leaseQueue: LeaseQueue;
  readonly reservations: ActionReservations;
  readonly runningActions = new RunningActions();
  readonly status: SessionStatus;
  readonly rates: Rates;
  /** Who may see which tab; the feature that hides tabs sets it before the first tab exists. */
  visibility: Visibility = ALL_VISIBLE;
  /**
   * Receives what a feature throws while it handles an event of the kernel, hears of an action or decorates its
   * reply: it stops neither the other features nor the kernel.
   */
  readonly fault = (error: unknown): void => {
    this.services.metrics.fault('session');
    this.services.logger.error({ error, session: this.id }, 'a part of a session failed by a fault of ours');
  };
  /** The session's view has changed. */
  readonly onChange = new Emitter<[]>(this.fault);
  /** A participant joined, left, or opened one more connection. */
  readonly onJoin = new Emitter<[Caller]>(this.fault);
  readonly onLeave = new Emitter<[Caller]>(this.fault);
  readonly onConnect = new Emitter<[Caller]>(this.fault);
  #name: string;
  #viewport: Viewport;
  #version = 0;

  constructor(
    readonly init: SessionInit,
    readonly services: SessionServices & { readonly quotas: Quotas },
  ) {
    const { ledger } = init;
    this.id = init.id;
    this.workspace = init.workspace;
    this.status = new SessionStatus(services.fleet, init.id);
    this.#name = init.name;
    this.#viewport = init.viewport;
    this.participants = new Participants(init.id, services.clock, init.active?.by);
    this.rates = new Rates(init.id, services.limits);
    this.timeline = new Timeline(ledger, init.lastEvent, this.fault, {
      epochOf: (tab) => this.leases.lease(tab)?.epoch,
      hides: (row) => this.visibility.hidesRow(row),
    });
    this.queue = new CommandQueue(services.clock, this.fault);
    this.leases = new Leases(
      services.clock,
      this.queue,
      (changes) => ledger.commit(changes),
      (tab, participant) => this.runningActions.busy(tab, participant),
    );
    this.leaseQueue = new LeaseQueue(this.leases, init.policy.whenTaken === 'wait');
    this.reservations = new ActionReservations(services.clock, this.timeline);
    this.timeline.onEvent.on(() => this.changed());
  }

  /** Secrets that must not leave the session unmasked (T14). */
  get secrets(): KnownSecrets {
    return this.init.ledger.secrets;
  }

  get state(): SessionView['state'] {
    return this.status.state;
  }

  get name(): string {
    return this.#name;
  }

  set name(name: string) {
    this.#name = name;
    void this.init.ledger.changeSession({ name });
    this.changed();
  }

  get viewport(): Viewport {
    return this.#viewport;
  }

  set viewport(viewport: Viewport) {
    this.#viewport = viewport;
    void this.init.ledger.changeSession({ viewport });
    this.changed();
  }

  /** Grows with every change of the view. */
  get version(): number {
    return this.#version;
  }

  /** Makes the caller a participant, also without a connection (CO10). Throws QUOTA. */
  admitParticipant(caller: Caller): void {
    this.participants.makeRoom(caller.principal, () => this.leases.bound());
    if (this.participants.admitParticipant(caller.principal)) this.onJoin.emit(caller);
  }

  /**
   * Counts a connection of a person or agent; the returned function ends it and returns how many this participant has
   * left. Throws QUOTA.
   */
  join(caller: Caller): () => number {
    this.participants.makeRoom(caller.principal, () => this.leases.bound());
    const first = !this.participants.online(caller.principal.id);
    const leave = this.participants.connect(caller.principal);
    this.onConnect.emit(caller);
    if (first) this.onJoin.emit(caller);
    this.changed();
    return () => {
      const left = leave();
      if (left === 0) this.onLeave.emit(caller);
      return left;
    };
  }

  /** Whether a person holds the tab's lease. */
  personHolds(tab: string): boolean {
    return driven(this.leases.lease(tab))?.holder.kind === 'human';
  }

  changed(): void {
    this.#version += 1;
    this.onChange.emit();
  }

  /**
   * Throws UNAUTHENTICATED, NOT_FOUND or FORBIDDEN. Checked at execution, regardless of earlier checks at the door
   * (AU3).
   */
  require(principal: Principal, grant: Parameters<May>[1]): void {
    demand(
      this.services.may(principal, grant, {
        kind: 'session',
        id: this.id,
        session: this.id,
        workspace: this.workspace,
      }),
    );
  }
}
