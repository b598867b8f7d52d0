import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { ControlEffect } from '@/lib/control/lease';
import { driven } from '@/lib/control/rules';
import type { Action } from '@/lib/actions/kinds';
import { messageOf } from '@/lib/errors/error';
import type { Reply } from '@/lib/actions/reply';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { Repeats, type RepeatVerdict } from '@/lib/stuck/repeats';
import type { Tab } from '@/server/browser/tab';
import type { Logger } from '@/server/telemetry/logger';
import type { Leases } from './leases';
import type { ActionCall } from './funnel';
import { Timers } from '@/lib/async/timers';
import { accessOf } from './rights';
import type { SessionTab } from './session-tab';
import type { Timeline } from './timeline';

/** An agent that has the wheel and neither does nor looks at anything for so long gets nowhere. Milliseconds. */
const SILENT_MS = 300_000;
const MINUTE_MS = 60_000;
/** How long the page may take to say what it holds. Milliseconds. */
const LOOK_MS = 5_000;

/** What is seen of a tab, and where it is said. */
export interface StuckTab extends Pick<SessionTab, 'stuck'> {
  readonly tab: Pick<Tab, 'id' | 'url'> & {
    readonly page: Pick<Tab['page'], 'onDocument'>;
    readonly snapshots: Pick<Tab['snapshots'], 'take'>;
  };
}

export interface StuckWatchDeps {
  readonly on: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leases: Leases;
  readonly timeline: Timeline;
  readonly changed: () => void;
  sessionTab(tab: string): StuckTab | undefined;
}

/**
 * Notices an agent that gets nowhere (CO9), shows it at its tab and on the timeline; it ends by itself when something
 * else works or the wheel passes.
 */
export class StuckWatch {
  readonly #repeats = new WeakMap<StuckTab, Repeats>();
  /** What was found to lead nowhere in a tab. */
  readonly #nowhere = new WeakMap<StuckTab, string>();
  readonly #timers: Timers;

  constructor(private readonly deps: StuckWatchDeps) {
    this.#timers = new Timers(deps.clock);
    if (deps.on) deps.leases.onEffect.on((effect) => this.#wheelMoved(effect));
  }

  /** Whoever has the wheel did or read something. */
  did({ sessionTab, action, caller, resolved, inside }: ActionCall, reply: Reply): void {
    const { id, name, kind } = caller.principal;
    if (!this.deps.on || kind !== 'agent' || driven(this.deps.leases.lease(sessionTab.tab.id))?.holder.id !== id)
      return;
    this.#expect(sessionTab, name);
    if (sessionTab.stuck?.said.code === 'agentSilent') this.#show(sessionTab, undefined);
    if (accessOf(action) !== 'write' || 'actions' in action || inside?.settle === false) return;
    const key = keyOf(action, resolved.element);
    const verdict = this.#of(sessionTab).did({ key, code: reply.error?.code });
    if (verdict.state === 'look') void this.#look(sessionTab, name, key);
    else this.#judged(sessionTab, name, verdict);
    // What still is the same may have been found to lead nowhere.
    if (reply.ok && key !== this.#nowhere.get(sessionTab)) this.#show(sessionTab, undefined);
  }

  dispose(): void {
    this.#timers.dispose();
  }

  #wheelMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed') return;
    const sessionTab = this.deps.sessionTab(effect.tab);
    if (!sessionTab) return;
    const holder = driven(effect.lease)?.holder;
    if (holder?.kind === 'agent') return this.#expect(sessionTab, holder.name);
    this.#timers.cancel(effect.tab);
    this.#of(sessionTab).forget();
    this.#show(sessionTab, undefined);
  }

  #expect(sessionTab: StuckTab, name: string): void {
    this.#timers.plan(sessionTab.tab.id, SILENT_MS, () => {
      if (this.deps.sessionTab(sessionTab.tab.id) === sessionTab)
        this.#show(sessionTab, { code: 'agentSilent', name, minutes: SILENT_MS / MINUTE_MS });
    });
  }

  /** The page's content as an agent reads it; one that cannot be read is judged later. */
  async #look(sessionTab: StuckTab, name: string, key: string): Promise<void> {
    try {
      const { text } = await withBudget({ timeoutMs: LOOK_MS, clock: this.deps.clock }, (budget) =>
        sessionTab.tab.snapshots.take(budget),
      );
      if (this.deps.sessionTab(sessionTab.tab.id) !== sessionTab) return;
      this.#nowhere.set(sessionTab, key);
      this.#judged(sessionTab, name, this.#of(sessionTab).looked(`${sessionTab.tab.url}\n${text}`));
    } catch (error) {
      this.deps.logger.debug(
        { tab: sessionTab.tab.id, reason: messageOf(error) },
        'the page of an agent that repeats itself could not be read',
      );
    }
  }

  #judged(sessionTab: StuckTab, name: string, verdict: RepeatVerdict): void {
    if (verdict.state === 'fails')
      this.#show(sessionTab, { code: 'agentFails', name, times: verdict.times, error: verdict.code });
    else if (verdict.state === 'repeats') this.#show(sessionTab, { code: 'agentRepeats', name, times: verdict.times });
  }

  #show(sessionTab: StuckTab, said: Message | undefined): void {
    if (said === undefined && sessionTab.stuck === undefined) return;
    const anew = said !== undefined && said.code !== sessionTab.stuck?.said.code;
    const since = anew || sessionTab.stuck === undefined ? new Date().toISOString() : sessionTab.stuck.since;
    const sentence = said && formatMessage(said);
    sessionTab.stuck = sentence && { since, said: sentence.said, reason: sentence.text };
    if (anew) this.deps.timeline.tell({ kind: 'stuck', said, tab: sessionTab.tab.id });
    this.deps.changed();
  }

  #of(sessionTab: StuckTab): Repeats {
    const known = this.#repeats.get(sessionTab);
    if (known) return known;
    const repeats = new Repeats();
    this.#repeats.set(sessionTab, repeats);
    // Another document is progress.
    sessionTab.tab.page.onDocument.on((_, main) => {
      if (!main) return;
      repeats.forget();
      this.#show(sessionTab, undefined);
    });
    return repeats;
  }
}

/** Parts of an action that do not make it another. */
const ENVELOPE: ReadonlySet<string> = new Set(['id', 'epoch', 'tab', 'timeoutMs', 'note', 'expect', 'snapshot']);

/** Equal for the same action on the same element, by whatever ref. */
function keyOf(action: Action, element: { readonly role: string; readonly name: string } | undefined): string {
  if (element && action.kind !== 'evaluate') return JSON.stringify([action.kind, element.role, element.name]);
  return JSON.stringify(action, (key, value: unknown) => (ENVELOPE.has(key) ? undefined : value));
}
