import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { FleetEffect, FleetEvent, FleetRefusal, FleetState, SessionPlace } from '@/lib/fleet/fleet';
import { reduceFleet } from '@/lib/fleet/reduce';
import { Emitter } from '@/server/browser/emitter';
import type { Logger } from '@/server/telemetry/logger';

/**
 * Knows which Chromes and sessions there are, and decides what becomes of them (BR5). `Browsers` carries out the
 * effects on Chromes, `BrowserReplacements` those on sessions.
 */
export class Fleet {
  readonly onEffect = new Emitter<[FleetEffect]>();
  #state: FleetState;
  readonly #effects: FleetEffect[] = [];
  #emitting = false;

  /** @param most limit of launched Chromes that run at once (BR7) */
  constructor(
    most: number,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.#state = { most, chromes: new Map(), sessions: new Map() };
  }

  get state(): FleetState {
    return this.#state;
  }

  /** Where the session stands; undefined for one that the fleet does not have. */
  placeOf(session: string): SessionPlace | undefined {
    return this.#state.sessions.get(session)?.place;
  }

  /** Applies the event and emits its effects, after those of an event whose effects are being emitted now. */
  apply(event: FleetEvent): FleetRefusal | undefined {
    const { state, effects, refusal } = reduceFleet(this.#state, event, this.clock.now());
    this.#state = state;
    this.#effects.push(...effects);
    if (!this.#emitting) this.#emit();
    return refusal;
  }

  /** A failure for one session, for example a locked store, must not keep the others from recovering (F16). */
  #emit(): void {
    this.#emitting = true;
    for (let effect = this.#effects.shift(); effect; effect = this.#effects.shift()) {
      try {
        this.onEffect.emit(effect);
      } catch (error) {
        const of = 'session' in effect ? { session: effect.session } : { browser: effect.chrome };
        this.logger.error({ ...of, reason: messageOf(error) }, `the fleet could not carry out: ${effect.type}`);
      }
    }
    this.#emitting = false;
  }
}
