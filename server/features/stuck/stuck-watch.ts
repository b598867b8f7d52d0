import { Timers } from '@/lib/async/timers';
import { withBudget } from '@/lib/budget/budget';
import type { ControlEffect } from '@/lib/control/lease';
import { driven } from '@/lib/control/rules';
import { accessOf, runsScript, type Action } from '@/lib/actions/kinds';
import { messageOf } from '@/lib/errors/error';
import type { Reply } from '@/lib/actions/reply';
import type { TabView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { RepeatDetector, type RepeatVerdict } from '@/lib/stuck/repeats';
import type { Tab } from '@/server/browser/tab';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import type { ActionCall } from '@/server/session/action/call';

/** An agent that holds the lease and does not act or read for this long is shown as stuck. Milliseconds. */
const SILENT_MS = 300_000;
const MINUTE_MS = 60_000;
/** Deadline for reading the page's content. Milliseconds. */
const CONTENT_READ_MS = 5_000;

type Shown = NonNullable<TabView['stuck']>;

/** The parts of a session tab that the watch uses. */
export interface WatchedTab {
  readonly tab: Pick<Tab, 'id' | 'url'> & {
    readonly page: Pick<Tab['page'], 'onDocument'>;
    readonly snapshots: Pick<Tab['snapshots'], 'take'>;
  };
}

/** The parts of the session kernel that the watch uses. */
interface Watched extends Pick<SessionKernel, 'leases' | 'timeline' | 'changed'> {
  readonly services: Pick<SessionKernel['services'], 'clock' | 'logger'>;
  readonly registry: { get(tab: string): WatchedTab | undefined };
}

/**
 * Detects an agent that makes no progress (CO9), and shows it at its tab and on the timeline. The notice ends when a
 * different action works or the lease passes.
 */
export class StuckWatch implements Hooks {
  readonly #repeats = new WeakMap<WatchedTab, RepeatDetector>();
  /** By tab: the repeated action after which the page was compared last. */
  readonly #nowhere = new WeakMap<WatchedTab, string>();
  /** By tab: the notice about the agent that holds its lease. */
  readonly #shown = new WeakMap<WatchedTab, Shown>();
  readonly #timers: Timers;

  constructor(private readonly kernel: Watched) {
    this.#timers = new Timers(kernel.services.clock);
    kernel.leases.onEffect.on((effect) => this.#leaseMoved(effect));
  }

  tabView(view: TabView, sessionTab: WatchedTab): TabView {
    const shown = this.shown(sessionTab);
    return shown ? { ...view, stuck: shown } : view;
  }

  shown(sessionTab: WatchedTab): Shown | undefined {
    return this.#shown.get(sessionTab);
  }

  /** Judges an action of the agent that holds the tab's lease. */
  afterAction({ sessionTab, action, caller, resolved, inside }: ActionCall, reply: Reply): void {
    const { id, name, kind } = caller.principal;
    if (kind !== 'agent' || driven(this.kernel.leases.lease(sessionTab.tab.id))?.holder.id !== id) return;
    this.#expect(sessionTab, name);
    if (this.#shown.get(sessionTab)?.said?.code === 'agentSilent') this.#show(sessionTab, undefined);
    if (accessOf(action) !== 'write' || 'actions' in action || inside?.settle === false) return;
    const key = keyOf(action, resolved.element);
    const verdict = this.#of(sessionTab).did({ key, code: reply.error?.code });
    if (verdict.state === 'look') void this.#look(sessionTab, name, key);
    else this.#judged(sessionTab, name, verdict);
    // The same action may succeed and still change nothing, so only a different one clears the notice.
    if (reply.ok && key !== this.#nowhere.get(sessionTab)) this.#show(sessionTab, undefined);
  }

  dispose(): void {
    this.#timers.dispose();
  }

  #leaseMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed') return;
    const sessionTab = this.kernel.registry.get(effect.tab);
    if (!sessionTab) return;
    const holder = driven(effect.lease)?.holder;
    if (holder?.kind === 'agent') return this.#expect(sessionTab, holder.name);
    this.#timers.cancel(effect.tab);
    this.#of(sessionTab).forget();
    this.#show(sessionTab, undefined);
  }

  #expect(sessionTab: WatchedTab, name: string): void {
    this.#timers.plan(sessionTab.tab.id, SILENT_MS, () => {
      if (this.kernel.registry.get(sessionTab.tab.id) === sessionTab)
        this.#show(sessionTab, { code: 'agentSilent', name, minutes: SILENT_MS / MINUTE_MS });
    });
  }

  /**
   * Compares the page's content, as an agent reads it, with earlier looks. A page that cannot be read is judged later.
   */
  async #look(sessionTab: WatchedTab, name: string, key: string): Promise<void> {
    try {
      const { text } = await withBudget({ timeoutMs: CONTENT_READ_MS, clock: this.kernel.services.clock }, (budget) =>
        sessionTab.tab.snapshots.take(budget),
      );
      if (this.kernel.registry.get(sessionTab.tab.id) !== sessionTab) return;
      this.#nowhere.set(sessionTab, key);
      this.#judged(sessionTab, name, this.#of(sessionTab).looked(`${sessionTab.tab.url}\n${text}`));
    } catch (error) {
      this.kernel.services.logger.debug(
        { tab: sessionTab.tab.id, reason: messageOf(error) },
        'the page of an agent that repeats itself could not be read',
      );
    }
  }

  #judged(sessionTab: WatchedTab, name: string, verdict: RepeatVerdict): void {
    if (verdict.state === 'fails')
      this.#show(sessionTab, { code: 'agentFails', name, times: verdict.times, error: verdict.code });
    else if (verdict.state === 'repeats') this.#show(sessionTab, { code: 'agentRepeats', name, times: verdict.times });
  }

  #show(sessionTab: WatchedTab, said: Message | undefined): void {
    const before = this.#shown.get(sessionTab);
    if (!said && !before) return;
    const anew = said !== undefined && said.code !== before?.said?.code;
    const since = anew || !before ? new Date().toISOString() : before.since;
    const sentence = said && formatMessage(said);
    if (sentence) this.#shown.set(sessionTab, { since, said: sentence.said, reason: sentence.text });
    else this.#shown.delete(sessionTab);
    if (anew) void this.kernel.timeline.tell({ kind: 'stuck', said, tab: sessionTab.tab.id });
    this.kernel.changed();
  }

  #of(sessionTab: WatchedTab): RepeatDetector {
    const known = this.#repeats.get(sessionTab);
    if (known) return known;
    const repeats = new RepeatDetector();
    this.#repeats.set(sessionTab, repeats);
    // A new document counts as progress.
    sessionTab.tab.page.onDocument.on((_, main) => {
      if (!main) return;
      repeats.forget();
      this.#show(sessionTab, undefined);
    });
    return repeats;
  }
}

/** Fields of an action that are ignored when two actions are compared. */
const ENVELOPE: ReadonlySet<string> = new Set(['id', 'epoch', 'tab', 'timeoutMs', 'note', 'expect', 'snapshot']);

/** The same key for the same action on the same element, whatever ref names it. */
function keyOf(action: Action, element: { readonly role: string; readonly name: string } | undefined): string {
  if (element && !runsScript(action)) return JSON.stringify([action.kind, element.role, element.name]);
  return JSON.stringify(action, (key, value: unknown) => (ENVELOPE.has(key) ? undefined : value));
}

/** Runs unless the session's policy disables it. */
export const stuck: Feature = {
  name: 'stuck',
  start: (kernel) => (kernel.init.policy.noticeStuck === false ? {} : new StuckWatch(kernel)),
};
