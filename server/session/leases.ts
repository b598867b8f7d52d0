import { WheelhouseError } from '@/lib/errors/error';
import type { Receipt } from '@/lib/actions/receipt';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { ControlEffect, ControlEvent, PrivateHold, Holder, Lease, LeaseMap, Refusal } from '@/lib/control/lease';
import { reduce } from '@/lib/control/reduce';
import { privateHoldOf, driven, fence, heldBy, mayHelp, ownerOf } from '@/lib/control/rules';
import { Emitter } from '@/server/browser/emitter';
import { inTime, type CommandQueue, type Decision } from './queue';
import { toClock } from './to-clock';

/** Who had a tab when the server stopped, and at which epoch. */
export interface RestoredLease {
  readonly epoch: number;
  readonly holder: Holder | null;
  readonly takenFrom: Holder | null;
  /** What the holder kept private. */
  readonly cover: Pick<PrivateHold, 'reason' | 'until'> | null;
}

/**
 * How long the wheel of somebody whose connection is lost waits for them; it never goes back to an agent by itself
 * (CO7). Milliseconds.
 */
export const PARKED_MS = 15_000;

/**
 * So long what was held privately waits for who lost the connection; then its page goes, and all that was entered in it
 * (CO8). Milliseconds.
 */
export const PRIVATE_PARKED_MS = 300_000;

/** What goes with a change of hands: what its giver says, and what each receiver, by tab, is told (CO5). */
export interface ChangeNote {
  readonly note: string | undefined;
  readonly receipts: ReadonlyMap<string, Receipt>;
}

/** Why a lease is what it is after a restart. */
export const RESTARTED = 'the server was restarted';

const howToWait = (tab: string, until?: 'shown'): string =>
  until
    ? `GET …/tabs/${tab}/control/wait?until=shown&timeoutMs=60000 answers when the page is shown again`
    : `GET …/tabs/${tab}/control/wait?timeoutMs=60000 answers when you may act`;

/** Owns the leases of one session: applies the reducer, carries out its effects, wakes who waits (CO1, CO2). */
export class Leases {
  readonly onEffect = new Emitter<[ControlEffect, ChangeNote | undefined]>();
  readonly #changed = new Emitter<[]>();
  /** Those that are stored. */
  #leases: LeaseMap = new Map();
  /** Those that were decided and are being stored: until they are, a write needs both (CO2). */
  #decided: LeaseMap | undefined;
  /** Of tabs that are closed, their last epoch: one that comes back goes on from there (CO2). */
  readonly #epochs = new Map<string, number>();
  /** Why nothing can be waited for any more. */
  #over: WheelhouseError | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly queue: CommandQueue,
    /** Stores these leases, all or none. */
    private readonly save: (leases: LeaseMap) => Promise<unknown>,
    /** Whether input or a script of this participant is still on its way to the tab's page. */
    private readonly unsettled: (tab: string, participant: string) => boolean = () => false,
  ) {}

  lease(tab: string): Lease | undefined {
    return this.#leases.get(tab);
  }

  get leases(): LeaseMap {
    return this.#leases;
  }

  /**
   * Puts back what was stored; the epoch grows, so that nothing written before a restart counts any more. Whoever had
   * the tab has it still: a person for as long as a lost connection is waited for, an agent until it is idle (CO7,
   * CO10).
   */
  restore(tab: string, known: RestoredLease): Promise<void> {
    return this.queue.run(() => this.#restore(tab, known));
  }

  #restore(tab: string, known: RestoredLease): Decision<void> {
    const lease = this.#restored(known);
    const cover = privateHoldOf(lease);
    const holder = driven(lease)?.holder;
    const effects: ControlEffect[] = [
      ...(cover ? [{ type: 'cover' as const, tab, cover }] : []),
      ...(holder ? [{ type: 'changed' as const, tab, change: 'parked' as const, by: holder, lease }] : []),
    ];
    return this.#change(new Map(this.#leases).set(tab, lease), effects);
  }

  #restored({ epoch, holder, takenFrom, cover }: RestoredLease): Lease {
    const base = { epoch: epoch + 1, since: this.clock.now(), reason: RESTARTED };
    if (!holder) return { ...base, state: 'free' };
    const drives = {
      ...base,
      holder,
      takenFrom: takenFrom ?? undefined,
      cover: cover ? { ...cover, by: holder, since: base.since } : undefined,
    };
    return holder.kind === 'human'
      ? { ...drives, state: 'parked', until: this.clock.now() + (cover ? PRIVATE_PARKED_MS : PARKED_MS) }
      : { ...drives, state: 'held' };
  }

  /** The tab has a page. `stored`: its lease in the last run; what was of it in this one goes before. */
  opened(tab: string, opener: string | undefined, stored: RestoredLease | undefined): Promise<void> {
    return this.queue.run(() => {
      const epoch = this.#epochs.get(tab);
      if (stored === undefined || epoch !== undefined || this.#leases.has(tab))
        return this.#decide({ type: 'tab-opened', tab, opener, epoch });
      return this.#restore(tab, stored);
    });
  }

  /** The lease goes with its tab: one that stayed would keep others from what reaches beyond a tab, for ever (CO1). */
  closed(tab: string): Promise<void> {
    return this.queue.run(() => {
      const lease = this.#leases.get(tab);
      if (lease) this.#epochs.set(tab, lease.epoch);
      return this.#decide({ type: 'tab-closed', tab });
    });
  }

  /**
   * Settles when it is stored and counts. `note` goes with its effects. Throws CONTROL_HELD, CONTROL_LOST, CONFLICT or
   * TAB_NOT_FOUND when the reducer refuses, STORE_BUSY when it cannot be stored, or not within `STORE_MS`.
   */
  apply(event: ControlEvent, note?: ChangeNote): Promise<void> {
    return this.queue.run(() => this.#decide(event, note));
  }

  /**
   * The first action on a free tab takes it. Gives the epoch that its writes are fenced with (CO2, CO10).
   *
   * @param wanted the epoch that the caller knows; `alone`: it reaches beyond the tab (CO1)
   */
  claim(tab: string, by: Holder, wanted: { readonly epoch?: number | undefined; readonly alone?: boolean } = {}) {
    return this.queue.run((): Decision<number> => {
      if (wanted.epoch !== undefined && wanted.epoch !== this.#leases.get(tab)?.epoch)
        throw this.stale(tab, wanted.epoch);
      if (wanted.alone === true) this.demandAlone(by.id);
      const decision = this.#decide({ type: 'claim', tab, by });
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
    const result = reduce(this.#leases, event, this.clock.now(), this.#unsettled());
    if (!result.ok) throw this.refusal(result.refusal, 'tab' in event ? event.tab : undefined);
    return this.#change(result.leases, result.effects, note);
  }

  /**
   * Stored before it counts: a change that cannot be kept does not happen, so that no drain is left without anybody to
   * end it. From the decision on, whoever loses by it writes nothing.
   */
  #change(leases: LeaseMap, effects: readonly ControlEffect[], note?: ChangeNote): Decision<void> {
    const changed = new Map([...leases].filter(([tab, lease]) => this.#leases.get(tab) !== lease));
    this.#decided = leases;
    return {
      store: changed.size === 0 ? undefined : () => this.save(changed),
      apply: () => {
        this.#decided = undefined;
        this.#leases = leases;
        this.#changed.emit();
        for (const effect of effects) this.onEffect.emit(effect, note);
      },
      withdraw: () => {
        this.#decided = undefined;
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
   * The check right before a write (CO2). Throws CONTROL_LOST; STORE_BUSY while it is being stored that the wheel goes
   * elsewhere: see `undecided`.
   */
  fence(tab: string, actor: string, epoch: number): void {
    this.#demand(tab, (leases) => fence(leases.get(tab), actor, epoch));
  }

  /**
   * Settles when it is stored, or is not going to be, what becomes of the wheel that a write needs; undefined when
   * nothing of the kind is being stored. Throws STORE_BUSY after `STORE_MS`. To be asked before the fence of a write:
   * so whoever loses the wheel is told that it is lost, and goes on when the change could not be stored.
   */
  undecided(mayWrite: () => void): Promise<void> | undefined {
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

  /** Both as it is stored and as it was decided. */
  #demand(tab: string, refusalIn: (leases: LeaseMap) => Refusal | undefined): void {
    const refused = refusalIn(this.#leases);
    if (refused) throw this.refusal(refused, tab);
    if (this.#decided && refusalIn(this.#decided))
      throw new WheelhouseError('STORE_BUSY', { code: 'wheelStoring' }, { details: this.#about(tab) });
  }

  /** Everybody who has a wheel, or from whom one was taken that comes back. */
  bound(): ReadonlySet<string> {
    const ids = [...this.#leases.values()].flatMap((lease) => [ownerOf(lease)?.id, driven(lease)?.takenFrom?.id]);
    return new Set(ids.filter((id) => id !== undefined));
  }

  /** Everybody whom a lease names: who has the wheel, gets it, asks for it or will get it back. */
  named(): ReadonlySet<string> {
    const names = [...this.#leases.values()].flatMap((lease) => [
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
   * What reaches beyond one tab needs that nobody else has the wheel of any tab of the session (CO1). Throws
   * CONTROL_HELD, naming who has which.
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

  /** The epoch that a caller wrote with is over. Says who has the wheel now (CO2, CO10). */
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

  /** A person has, or is about to get, the wheel of this tab, or of any when the action reaches beyond it. */
  personKeeps(tab: string, actor: string, beyond: boolean): boolean {
    const lease = this.#leases.get(tab);
    const owner = lease && ownerOf(lease);
    return (
      (owner?.kind === 'human' && owner.id !== actor) ||
      (beyond && this.#others(actor).some(({ kind }) => kind === 'human'))
    );
  }

  /** Settles when no person keeps `actor` from it any more. Throws TAB_NOT_FOUND when the tab is closed. */
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

  /** Settles when `actor` may act on the tab: it is free or theirs. Throws TAB_NOT_FOUND when the tab is closed. */
  waitFor(budget: Budget, tab: string, actor: string): Promise<void> {
    return this.#until(budget, tab, () => this.mayAct(tab, actor));
  }

  /** Settles when the tab is not held privately. Throws TAB_NOT_FOUND when the tab is closed. */
  waitForShown(budget: Budget, tab: string): Promise<void> {
    return this.#until(budget, tab, () => privateHoldOf(this.#leases.get(tab)) === undefined);
  }

  /** Settles when the tab is not changing hands. Throws TAB_NOT_FOUND when the tab is closed. */
  settled(budget: Budget, tab: string): Promise<void> {
    return this.#until(budget, tab, () => this.#leases.get(tab)?.state !== 'draining');
  }

  /** Ends every wait: of a session that is over, or whose server stops. */
  dispose(
    why = new WheelhouseError('ABORTED', 'The server stopped; the wheel stays with who has it.', {
      hint: 'Wait again when the server is back.',
    }),
  ): void {
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

  /** Who it was waited for, and how to wait on. */
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

  /** Who has a tab, since when (ISO 8601, for showing), and why: for errors. */
  #about(tab: string): Record<string, unknown> {
    const lease = this.#leases.get(tab);
    return lease
      ? { tab, holder: ownerOf(lease), since: toClock(lease.since), epoch: lease.epoch, reason: lease.reason }
      : { tab };
  }
}
