import { Timer } from '@/lib/async/timers';
import type { ControlChange } from '@/lib/control/lease';
import type { SessionView } from '@/lib/protocol/views';
import type { Caller } from '@/server/session/caller';
import type { Feature, Hooks } from '@/server/session/feature';
import { HELP } from '@/server/session/feature-slots';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { Slot } from '@/server/session/slot';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Changes of leases that the server makes by itself. */
const BY_ITSELF: ReadonlySet<ControlChange> = new Set<ControlChange>(['idle', 'left', 'parked', 'unanswered']);

/**
 * Ends a session that nobody uses (SE1): after `policy.idleMs` of it or of its workspace without an action, input,
 * change of the wheel, guest or open question. Warns `timings.idleWarningMs` before, and everybody
 * who may watch the session can keep it by `stay`. The time begins anew when the server starts.
 */
class IdleLimit implements Hooks {
  readonly #timer: Timer;
  /** While the warning is shown: when the session ends, monotonic milliseconds. */
  #endsAt: number | undefined;
  #over = false;

  constructor(
    private readonly kernel: SessionKernel,
    /** The shorter one of the session and of its workspace counts. */
    private workspaceMs = kernel.init.workspaceIdleMs,
  ) {
    this.#timer = new Timer(kernel.services.clock);
    kernel.onUse.on(() => this.#used());
    kernel.onConnect.on(() => this.#used());
    kernel.leases.onEffect.on((effect) => {
      if (effect.type === 'changed' && !BY_ITSELF.has(effect.change)) this.#used();
    });
    this.#used();
  }

  /** The workspace has another limit now, or none. Milliseconds. */
  narrow(workspaceMs: number | undefined): void {
    if (workspaceMs === this.workspaceMs) return;
    this.workspaceMs = workspaceMs;
    this.#used();
    this.kernel.changed();
  }

  /** The caller keeps the session. */
  stay({ principal, door }: Caller): void {
    const warned = this.#endsAt !== undefined;
    this.#used();
    if (!warned) return;
    void this.kernel.timeline.tell({
      ...{ kind: 'session', said: { code: 'sessionKept' } as const },
      ...{ actor: actorOf(principal), door },
    });
  }

  view(view: SessionView): SessionView {
    const limitMs = this.#limitMs;
    if (limitMs === undefined) return view;
    if (this.#endsAt === undefined) return { ...view, idle: { limitMs } };
    const endsInMs = Math.max(0, Math.round(this.#endsAt - this.kernel.services.clock.now()));
    return { ...view, idle: { limitMs, endsInMs } };
  }

  ended(): void {
    this.dispose();
  }

  dispose(): void {
    this.#over = true;
    this.#timer.stop();
  }

  #used(): void {
    if (this.#over) return;
    const warned = this.#endsAt !== undefined;
    this.#endsAt = undefined;
    const limitMs = this.#limitMs;
    if (limitMs === undefined) this.#timer.stop();
    else this.#timer.start(limitMs - this.kernel.services.timings.idleWarningMs, () => this.#warn());
    if (warned) this.kernel.changed();
  }

  #warn(): void {
    if (this.#busy) return this.#used();
    const { clock, timings } = this.kernel.services;
    const ms = timings.idleWarningMs;
    this.#endsAt = clock.now() + ms;
    this.#timer.start(ms, () => this.#end());
    void this.kernel.timeline.tell({
      kind: 'session',
      said: { code: 'sessionIdleWarned', seconds: Math.round(ms / SECOND_MS) },
    });
    this.kernel.changed();
  }

  #end(): void {
    if (this.#busy) return this.#used();
    const minutes = Math.round((this.#limitMs ?? 0) / MINUTE_MS);
    this.kernel.onExpired.emit({ code: 'sessionIdleEnded', minutes });
  }

  get #limitMs(): number | undefined {
    const limits = [this.kernel.init.policy.idleMs, this.workspaceMs].filter((ms) => ms !== undefined);
    return limits.length === 0 ? undefined : Math.min(...limits);
  }

  /** An action runs, or an agent waits for a person. */
  get #busy(): boolean {
    return this.kernel.runningActions.size > 0 || HELP.of(this.kernel).waiting;
  }
}

/** The idle limit of a session. */
export const IDLE = new Slot<IdleLimit>('idle limit');

export const idle: Feature = {
  name: 'idle',
  start: (kernel) => {
    const limit = new IdleLimit(kernel);
    IDLE.fill(kernel, limit);
    return limit;
  },
};
