import { withBudget, type Budget } from '@/lib/budget/budget';
import type { ControlEffect, PrivateHold } from '@/lib/control/lease';
import { privateHoldOf } from '@/lib/control/rules';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { formatMessage } from '@/lib/messages/format';
import { painted } from '@/server/browser/painted';
import { Timers } from '@/lib/async/timers';
import { privateMeanwhile } from '@/server/session/snapshot-feed';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { TRACES } from '@/server/session/queries';
import { PrivateField } from './private-field';
import type { SessionTab } from '@/server/session/session-tab';
import type { PageAddress, Visibility } from '@/server/session/visibility';
import type { RowContext } from '@/server/session/timeline';

/**
 * What others are told of a page while it is private: what it was called before says where its holder is signing in.
 */
const UNTOLD: PageAddress = { url: '', title: '' };

/** One tab that is held privately, or that is just about to be shown again. */
interface HeldTab {
  readonly cover: PrivateHold;
  /** Where the page was before. */
  readonly place: PageAddress;
  /** What has to be done before anything is typed. */
  readonly raised: Promise<void>;
  /** Set while it is being lifted; settles when others may look. */
  lifting?: Promise<void>;
  /** The lifting of an earlier one that this one overtook. */
  readonly before: Promise<void> | undefined;
}

/** What a raise or one try to lift may take, milliseconds. */
const RAISE_MS = 2_000;
const LIFT_MS = 3_000;
/** A page that could not be made fit to be shown is tried again after this. Milliseconds. */
const AGAIN_MS = 300;
/** A fresh page may take this long, milliseconds. */
const ANEW_MS = 10_000;

/**
 * Private holds (CO8). While one lasts nothing of the page reaches anybody but its holder: no picture, no reading, no
 * row. It is lifted only when the fields that were typed into are masked, what the page said meanwhile has been told to
 * nobody, and the page has painted what it is now. What was begun before an edge and ends after it is thrown away:
 * `sight` tells.
 */
class Privacy implements Visibility, Hooks {
  readonly #veils = new Map<string, HeldTab>();
  readonly #sights = new Map<string, number>();
  /** Of the tabs whose hold ends by itself. */
  readonly #fields = new Map<string, PrivateField>();
  readonly #timers: Timers;
  #pauses = 0;

  constructor(private readonly kernel: SessionKernel) {
    this.#timers = new Timers(kernel.services.clock);
    kernel.leases.onEffect.on((effect) => this.#carryOut(effect));
    kernel.onInput.on((sessionTab) => this.#fields.get(sessionTab.tab.id)?.look(sessionTab));
    kernel.registry.onAdded.on((sessionTab) => {
      if (this.#veils.has(sessionTab.tab.id)) this.#cover(sessionTab);
      sessionTab.tab.page.onDocument.on((_, main) => {
        if (main) this.#otherPage(sessionTab);
      });
    });
  }

  /** Grows at both edges of every private hold: what was read of the tab at another number is never handed out. */
  sight(tab: string): number {
    return this.#sights.get(tab) ?? 0;
  }

  /** Why this participant may not see the tab, for people; undefined: they may. Its holder may, in every window. */
  hides(tab: string, participant: string | undefined): string | undefined {
    const veil = this.#veils.get(tab);
    if (!veil || veil.cover.by.id === participant) return undefined;
    return formatMessage({ code: 'wheelPrivate', name: veil.cover.by.name }).text;
  }

  /**
   * How the tab is called to this participant, where that is not as it is: while somebody else holds it privately, not
   * at all.
   */
  placeFor(tab: string, participant: string | undefined): PageAddress | undefined {
    return this.hides(tab, participant) === undefined ? undefined : UNTOLD;
  }

  /** Whether nothing of the tab is to be written down. */
  isHeldPrivately(tab: string): boolean {
    return privateHoldOf(this.kernel.leases.lease(tab)) !== undefined;
  }

  /** Whether any tab of the session is held privately, or just being shown again. */
  get any(): boolean {
    return this.#veils.size > 0;
  }

  /** Whether this participant holds any tab privately. */
  holds(participant: string): boolean {
    return [...this.kernel.leases.leases.values()].some((lease) => privateHoldOf(lease)?.by.id === participant);
  }

  /** Of what happens in a private tab, and of what is refused to who holds one, the timeline has no words. */
  hidesRow({ kind, tab, actor }: RowContext): boolean {
    if (kind === 'control') return false;
    const secretly = kind === 'refused' && actor !== undefined && this.holds(actor);
    return secretly || (tab !== undefined && this.isHeldPrivately(tab));
  }

  /**
   * Nothing is read of a page that is held privately, by nobody; one that is just being shown again is waited for.
   * Throws CONTROL_HELD.
   */
  async readable(budget: Budget, tab: string): Promise<void> {
    this.demand(tab);
    await this.lifted(budget, tab);
    this.demand(tab);
  }

  /** Settles when the tab is not just being shown again. */
  async lifted(budget: Budget, tab: string): Promise<void> {
    const lifting = this.#veils.get(tab)?.lifting;
    if (lifting) await budget.during('the page to be shown again', () => lifting);
  }

  /** Throws CONTROL_HELD while the tab is held privately. */
  demand(tab: string): void {
    const cover = privateHoldOf(this.kernel.leases.lease(tab));
    if (cover) throw this.refusal(tab, cover);
  }

  /**
   * For what reaches into other tabs, such as a script: throws CONTROL_HELD while another participant holds any tab of
   * the session privately.
   */
  demandNone(participant: string): void {
    for (const [tab, lease] of this.kernel.leases.leases) {
      const cover = privateHoldOf(lease);
      if (cover && cover.by.id !== participant) throw this.refusal(tab, cover);
    }
  }

  /** What was read under `sight` is thrown away when somebody held the tab privately since. Throws CONTROL_HELD. */
  demandSame(tab: string, sight: number): void {
    if (sight !== this.sight(tab)) throw privateMeanwhile();
  }

  /** The present number of a tab that may be read; undefined while it may not. */
  visibilityEpoch(tab: string): number | undefined {
    return this.#veils.has(tab) ? undefined : this.sight(tab);
  }

  refusal(tab: string, cover: PrivateHold): WheelhouseError {
    const hint = `Wait until it is over: GET …/tabs/${tab}/control/wait?until=shown&timeoutMs=60000. …/control tells "private" while it lasts.`;
    return new WheelhouseError(
      'CONTROL_HELD',
      { code: 'wheelPrivate', name: cover.by.name },
      { hint, details: { tab, holder: cover.by, private: true, reason: cover.reason } },
    );
  }

  /** Settles when the page is ready to be typed into unseen, or does not answer. */
  async raised(budget: Budget, tab: string): Promise<void> {
    await budget.race(this.#veils.get(tab)?.raised ?? Promise.resolve());
  }

  #otherPage({ tab: { id, tools } }: SessionTab): void {
    this.#fields.get(id)?.navigated();
    if (this.#veils.has(id))
      void withBudget({ timeoutMs: RAISE_MS, clock: this.kernel.services.clock }, (budget) =>
        tools.privateFields.begin(budget, true),
      );
  }

  /**
   * A fresh page, as the one before it became private, in the place of one that its holder left so. Throws when it
   * cannot be made.
   */
  async openAnew(tab: string): Promise<void> {
    const sessionTab = this.kernel.registry.get(tab);
    if (!sessionTab) return;
    await withBudget({ timeoutMs: ANEW_MS, clock: this.kernel.services.clock }, (budget) =>
      this.kernel.tabs.reopen(budget, sessionTab, this.#veils.get(tab)?.place.url ?? ''),
    );
  }

  dispose(): void {
    for (const field of this.#fields.values()) field.dispose();
    this.#timers.dispose();
  }

  #carryOut(effect: ControlEffect): void {
    if (effect.type !== 'cover') return;
    const { tab, cover } = effect;
    const veil = this.#veils.get(tab);
    this.#follow(tab, cover);
    if (cover) this.#raise(tab, cover, veil);
    else if (!this.kernel.leases.lease(tab)) this.#veils.delete(tab);
    else if (veil && !veil.lifting) veil.lifting = this.#lift(tab, veil, veil.before);
  }

  #raise(tab: string, cover: PrivateHold, before: HeldTab | undefined): void {
    const sessionTab = this.kernel.registry.get(tab);
    const again = before !== undefined && !before.lifting;
    const place = before?.place ?? { url: sessionTab?.tab.url ?? '', title: sessionTab?.tab.title ?? '' };
    if (!again) this.#edge(tab);
    this.#veils.set(tab, {
      cover,
      place,
      raised: again ? before.raised : this.#prepare(tab, cover),
      before: before?.lifting ?? before?.before,
    });
    if (sessionTab) this.#cover(sessionTab);
    this.kernel.changed();
  }

  /** Ends by itself when the field is left, if so chosen. */
  #follow(tab: string, cover: PrivateHold | undefined): void {
    const {
      leases,
      services: { clock },
    } = this.kernel;
    const before = this.#fields.get(tab);
    if (cover?.until === 'field' && before) return;
    before?.dispose();
    this.#fields.delete(tab);
    if (cover?.until !== 'field') return;
    const field = new PrivateField(clock, () => {
      leases.apply({ type: 'show', tab, by: cover.by, why: 'field left' }).catch((error: unknown) => {
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

  #cover(sessionTab: SessionTab): void {
    sessionTab.tab.watch.setClosed(true);
    sessionTab.feed.cover();
    sessionTab.streams.refresh();
  }

  /**
   * What others read of the page ends; what is in its fields now is remembered, to tell what is typed. Never rejects.
   */
  async #prepare(tab: string, { by }: PrivateHold): Promise<void> {
    const {
      leases,
      runningActions,
      services: { clock },
    } = this.kernel;
    const lease = leases.lease(tab);
    const cover = privateHoldOf(lease);
    for (const running of runningActions.all())
      if (running.actor !== by.id && cover && (running.tab === tab || running.scripted))
        running.budget.abort(this.refusal(tab, cover));
    await withBudget({ timeoutMs: RAISE_MS, clock }, (budget) =>
      Promise.allSettled([
        TRACES.of(this.kernel).endAll(budget),
        this.kernel.registry.get(tab)?.tab.tools.privateFields.begin(budget),
      ]),
    );
  }

  /** Tries until the page can be shown; one that hangs stays covered. */
  async #lift(tab: string, veil: HeldTab, before: Promise<void> | undefined): Promise<void> {
    // One at a time: a page is not painted for two at once.
    await before;
    while (this.#veils.get(tab) === veil && !this.#timers.disposed) {
      const sessionTab = this.kernel.registry.get(tab);
      if (sessionTab && (await this.#ready(sessionTab))) {
        if (this.#veils.get(tab) === veil && this.kernel.registry.get(tab) === sessionTab)
          return this.#uncover(sessionTab);
      } else await this.#pause();
    }
  }

  #pause(): Promise<void> {
    this.#pauses += 1;
    const name = `pause ${this.#pauses}`;
    return new Promise((resolve) => this.#timers.plan(name, AGAIN_MS, resolve));
  }

  async #ready({ tab }: SessionTab): Promise<boolean> {
    try {
      await withBudget({ timeoutMs: LIFT_MS, clock: this.kernel.services.clock }, async (budget) => {
        await tab.tools.privateFields.keep(budget);
        await tab.watch.told(budget);
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
    this.#edge(id);
    this.#veils.delete(id);
    sessionTab.streams.startAfresh();
    sessionTab.feed.refresh();
    this.kernel.changed();
  }

  #edge(tab: string): void {
    this.#sights.set(tab, this.sight(tab) + 1);
  }
}

/** Keeps what people hold privately from everybody else (CO8). */
export const privacy: Feature = {
  name: 'privacy',
  start: (kernel) => {
    const made = new Privacy(kernel);
    kernel.visibility = made;
    return made;
  },
};
