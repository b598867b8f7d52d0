import { withBudget, type Budget } from '@/lib/budget/budget';
import type { ControlEffect, PrivateHold } from '@/lib/control/lease';
import { privateHoldOf } from '@/lib/control/rules';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { formatMessage } from '@/lib/messages/format';
import { painted } from '@/server/browser/painted';
import { Timers } from '@/lib/async/timers';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { TRACES } from '@/server/session/feature-slots';
import { PrivateField } from './private-field';
import type { SessionTab } from '@/server/session/session-tab';
import { privateMeanwhile, type PageAddress, type Visibility } from '@/server/session/visibility';
import type { RowContext } from '@/server/session/timeline';

/**
 * What other participants see of a privately held page: an empty title and address, because even the address from
 * before the hold shows where the holder signs in.
 */
const HIDDEN_PAGE: PageAddress = { url: '', title: '' };

/** A tab under a private hold, or one whose hold is being lifted. */
interface HeldTab {
  readonly privateHold: PrivateHold;
  /** The page's address and title before the hold. */
  readonly place: PageAddress;
  /** Settles when the tab is prepared and its holder may type. */
  readonly prepared: Promise<void>;
  /** Set while the hold is being lifted; settles when other participants may see the tab. */
  lifting?: Promise<void>;
  /** The lifting of the hold before this one, if this hold began during it. */
  readonly before: Promise<void> | undefined;
}

/** Deadline for preparing a hold, and for one attempt to lift it. Milliseconds. */
const PREPARE_MS = 2_000;
const LIFT_MS = 3_000;
/** Pause before the next attempt to lift a hold. Milliseconds. */
const LIFT_RETRY_MS = 300;
/** Deadline for opening a fresh page. Milliseconds. */
const REOPEN_MS = 10_000;

/**
 * Private holds (CO8). During a hold only the holder sees pictures of the tab, all reads of its page are refused, and
 * it gets no timeline rows. Before the hold is lifted, the fields that were typed into are masked, console and network
 * events of the hold have arrived and were dropped, and the page has painted a new picture. Readers compare the
 * visibility epoch before and after a read and discard a result that crosses an edge of a hold.
 */
class Privacy implements Visibility, Hooks {
  readonly #heldTabs = new Map<string, HeldTab>();
  readonly #epochs = new Map<string, number>();
  /** By tab: the watched field, where the hold ends when the focus leaves it. */
  readonly #fields = new Map<string, PrivateField>();
  readonly #timers: Timers;
  #pauses = 0;

  constructor(private readonly kernel: SessionKernel) {
    this.#timers = new Timers(kernel.services.clock);
    kernel.leases.onEffect.on((effect) => this.#carryOut(effect));
    kernel.onInput.on((sessionTab) => this.#fields.get(sessionTab.tab.id)?.look(sessionTab));
    kernel.registry.onAdded.on((sessionTab) => {
      if (this.#heldTabs.has(sessionTab.tab.id)) this.#hideFromOthers(sessionTab);
      sessionTab.tab.page.onDocument.on((_, main) => {
        if (main) this.#navigated(sessionTab);
      });
    });
  }

  /**
   * Explains to people why this participant may not see the tab. Undefined when they may; the holder may, in every
   * window.
   */
  hides(tab: string, participant: string | undefined): string | undefined {
    const held = this.#heldTabs.get(tab);
    if (!held || held.privateHold.by.id === participant) return undefined;
    return formatMessage({ code: 'wheelPrivate', name: held.privateHold.by.name }).text;
  }

  /** Gives an empty address and title while another participant holds the tab privately; undefined otherwise. */
  placeFor(tab: string, participant: string | undefined): PageAddress | undefined {
    return this.hides(tab, participant) === undefined ? undefined : HIDDEN_PAGE;
  }

  /** True while the tab is held privately: nothing of it may be stored or logged. */
  isHeldPrivately(tab: string): boolean {
    return privateHoldOf(this.kernel.leases.lease(tab)) !== undefined;
  }

  /** True while any tab of the session is held privately or is being uncovered. */
  get any(): boolean {
    return this.#heldTabs.size > 0;
  }

  /** Whether this participant holds any tab privately. */
  holds(participant: string): boolean {
    return [...this.kernel.leases.leases.values()].some((lease) => privateHoldOf(lease)?.by.id === participant);
  }

  /**
   * Whether a tab is shown to this participant and hidden from others. It stays so after the hand-back of a private
   * hold until the page is shown again, so this lasts longer than `holds`.
   */
  seesHidden(participant: string): boolean {
    return [...this.#heldTabs.values()].some(({ privateHold }) => privateHold.by.id === participant);
  }

  /**
   * Keeps rows of a privately held tab, and of refusals to a participant who holds any tab privately, off the timeline.
   * `control` rows always appear.
   */
  hidesRow({ kind, tab, actor }: RowContext): boolean {
    if (kind === 'control') return false;
    const secretly = kind === 'refused' && actor !== undefined && this.holds(actor);
    return secretly || (tab !== undefined && this.isHeldPrivately(tab));
  }

  /** Throws CONTROL_HELD while the tab is held privately, also for its holder. Waits while the hold is being lifted. */
  async readable(budget: Budget, tab: string): Promise<void> {
    this.demand(tab);
    await this.lifted(budget, tab);
    this.demand(tab);
  }

  /** Waits until the hold is lifted, if it is being lifted now. */
  async lifted(budget: Budget, tab: string): Promise<void> {
    const lifting = this.#heldTabs.get(tab)?.lifting;
    if (lifting) await budget.during('the page to be shown again', () => lifting);
  }

  /** Throws CONTROL_HELD while the tab is held privately. */
  demand(tab: string): void {
    const privateHold = privateHoldOf(this.kernel.leases.lease(tab));
    if (privateHold) throw this.refusal(tab, privateHold);
  }

  /**
   * Throws CONTROL_HELD while another participant holds any tab of the session privately. Scripts need this check,
   * because a script can reach into other tabs.
   */
  demandNone(participant: string): void {
    for (const [tab, lease] of this.kernel.leases.leases) {
      const privateHold = privateHoldOf(lease);
      if (privateHold && privateHold.by.id !== participant) throw this.refusal(tab, privateHold);
    }
  }

  /**
   * The visibility epoch: grows when a private hold begins and when it ends; undefined while the tab may not be read. A
   * result read at another epoch is discarded.
   */
  visibilityEpoch(tab: string): number | undefined {
    return this.#heldTabs.has(tab) ? undefined : (this.#epochs.get(tab) ?? 0);
  }

  /**
   * Throws CONTROL_HELD when the tab may not be read, or a private hold began or ended since the caller read `epoch`;
   * the caller discards its result.
   */
  demandSame(tab: string, epoch: number | undefined): void {
    if (epoch === undefined || epoch !== this.visibilityEpoch(tab)) throw privateMeanwhile();
  }

  refusal(tab: string, privateHold: PrivateHold): WheelhouseError {
    const hint = `Wait until it is over: GET …/tabs/${tab}/control/wait?until=shown&timeoutMs=60000. …/control tells "private" while it lasts.`;
    return new WheelhouseError(
      'CONTROL_HELD',
      { code: 'wheelPrivate', name: privateHold.by.name },
      { hint, details: { tab, holder: privateHold.by, private: true, reason: privateHold.reason } },
    );
  }

  /** Waits until the hold is prepared, so that nobody else sees what its holder types; gives up after `PREPARE_MS`. */
  async prepared(budget: Budget, tab: string): Promise<void> {
    await budget.race(this.#heldTabs.get(tab)?.prepared ?? Promise.resolve());
  }

  #navigated({ tab: { id, tools } }: SessionTab): void {
    this.#fields.get(id)?.navigated();
    if (this.#heldTabs.has(id))
      void withBudget({ timeoutMs: PREPARE_MS, clock: this.kernel.services.clock }, (budget) =>
        tools.privateFields.begin(budget, true),
      );
  }

  /**
   * Replaces a page that its holder left private by a fresh one at the address from before the hold. Throws when the
   * page cannot be made.
   */
  async openFreshPage(tab: string): Promise<void> {
    const sessionTab = this.kernel.registry.get(tab);
    if (!sessionTab) return;
    await withBudget({ timeoutMs: REOPEN_MS, clock: this.kernel.services.clock }, (budget) =>
      this.kernel.tabs.reopen(budget, sessionTab, this.#heldTabs.get(tab)?.place.url ?? ''),
    );
  }

  dispose(): void {
    for (const field of this.#fields.values()) field.dispose();
    this.#timers.dispose();
  }

  #carryOut(effect: ControlEffect): void {
    if (effect.type !== 'private-hold') return;
    const { tab, privateHold } = effect;
    const held = this.#heldTabs.get(tab);
    this.#follow(tab, privateHold);
    if (privateHold) this.#begin(tab, privateHold, held);
    else if (!this.kernel.leases.lease(tab)) this.#heldTabs.delete(tab);
    else if (held && !held.lifting) held.lifting = this.#lift(tab, held, held.before);
  }

  #begin(tab: string, privateHold: PrivateHold, before: HeldTab | undefined): void {
    const sessionTab = this.kernel.registry.get(tab);
    const again = before !== undefined && !before.lifting;
    const place = before?.place ?? { url: sessionTab?.tab.url ?? '', title: sessionTab?.tab.title ?? '' };
    if (!again) this.#advanceEpoch(tab);
    this.#heldTabs.set(tab, {
      privateHold,
      place,
      prepared: again ? before.prepared : this.#prepare(tab, privateHold),
      before: before?.lifting ?? before?.before,
    });
    if (sessionTab) this.#hideFromOthers(sessionTab);
    this.kernel.changed();
  }

  /** Watches the focused field when the hold is to end with it (`until: 'field'`). */
  #follow(tab: string, privateHold: PrivateHold | undefined): void {
    const {
      leases,
      services: { clock },
    } = this.kernel;
    const before = this.#fields.get(tab);
    if (privateHold?.until === 'field' && before) return;
    before?.dispose();
    this.#fields.delete(tab);
    if (privateHold?.until !== 'field') return;
    const field = new PrivateField(clock, () => {
      leases.applyUntilStored({ type: 'show', tab, by: privateHold.by, why: 'field left' }).catch((error: unknown) => {
        this.kernel.services.logger.warn(
          { tab, reason: messageOf(error) },
          'a private field was left, and the page stays private',
        );
      });
    });
    this.#fields.set(tab, field);
    const sessionTab = this.kernel.registry.get(tab);
    if (sessionTab) field.look(sessionTab);
  }

  #hideFromOthers(sessionTab: SessionTab): void {
    sessionTab.tab.watch.setClosed(true);
    this.kernel.onVisibility.emit(sessionTab, false);
  }

  /**
   * Aborts what other participants read of the page or run in it, ends all traces, and records the present contents of
   * the fields to detect later which ones were typed into. Never rejects.
   */
  async #prepare(tab: string, { by }: PrivateHold): Promise<void> {
    const {
      leases,
      runningActions,
      services: { clock },
    } = this.kernel;
    const lease = leases.lease(tab);
    const privateHold = privateHoldOf(lease);
    for (const running of runningActions.all())
      if (running.actor !== by.id && privateHold && (running.tab === tab || running.scripted))
        running.budget.abort(this.refusal(tab, privateHold));
    await withBudget({ timeoutMs: PREPARE_MS, clock }, (budget) =>
      Promise.allSettled([
        TRACES.of(this.kernel).endAll(budget),
        this.kernel.registry.get(tab)?.tab.tools.privateFields.begin(budget),
      ]),
    );
  }

  /** Retries until the page can be shown. A page that hangs stays covered. */
  async #lift(tab: string, held: HeldTab, before: Promise<void> | undefined): Promise<void> {
    // Two lifts of one page must not run at once: both would wait for its next paint.
    await before;
    while (this.#heldTabs.get(tab) === held && !this.#timers.disposed) {
      const sessionTab = this.kernel.registry.get(tab);
      if (sessionTab && (await this.#ready(sessionTab))) {
        if (this.#heldTabs.get(tab) === held && this.kernel.registry.get(tab) === sessionTab)
          return this.#uncover(sessionTab);
      } else await this.#pause();
    }
  }

  #pause(): Promise<void> {
    this.#pauses += 1;
    const name = `pause ${this.#pauses}`;
    return new Promise((resolve) => this.#timers.plan(name, LIFT_RETRY_MS, resolve));
  }

  async #ready({ tab }: SessionTab): Promise<boolean> {
    try {
      await withBudget({ timeoutMs: LIFT_MS, clock: this.kernel.services.clock }, async (budget) => {
        await tab.tools.privateFields.keep(budget);
        await tab.watch.eventsReported(budget);
        await painted(budget, tab.sessions.bulk);
      });
      return true;
    } catch (error) {
      this.kernel.services.logger.debug(
        { tab: tab.id, reason: messageOf(error) },
        'a page that was private cannot be shown yet',
      );
      return false;
    }
  }

  #uncover(sessionTab: SessionTab): void {
    const { id } = sessionTab.tab;
    this.kernel.tabFactory.forgetPrivateClipboard(id);
    sessionTab.tab.snapshots.forget();
    sessionTab.tab.watch.setClosed(false);
    this.#advanceEpoch(id);
    this.#heldTabs.delete(id);
    this.kernel.onVisibility.emit(sessionTab, true);
    this.kernel.changed();
  }

  #advanceEpoch(tab: string): void {
    this.#epochs.set(tab, (this.#epochs.get(tab) ?? 0) + 1);
  }
}

/** Hides privately held tabs from everybody but their holder (CO8). */
export const privacy: Feature = {
  name: 'privacy',
  start: (kernel) => {
    const made = new Privacy(kernel);
    kernel.visibility = made;
    return made;
  },
};
