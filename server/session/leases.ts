import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { ControlEffect, ControlEvent, PrivateHold, Holder, Lease, LeaseMap, Refusal } from '@/lib/control/lease';
import { reduce } from '@/lib/control/reduce';
import { privateHoldOf, driven, fence, heldBy, mayHelp, ownerOf } from '@/lib/control/rules';
import { Emitter } from '@/server/browser/emitter';
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

/** Why a lease is what it is after a restart. */
export const RESTARTED = 'the server was restarted';

const howToWait = (tab: string, until?: 'shown'): string =>
  until
    ? `GET …/tabs/${tab}/control/wait?until=shown&timeoutMs=60000 answers when the page is shown again`
    : `GET …/tabs/${tab}/control/wait?timeoutMs=60000 answers when you may act`;

/** Owns the leases of one session: applies the reducer, carries out its effects, wakes who waits (CO1, CO2). */
export class Leases {
  readonly onEffect = new Emitter<[ControlEffect]>();
  readonly #changed = new Emitter<[]>();
  #leases: LeaseMap = new Map();
  /** Of tabs that are closed, their last epoch: one that comes back goes on from there (CO2). */
  readonly #epochs = new Map<string, number>();
  /** Why nothing can be waited for any more. */
  #over: WheelhouseError | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly save: (tab: string, lease: Lease) => void,
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
  restore(tab: string, known: RestoredLease): void {
    const lease = this.#restored(known);
    this.#set(new Map(this.#leases).set(tab, lease));
    const cover = privateHoldOf(lease);
    if (cover) this.onEffect.emit({ type: 'cover', tab, cover });
    const holder = driven(lease)?.holder;
    if (holder) this.onEffect.emit({ type: 'changed', tab, change: 'parked', by: holder, lease });
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
  opened(tab: string, opener: string | undefined, stored: RestoredLease | undefined): void {
    const epoch = this.#epochs.get(tab);
    if (stored === undefined || epoch !== undefined || this.#leases.has(tab))
      this.apply({ type: 'tab-opened', tab, opener, epoch });
    else this.restore(tab, stored);
  }

  /** The lease goes with its tab: one that stayed would keep others from what reaches beyond a tab, for ever (CO1). */
  closed(tab: string): void {
    const lease = this.#leases.get(tab);
    if (lease) this.#epochs.set(tab, lease.epoch);
    this.apply({ type: 'tab-closed', tab });
  }

  /** Throws CONTROL_HELD, CONTROL_LOST, CONFLICT or TAB_NOT_FOUND when the reducer refuses. */
  apply(event: ControlEvent): void {
    const result = reduce(this.#leases, event, this.clock.now(), this.#unsettled());
    if (!result.ok) throw this.refusal(result.refusal, 'tab' in event ? event.tab : undefined);
    this.#set(result.leases);
    for (const effect of result.effects) this.onEffect.emit(effect);
  }

  #unsettled(): ReadonlySet<string> {
    const tabs = [...this.#leases].filter(([tab, lease]) => {
      const holder = driven(lease)?.holder;
      return holder !== undefined && this.unsettled(tab, holder.id);
    });
    return new Set(tabs.map(([tab]) => tab));
  }

  /** The check right before a write (CO2). Throws CONTROL_LOST. */
  fence(tab: string, actor: string, epoch: number): void {
    const refused = fence(this.#leases.get(tab), actor, epoch);
    if (refused) throw this.refusal(refused, tab);
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
    const refused = mayHelp(this.#leases.get(tab), by);
    if (refused) throw this.refusal(refused, tab);
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

  #set(leases: LeaseMap): void {
    // Stored before it counts: a change that cannot be kept does not happen, so that no drain is left without anybody
    // to end it.
    for (const [tab, lease] of leases) if (this.#leases.get(tab) !== lease) this.save(tab, lease);
    this.#leases = leases;
    this.#changed.emit();
  }
}
