import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { ControlView, PausedView } from '@/lib/protocol/views';
import type { Principal } from '@/server/access/principal';
import { Emitter } from '@/server/browser/emitter';
import type { Caller } from '@/server/session/caller';
import type { Feature, Hooks } from '@/server/session/feature';
import { PAUSE } from '@/server/session/feature-slots';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { Slot } from '@/server/session/slot';

/** Limit of waiting actions in a session; further ones are refused. */
const MOST = 50;

/**
 * The pause of a session's agents by a moderator (CO4): what an agent does next waits until a moderator lets the agents
 * go on; what it reads does not. An action that is under way ends; steps and other actions with parts stop between two
 * of them. The wheel stays with its holder. Survives a restart.
 */
export class AgentsPause implements Hooks {
  #paused: PausedView | undefined;
  readonly #changed: Emitter<[]>;
  #waiting = 0;
  /** The session has ended, or the server stops. */
  #over = false;

  constructor(private readonly kernel: SessionKernel) {
    this.#paused = kernel.init.paused;
    this.#changed = new Emitter(kernel.fault);
  }

  get paused(): PausedView | undefined {
    return this.#paused;
  }

  /**
   * Settles when it is stored. Does nothing when they are paused already. Throws STORE_BUSY, and what ends the budget.
   */
  pause(budget: Budget, caller: Caller): Promise<void> {
    const paused = { by: actorOf(caller.principal), at: new Date().toISOString() };
    return this.#change(budget, caller, paused, { code: 'agentsPaused' });
  }

  /** Settles when it is stored. Does nothing when they are not paused. Throws STORE_BUSY, and what ends the budget. */
  resume(budget: Budget, caller: Caller): Promise<void> {
    return this.#change(budget, caller, undefined, { code: 'agentsResumed' });
  }

  demandRunning({ kind }: Principal): void {
    if (kind === 'agent' && this.#paused) throw held(this.#paused);
  }

  async waitFor(budget: Budget, principal: Principal): Promise<void> {
    if (principal.kind !== 'agent' || !this.#paused || this.#over) return;
    if (this.#waiting >= MOST) throw held(this.#paused);
    this.#waiting += 1;
    try {
      await this.#changed.waitFor(budget, 'a moderator', () => this.#over || !this.#paused || undefined);
    } catch (error) {
      const timedOut = error instanceof WheelhouseError && error.code === 'TIMEOUT';
      throw timedOut && this.#paused ? held(this.#paused, error) : error;
    } finally {
      this.#waiting -= 1;
    }
  }

  beforeWrite(budget: Budget, _tab: string, { principal }: Caller): Promise<void> {
    return this.waitFor(budget, principal);
  }

  control(view: ControlView): ControlView {
    return this.#paused ? { ...view, paused: this.#paused } : view;
  }

  dispose(): void {
    this.#over = true;
    this.#changed.emit();
  }

  #change(budget: Budget, caller: Caller, paused: PausedView | undefined, said: Message): Promise<void> {
    return this.kernel.queue.run(budget, () => {
      if ((paused === undefined) === (this.#paused === undefined)) return { apply: () => undefined };
      return {
        store: () => this.kernel.init.ledger.changeSession({ paused: paused ?? null }),
        apply: () => {
          this.#paused = paused;
          this.#changed.emit();
          void this.kernel.timeline.tell({
            kind: 'control',
            said,
            actor: actorOf(caller.principal),
            door: caller.door,
          });
          this.kernel.changed();
        },
      };
    });
  }
}

function held({ by, at }: PausedView, cause?: WheelhouseError): WheelhouseError {
  return new WheelhouseError(
    'CONTROL_HELD',
    { code: 'agentsPausedBy', name: by.name },
    {
      hint: 'Wait for it: GET …/control/wait?timeoutMs=60000 answers when agents may go on.',
      details: { ...cause?.details, paused: { by, at } },
      ...(cause && { cause }),
    },
  );
}

/** The pause of a session, for doors. */
export const AGENTS_PAUSE = new Slot<AgentsPause>('pause of agents');

export const pause: Feature = {
  name: 'pause',
  start: (kernel) => {
    const made = new AgentsPause(kernel);
    PAUSE.fill(kernel, made);
    AGENTS_PAUSE.fill(kernel, made);
    return made;
  },
};
