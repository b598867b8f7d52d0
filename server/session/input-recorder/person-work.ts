import type { Reply } from '@/lib/actions/reply';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import type { Downloads } from '@/server/browser/files/downloads';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from '../caller';
import type { Leases } from '../leases';
import type { ActionCall } from '../funnel';
import type { SessionTab } from '../session-tab';
import type { Timeline } from '../timeline';
import { actedOf } from './acted';
import { InputLog } from './input-log';
import { Receipts, type WrittenReceipt } from './receipts';
import { TakeoverLog, type PageAddressOf } from './takeover-log';

export interface PersonWorkDeps {
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leases: Leases;
  readonly downloads: Downloads;
  readonly secrets: KnownSecrets;
  /** Whether the tab is held privately (CO8). */
  hides(tab: string): boolean;
  /** How a tab is called to who may not look at it (CO8). */
  placeOf: PageAddressOf;
  /** Undefined while the tab may not be read (CO8). */
  visibilityEpoch(tab: string): number | undefined;
  sessionTab(tab: string): SessionTab | undefined;
  sessionTabs(): SessionTab[];
}

/**
 * What people do in a session, by raw input and by the cockpit: for its timeline, and for the agent that gets the wheel
 * next (CO5, CO11).
 */
export class PersonWork {
  readonly log: InputLog;
  readonly #takeovers: TakeoverLog;
  readonly #receipts: Receipts;

  constructor(deps: PersonWorkDeps) {
    const takeovers = new TakeoverLog(deps);
    this.#takeovers = takeovers;
    this.log = new InputLog({
      ...deps,
      done: (actor, done) => takeovers.did(actor.id, done),
      missed: (actor) => takeovers.missed(actor.id),
    });
    this.#receipts = new Receipts({ ...deps, log: this.log, takeovers });
    // Before the wheel's own row: whoever loses it did that before.
    deps.leases.onEffect.on((effect) => {
      this.log.wheelMoved(effect);
      takeovers.wheelMoved(effect);
    });
  }

  /** An action was answered; those of people are kept for the receipt. */
  acted(call: ActionCall, reply: Reply): void {
    const { id, kind } = call.caller.principal;
    const done = kind === 'human' ? actedOf(call, reply) : undefined;
    if (done) this.#takeovers.did(id, done);
  }

  /** What the agent is told that gets the wheel from this person now. Never rejects, and takes a bounded time. */
  receipt(caller: Caller, tab: string, to: Holder, note: string | undefined): Promise<WrittenReceipt> {
    return this.#receipts.write(caller, tab, to, note);
  }
}
