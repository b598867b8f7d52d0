import { accessOf } from '@/lib/actions/kinds';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import { CAPS } from '@/server/access/limits';
import type { Caller } from '@/server/session/caller';
import type { Feature, Hooks } from '@/server/session/feature';
import type { ActionCall } from '@/server/session/action-call';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { REFUSALS } from '@/server/session/queries';

/** What an agent is told that acts although it has no wheel. */
const WITHOUT_WHEEL: ReadonlySet<string> = new Set(['CONTROL_HELD', 'CONTROL_LOST']);

/**
 * Agents that go on acting after they lost the wheel (F23): counted, marked for everybody, and soon not listened to.
 */
class RefusalLimiter implements Hooks {
  constructor(private readonly kernel: SessionKernel) {}

  /** What is refused because of a private hold is nobody's stubbornness. */
  answered(caller: Caller, { error }: Reply): Promise<void> {
    return this.count(caller, error?.details?.['private'] === true ? undefined : error?.code);
  }

  /** Counts an answer. The door closes the connection that got too many of them. */
  async count({ principal, door }: Caller, code: string | undefined): Promise<void> {
    if (principal.kind !== 'agent' || code === undefined || !WITHOUT_WHEEL.has(code)) return;
    const { participants, timeline, services } = this.kernel;
    if ((await services.limits.refusals.take(principal.id)) === 0 || !participants.flag(principal.id)) return;
    services.metrics.stubbornAgent();
    services.logger.warn(
      { participant: principal.id, key: principal.credential.id },
      'an agent goes on acting without the wheel',
    );
    void timeline.tell({ kind: 'refused', said: { code: 'agentStubborn' }, actor: actorOf(principal), door });
    this.kernel.changed();
  }

  /** Throws RATE_LIMITED for one that was refused too often a moment ago. */
  async beforeAction({ principal: { id } }: Caller, action: Action, tab: string): Promise<void> {
    if (accessOf(action) !== 'write' || this.kernel.leases.mayAct(tab, id)) return;
    const retryInMs = await this.kernel.services.limits.refusals.waits(id);
    if (retryInMs === 0) return;
    throw new WheelhouseError(
      'RATE_LIMITED',
      `${CAPS.refusals.rate[0] + 1} actions without the wheel were refused. Try again in ${Math.ceil(retryInMs / 1_000)} s.`,
      {
        hint: 'Wait for the wheel instead: GET …/control/wait answers when you may act.',
        details: { retryInMs },
      },
    );
  }

  /** It acts with the wheel again. */
  afterAction({ action, caller }: ActionCall, reply: Reply): void {
    if (!reply.ok || accessOf(action) !== 'write') return;
    if (this.kernel.participants.unflag(caller.principal.id)) this.kernel.changed();
  }
}

export const refusals: Feature = {
  name: 'refusals',
  start: (kernel) => {
    const limiter = new RefusalLimiter(kernel);
    REFUSALS.fill(kernel, limiter);
    return limiter;
  },
};
