import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { ControlEffect } from '@/lib/control/lease';
import { driven } from '@/lib/control/rules';
import type { Action } from '@/lib/actions/kinds';
import { messageOf } from '@/lib/errors/error';
import type { Reply } from '@/lib/actions/reply';
import type { Said } from '@/lib/said/said';
import { say } from '@/lib/said/say';
import { Repeats, type Verdict } from '@/lib/stuck/repeats';
import type { Tab } from '@/server/browser/tab';
import type { Logger } from '@/server/telemetry/logger';
import type { ControlDesk } from './control-desk';
import type { Call } from './funnel';
import { Later } from './later';
import { accessOf } from './rights';
import type { TabSeat } from './tab-seat';
import type { Timeline } from './timeline';

/** An agent that has the wheel and neither does nor looks at anything for so long gets nowhere. Milliseconds. */
const SILENT_MS = 300_000;
const MINUTE_MS = 60_000;
/** How long the page may take to say what it holds. Milliseconds. */
const LOOK_MS = 5_000;

/** What is seen of a tab, and where it is said. */
export interface StuckSeat extends Pick<TabSeat, 'stuck'> {
  readonly tab: Pick<Tab, 'id' | 'url'> & {
    readonly page: Pick<Tab['page'], 'onDocument'>;
    readonly snapshots: Pick<Tab['snapshots'], 'take'>;
  };
}

export interface StuckWatchDeps {
  readonly on: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly desk: ControlDesk;
  readonly timeline: Timeline;
  readonly changed: () => void;
  seat(tab: string): StuckSeat | undefined;
}

/**
 * Notices an agent that gets nowhere (CO9), shows it at its tab and on the timeline; it ends by itself when something
 * else works or the wheel passes.
 */
export class StuckWatch {
  readonly #repeats = new WeakMap<StuckSeat, Repeats>();
  /** What was found to lead nowhere in a tab. */
  readonly #nowhere = new WeakMap<StuckSeat, string>();
  readonly #later: Later;

  constructor(private readonly deps: StuckWatchDeps) {
    this.#later = new Later(deps.clock);
    if (deps.on) deps.desk.onEffect.on((effect) => this.#wheelMoved(effect));
  }

  /** Whoever has the wheel did or read something. */
  did({ seat, action, caller, aim, inside }: Call, reply: Reply): void {
    const { id, name, kind } = caller.principal;
    if (!this.deps.on || kind !== 'agent' || driven(this.deps.desk.lease(seat.tab.id))?.holder.id !== id) return;
    this.#expect(seat, name);
    if (seat.stuck?.said.code === 'agentSilent') this.#show(seat, undefined);
    if (accessOf(action) !== 'write' || 'actions' in action || inside?.settle === false) return;
    const key = keyOf(action, aim.element);
    const verdict = this.#of(seat).did({ key, code: reply.error?.code });
    if (verdict.state === 'look') void this.#look(seat, name, key);
    else this.#judged(seat, name, verdict);
    // What still is the same may have been found to lead nowhere.
    if (reply.ok && key !== this.#nowhere.get(seat)) this.#show(seat, undefined);
  }

  dispose(): void {
    this.#later.dispose();
  }

  #wheelMoved(effect: ControlEffect): void {
    if (effect.type !== 'changed') return;
    const seat = this.deps.seat(effect.tab);
    if (!seat) return;
    const holder = driven(effect.lease)?.holder;
    if (holder?.kind === 'agent') return this.#expect(seat, holder.name);
    this.#later.cancel(effect.tab);
    this.#of(seat).forget();
    this.#show(seat, undefined);
  }

  #expect(seat: StuckSeat, name: string): void {
    this.#later.plan(seat.tab.id, SILENT_MS, () => {
      if (this.deps.seat(seat.tab.id) === seat)
        this.#show(seat, { code: 'agentSilent', name, minutes: SILENT_MS / MINUTE_MS });
    });
  }

  /** The page's content as an agent reads it; one that cannot be read is judged later. */
  async #look(seat: StuckSeat, name: string, key: string): Promise<void> {
    try {
      const { text } = await withBudget({ timeoutMs: LOOK_MS, clock: this.deps.clock }, (budget) =>
        seat.tab.snapshots.take(budget),
      );
      if (this.deps.seat(seat.tab.id) !== seat) return;
      this.#nowhere.set(seat, key);
      this.#judged(seat, name, this.#of(seat).looked(`${seat.tab.url}\n${text}`));
    } catch (error) {
      this.deps.logger.debug(
        { tab: seat.tab.id, reason: messageOf(error) },
        'the page of an agent that repeats itself could not be read',
      );
    }
  }

  #judged(seat: StuckSeat, name: string, verdict: Verdict): void {
    if (verdict.state === 'fails')
      this.#show(seat, { code: 'agentFails', name, times: verdict.times, error: verdict.code });
    else if (verdict.state === 'repeats') this.#show(seat, { code: 'agentRepeats', name, times: verdict.times });
  }

  #show(seat: StuckSeat, said: Said | undefined): void {
    if (said === undefined && seat.stuck === undefined) return;
    const anew = said !== undefined && said.code !== seat.stuck?.said.code;
    const since = anew || seat.stuck === undefined ? new Date().toISOString() : seat.stuck.since;
    const sentence = said && say(said);
    seat.stuck = sentence && { since, said: sentence.said, reason: sentence.text };
    if (anew) this.deps.timeline.tell({ kind: 'stuck', said, tab: seat.tab.id });
    this.deps.changed();
  }

  #of(seat: StuckSeat): Repeats {
    const known = this.#repeats.get(seat);
    if (known) return known;
    const repeats = new Repeats();
    this.#repeats.set(seat, repeats);
    // Another document is progress.
    seat.tab.page.onDocument.on((_, main) => {
      if (!main) return;
      repeats.forget();
      this.#show(seat, undefined);
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
