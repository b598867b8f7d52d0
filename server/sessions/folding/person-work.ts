import type { Reply } from '@/lib/actions/reply';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { Downloads } from '@/server/browser/files/downloads';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from '../caller';
import type { ControlDesk } from '../control-desk';
import type { Call } from '../funnel';
import type { TabSeat } from '../tab-seat';
import type { Timeline } from '../timeline';
import { actedOf } from './acted';
import { InputLog } from './input-log';
import { Receipts, type WrittenReceipt } from './receipts';
import { Stints, type PlaceOf } from './stints';

export interface PersonWorkDeps {
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly desk: ControlDesk;
  readonly downloads: Downloads;
  readonly secrets: KnownSecrets;
  /** Whether the tab is held privately (CO8). */
  hides(tab: string): boolean;
  /** How a tab is called to who may not look at it (CO8). */
  placeOf: PlaceOf;
  /** Undefined while the tab may not be read (CO8). */
  sightNow(tab: string): number | undefined;
  seat(tab: string): TabSeat | undefined;
  seats(): TabSeat[];
}

/**
 * What people do in a session, by raw input and by the cockpit: for its timeline, and for the agent that gets the wheel
 * next (CO5, CO11).
 */
export class PersonWork {
  readonly log: InputLog;
  readonly #stints: Stints;
  readonly #receipts: Receipts;

  constructor(deps: PersonWorkDeps) {
    const stints = new Stints(deps);
    this.#stints = stints;
    this.log = new InputLog({
      ...deps,
      done: (actor, done) => stints.did(actor.id, done),
      missed: (actor) => stints.missed(actor.id),
    });
    this.#receipts = new Receipts({ ...deps, log: this.log, stints });
    // Before the wheel's own row: whoever loses it did that before.
    deps.desk.onEffect.on((effect) => {
      this.log.wheelMoved(effect);
      stints.wheelMoved(effect);
    });
  }

  /** An action was answered; those of people are kept for the receipt. */
  acted(call: Call, reply: Reply): void {
    const { id, kind } = call.caller.principal;
    const done = kind === 'human' ? actedOf(call, reply) : undefined;
    if (done) this.#stints.did(id, done);
  }

  /** What the agent is told that gets the wheel from this person now. Never rejects, and takes a bounded time. */
  receipt(caller: Caller, tab: string, to: Holder, note: string | undefined): Promise<WrittenReceipt> {
    return this.#receipts.write(caller, tab, to, note);
  }
}
