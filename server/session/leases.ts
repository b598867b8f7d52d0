import { WheelhouseError } from '@/lib/errors/error';
import type { Receipt } from '@/lib/actions/receipt';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type {
  ControlEffect,
  ControlEvent,
  ControlResult,
  PrivateHold,
  Holder,
  Lease,
  LeaseMap,
  Refusal,
} from '@/lib/control/lease';
import { reduce } from '@/lib/control/reduce';
import { privateHoldOf, driven, fence, heldBy, mayHelp, ownerOf } from '@/lib/control/rules';
import { Emitter } from '@/server/browser/emitter';
import { inTime } from '@/server/store/in-time';
import type { CommandQueue, Decision } from './queue';
import type { LedgerChanges } from './ledger';
import { toClock } from './to-clock';

/** Lease of a tab as the store had it when the server stopped. */
export interface RestoredLease {
  readonly epoch: number;
  readonly holder: Holder | null;
  readonly takenFrom: Holder | null;
  /** The holder's private hold; null without one. */
  readonly privateHold: Pick<PrivateHold, 'reason' | 'until'> | null;
}

/**
 * How long a parked lease waits for its holder to reconnect; it never returns to an agent by itself (CO7).
 * Milliseconds.
 */
export const PARKED_MS = 15_000;

/**
 * How long a private hold waits for a holder who lost the connection; then the server discards the page and everything
 * entered in it (CO8). Milliseconds.
 */
export const PRIVATE_PARKED_MS = 300_000;

/** An event that the reducer did not refuse. */
type AppliedEvent = Pick<Extract<ControlResult, { ok: true }>, 'leases' | 'effects'>;

/** What is stored in the same commit as a change of leases, and follows it. */
export interface JoinedChange {
  readonly changes: Omit<LedgerChanges, 'leases'>;
  /** Called when the change is stored, after its effects and before anyone who waited for it continues. */
  apply(): void;
  /** Called when the change could not be stored. */
  withdraw(): void;
}

/** What accompanies a change of holder: the giver's note and, by tab, the receipt for the new holder (CO5). */
export interface ChangeNote {
  readonly note: string | undefined;
  readonly receipts: ReadonlyMap<string, Receipt>;
  /** Called when the change is decided. Throws to refuse it. */
  join(): JoinedChange;
}

/** Reason that a lease states after a restart of the server. */
export const RESTARTED = 'the server was restarted';

const howToWait = (tab: string, until?: 'shown'): string =>
  until
    ? `GET …/tabs/${tab}/control/wait?until=shown&timeoutMs=60000 answers when the page is shown again`
    : `GET …/tabs/${tab}/control/wait?timeoutMs=60000 answers when you may act`;

/** Owns the leases of one session: applies the reducer, runs its effects, wakes waiting callers (CO1, CO2). */
export class Leases {
  readonly onEffect: Emitter<[ControlEffect, ChangeNote | undefined]>;
  readonly #changed = new Emitter<[]>();
  /** The stored leases. */
  #leases: LeaseMap = new Map();
  /**
   * Leases of a decision that the store has not confirmed yet. A write must be allowed by these and by the stored ones
   * (CO2).
   */
  #decided: LeaseMap | undefined;
  /** Last epoch of each closed tab: a tab that reopens continues from it (CO2). */
  readonly #epochs = new Map<string, number>();
  /** Error for every wait once the session has ended or the server stops. */
  #over: WheelhouseError | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly queue: CommandQueue,
    /** Stores all of this in one commit. */
    private readonly save: (changes: LedgerChanges & { readonly leases: LeaseMap }) => Promise<unknown>,
    /** Whether Chrome has not yet acknowledged input or a script of this participant in the tab. */
    private readonly unsettled: (tab: string, participant: string) => boolean = () => false,
  ) {
    this.onEffect = new Emitter(queue.fault);
  }

  lease(tab: string): Lease | undefined {
    return this.#leases.get(tab);
  }

  get leases(): LeaseMap {
    return this.#leases;
  }

  /**
   * Restores a stored lease. The epoch grows, so that writes from before the restart are refused. The holder keeps the
   * lease: a person as long as a parked lease waits, an agent until its idle limit (CO7, CO10).
   */
  restore(tab: string, known: RestoredLease): Promise<void> {
    return this.queue.surely(() => this.#restore(tab, known));
  }

  #restore(tab: string, known: RestoredLease): Decision<void> {
    const lease = this.#restored(known);
    const privateHold = privateHoldOf(lease);
    const holder = driven(lease)?.holder;
    const effects: ControlEffect[] = [
      ...(privateHold ? [{ type: 'private-hold' as const, tab, privateHold }] : []),
      ...(holder ? [{ type: 'changed' as const, tab, change: 'parked' as const, by: holder, lease }] : []),
    ];
    return this.#change({ leases: new Map(this.#leases).set(tab, lease), effects });
  }

  #restored({ epoch, holder, takenFrom, privateHold }: RestoredLease): Lease {
    const base = { epoch: epoch + 1, since: this.clock.now(), reason: RESTARTED };
    if (!holder) return { ...base, state: 'free' };
    const drives = {
      ...base,
      holder,
      takenFrom: takenFrom ?? undefined,
      privateHold: privateHold ? { ...privateHold, by: holder, since: base.since } : undefined,
    };
    return holder.kind === 'human'
      ? { ...drives, state: 'parked', until: this.clock.now() + (privateHold ? PRIVATE_PARKED_MS : PARKED_MS) }
      : { ...drives, state: 'held' };
  }

  /**
   * Creates or restores the lease of a tab that now has a page, as soon as the store takes it.
   *
   * @param stored the tab's lease in the last run; a lease or epoch of this run takes precedence
   */
  opened(tab: string, opener: string | undefined, stored: RestoredLease | undefined): Promise<void> {
    return this.queue.surely(() => {
      const epoch = this.#epochs.get(tab);
      if (stored === undefined || epoch !== undefined || this.#leases.has(tab))
        return this.#decide({ type: 'tab-opened', tab, opener, epoch });
      return this.#restore(tab, stored);
    });
  }

  /** Removes the lease of a closed tab: a remaining lease would block session-wide actions of others forever (CO1). */
  closed(tab: string): Promise<void> {
    return this.queue.surely(() => {
      const lease = this.#leases.get(tab);
      if (lease) this.#epochs.set(tab, lease.epoch);
      return this.#decide({ type: 'tab-closed', tab });
    });
  }

  /**
   * Applies an event for a caller; settles when the change is stored and in force. `note` is passed on with its
   * effects. Throws CONTROL_HELD, CONTROL_LOST, CONFLICT or TAB_NOT_FOUND when the reducer refuses, STORE_BUSY when
   * storing fails or takes longer than `STORE_MS`, and what ends the budget.
   */
  apply(budget: Budget, event: ControlEvent, note?: ChangeNote): Promise<void> {
    return this.queue.run(budget, () => this.#decide(event, note));
  }

  /** Applies an event that has no caller who could repeat it, as soon as the store takes it (`CommandQueue.surely`). */
  applyUntilStored(event: ControlEvent): Promise<void> {
    return this.queue.surely(() => this.#decide(event));
  }

  /**
   * Takes a free tab for the first action on it; returns the epoch that fences its writes (CO2, CO10). Throws as
   * `apply`; when the budget is over, preferably that somebody else has the lease.
   *
   * @param wanted `epoch`: the one that the caller knows; `alone`: the action affects the whole session, so no other
   * participant may hold a lease (CO1)
   */
  async takeFree(
    budget: Budget,
    tab: string,
    by: Holder,
    wanted: { readonly epoch?: number | undefined; readonly alone?: boolean } = {},
  ): Promise<number> {
    const reduced = (): AppliedEvent => {
      if (wanted.epoch !== undefined && wanted.epoch !== this.#leases.get(tab)?.epoch)
        throw this.stale(tab, wanted.epoch);
      if (wanted.alone === true) this.demandAlone(by.id);
      return this.#reduce({ type: 'take-free', tab, by });
    };
    if (budget.over) reduced();
    return this.queue.run(budget, (): Decision<number> => {
      const decision = this.#change(reduced());
      return {
        ...decision,
        apply: () => {
          decision.apply();
          return this.#leases.get(tab)?.epoch ?? 0;
        },
      };
    });
  }

  #decide(event: ControlEvent, note?: ChangeNote): Decision<void> {
    return this.#change(this.#reduce(event), note);
  }

  #reduce(event: ControlEvent): AppliedEvent {
    const result = reduce(this.#leases, event, this.clock.now(), this.#unsettled());
    if (!result.ok) throw this.refusal(result.refusal, 'tab' in event ? event.tab : undefined);
    return result;
  }

  /**
   * A change takes effect only once it is stored: if storing fails nothing changes, so no drain remains that nobody
   * ends. From the decision on, the fence refuses writes of the participant who loses the lease.
   */
  #change({ leases, effects }: AppliedEvent, note?: ChangeNote): Decision<void> {
    const changed = new Map([...leases].filter(([tab, lease]) => this.#leases.get(tab) !== lease));
    const joined = note?.join();
    this.#decided = leases;
    return {
      store: changed.size === 0 && !joined ? undefined : () => this.save({ ...joined?.changes, leases: changed }),
      apply: () => {
        this.#decided = undefined;
        this.#leases = leases;
        this.#changed.emit();
        for (const effect of effects) this.onEffect.emit(effect, note);
        joined?.apply();
      },
      withdraw: () => {
        this.#decided = undefined;
        joined?.withdraw();
        this.#changed.emit();
      },
    };
  }

  #unsettled(): ReadonlySet<string> {
    const tabs = [...this.#leases].filter(([tab, lease]) => {
      const holder = driven(lease)?.holder;
      return holder !== undefined && this.unsettled(tab, holder.id);
    });
    return new Set(tabs.map(([tab]) => tab));
  }

  /**
   * The check right before a write (CO2). Throws CONTROL_LOST; STORE_BUSY while the store saves a decision that takes
   * the lease away: see `pendingDecision`.
   */
  fence(tab: string, actor: string, epoch: number): void {
    this.#demand(tab, (leases) => fence(leases.get(tab), actor, epoch));
  }

  /**
   * Waits until a pending decision that would refuse this write is stored or withdrawn; returns undefined when there is
   * none. Call it before the fence of a write: the participant who loses the lease then gets CONTROL_LOST, and
   * continues when the change could not be stored. Throws STORE_BUSY after `STORE_MS`.
   */
  pendingDecision(mayWrite: () => void): Promise<void> | undefined {
    if (!this.#decided) return undefined;
    try {
      mayWrite();
      return undefined;
    } catch (error) {
      if (!(error instanceof WheelhouseError) || error.code !== 'STORE_BUSY') return undefined;
    }
    const decided = new Promise<void>((resolve) => {
      const off = this.#changed.on(() => {
        if (this.#decided) return;
        off();
        resolve();
      });
    });
    return inTime(this.clock, decided);
  }

  /** Checks the stored leases and those of the pending decision. */
  #demand(tab: string, refusalIn: (leases: LeaseMap) => Refusal | undefined): void {
    const refused = refusalIn(this.#leases);
    if (refused) throw this.refusal(refused, tab);
    if (this.#decided && refusalIn(this.#decided))
      throw new WheelhouseError('STORE_BUSY', { code: 'wheelStoring' }, { details: this.#about(tab) });
  }

  /** Ids of participants who own a lease, and of those to whom a taken lease returns. */
  bound(): ReadonlySet<string> {
    const ids = [...this.#leases.values()].flatMap((lease) => [ownerOf(lease)?.id, driven(lease)?.takenFrom?.id]);
    return new Set(ids.filter((id) => id !== undefined));
  }

  /**
   * Ids of all participants that a lease names: its owner, its next holder, who asks for it, who gets it back. Also by
   * a decision that is being stored.
   */
  named(): ReadonlySet<string> {
    const names = [...this.#leases.values(), ...(this.#decided?.values() ?? [])].flatMap((lease) => [
      ownerOf(lease),
      driven(lease)?.takenFrom,
      ...(lease.state === 'asked' ? [lease.asker] : []),
      ...(lease.state === 'draining' ? [lease.back] : []),
    ]);
    return new Set(names.flatMap((one) => (one ? [one.id] : [])));
  }

  /** The check right before a remedy's write (CO9). Throws CONTROL_HELD. */
  fenceHelp(tab: string, by: Holder): void {
    this.#demand(tab, (leases) => mayHelp(leases.get(tab), by));
  }

  mayAct(tab: string, actor: string): boolean {
    const lease = this.#leases.get(tab);
    return lease?.state === 'free' || driven(lease)?.holder.id === actor;
  }

  /**
   * An action that affects more than its tab requires that no other participant has a lease in the session (CO1).
   * Throws CONTROL_HELD, naming that participant and the tab.
   */
  demandAlone(actor: string): void {
    for (const [tab, lease] of this.#leases) {
      const owner = ownerOf(lease);
      if (owner && owner.id !== actor)
        throw new WheelhouseError(
          'CONTROL_HELD',
          { code: 'wheelBeyond', name: owner.name },
          { hint: `Make a session of your own, or wait: ${howToWait(tab)}.`, details: this.#about(tab) },
        );
    }
  }

  /** The error for a write with an outdated epoch; names the present holder (CO2, CO10). */
  stale(tab: string, given: number): WheelhouseError {
    const lease = this.#leases.get(tab);
    const owner = lease && ownerOf(lease);
    const now = owner === undefined ? 'nobody has it' : `${owner.name} has it`;
    return new WheelhouseError(
      'CONTROL_LOST',
      `The wheel has changed hands: you wrote with epoch ${given}, it is ${lease?.epoch ?? 'none'} now, and ${now}.`,
      {
        hint: `Read it with GET …/tabs/${tab}/control and take a new snapshot, or leave "epoch" out.`,
        details: this.#about(tab),
      },
    );
  }

  /**
   * Whether another person has, or is about to get, the lease of this tab; with `beyond`, of any tab in the session.
   */
  personKeeps(tab: string, actor: string, beyond: boolean): boolean {
    const lease = this.#leases.get(tab);
    const owner = lease && ownerOf(lease);
    return (
      (owner?.kind === 'human' && owner.id !== actor) ||
      (beyond && this.#others(actor).some(({ kind }) => kind === 'human'))
    );
  }

  /** Waits until no person's lease keeps `actor` from acting. Throws TAB_NOT_FOUND when the tab is closed. */
  waitForPerson(budget: Budget, tab: string, actor: string, beyond: boolean): Promise<void> {
    return this.#until(
      budget,
      tab,
      () => this.#leases.get(tab)?.state !== 'draining' && !this.personKeeps(tab, actor, beyond),
    );
  }

  #others(actor: string): Holder[] {
    return [...this.#leases.values()]
      .map(ownerOf)
      .filter((owner): owner is Holder => owner !== undefined && owner.id !== actor);
  }

  /** Waits until `actor` may act on the tab: it is free or theirs. Throws TAB_NOT_FOUND when the tab is closed. */
  waitFor(budget: Budget, tab: string, actor: string): Promise<void> {
    return this.#until(budget, tab, () => this.mayAct(tab, actor));
  }

  /** Waits until nobody holds the tab privately. Throws TAB_NOT_FOUND when the tab is closed. */
  waitForShown(budget: Budget, tab: string): Promise<void> {
    return this.#until(budget, tab, () => privateHoldOf(this.#leases.get(tab)) === undefined);
  }

  /** Waits until the tab's lease is not draining. Throws TAB_NOT_FOUND when the tab is closed. */
  settled(budget: Budget, tab: string): Promise<void> {
    return this.#until(budget, tab, () => this.#leases.get(tab)?.state !== 'draining');
  }

  /** Ends every wait with this error, because the session ends or the server stops. */
  dispose(why: WheelhouseError): void {
    this.#over ??= why;
    this.#changed.emit();
  }

  async #until(budget: Budget, tab: string, reached: () => boolean): Promise<void> {
    const decided = (): boolean => this.#over !== undefined || !this.#leases.has(tab) || reached();
    try {
      budget.check();
      if (!decided()) await this.#changed.waitFor(budget, 'the wheel', () => decided() || undefined);
    } catch (error) {
      throw error instanceof WheelhouseError && error.code === 'TIMEOUT' ? this.#notYet(tab, error) : error;
    }
    if (!this.#leases.has(tab)) throw new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' }, { details: { tab } });
    if (this.#over && !reached()) throw this.#over;
  }

  /** The TIMEOUT of a wait: names the present holder and tells how to wait again. */
  #notYet(tab: string, cause: WheelhouseError): WheelhouseError {
    const lease = this.#leases.get(tab);
    if (!lease) return cause;
    const hint = privateHoldOf(lease)
      ? `Wait again: ${howToWait(tab, 'shown')}.`
      : `Wait again: ${howToWait(tab)}. {"do":"request"} asks for it, {"do":"ask-human"} for a person.`;
    return new WheelhouseError('TIMEOUT', heldBy(lease).said, {
      hint,
      details: { ...cause.details, ...this.#about(tab) },
      cause,
    });
  }

  refusal(refusal: Refusal, tab: string | undefined): WheelhouseError {
    const hint =
      tab !== undefined && refusal.code === 'CONTROL_HELD' ? { hint: `Wait for it: ${howToWait(tab)}.` } : {};
    return new WheelhouseError(refusal.code, refusal.said, {
      ...hint,
      details: tab === undefined ? {} : this.#about(tab),
    });
  }

  /** Details for errors about a tab: its holder, since when (ISO 8601, for showing) and why. */
  #about(tab: string): Record<string, unknown> {
    const lease = this.#leases.get(tab);
    return lease
      ? { tab, holder: ownerOf(lease), since: toClock(lease.since), epoch: lease.epoch, reason: lease.reason }
      : { tab };
  }
}
