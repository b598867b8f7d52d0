import { accessOf } from '@/lib/actions/kinds';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { WheelhouseError } from '@/lib/errors/error';
import { CAPS } from '@/server/access/limits';
import type { Caller } from '@/server/session/caller';
import type { Feature, Hooks } from '@/server/session/feature';
import type { ActionCall } from '@/server/session/action/call';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { REFUSALS } from '@/server/session/feature-slots';

/** Errors of an agent that acts without the lease. */
const WITHOUT_LEASE: ReadonlySet<string> = new Set(['CONTROL_HELD', 'CONTROL_LOST']);

/**
 * Counts refused actions of agents that go on acting after they lost the lease (F23), flags those agents for everybody,
 * and then rejects their actions early.
 */
class RefusalLimiter implements Hooks {
  constructor(private readonly kernel: SessionKernel) {}

  /** Counts refusals, except those by a private hold: the agent did not cause these by ignoring a lost lease. */
  answered(caller: Caller, { error }: Reply): Promise<void> {
    return this.count(caller, error?.details?.['private'] === true ? undefined : error?.code);
  }

  /** Counts an error. The door closes a connection that received too many of them. */
  async count({ principal, door }: Caller, code: string | undefined): Promise<void> {
    if (principal.kind !== 'agent' || code === undefined || !WITHOUT_LEASE.has(code)) return;
    const { participants, timeline, services } = this.kernel;
    if ((await services.limits.refusals.take(principal.id)) === 0 || !participants.flag(principal.id)) return;
    services.metrics.flaggedAgent();
    services.logger.warn(
      { participant: principal.id, key: principal.credential.id },
      'an agent goes on acting without the wheel',
    );
    void timeline.tell({ kind: 'refused', said: { code: 'agentStubborn' }, actor: actorOf(principal), door });
    this.kernel.changed();
  }

  /** Throws RATE_LIMITED for an agent that was refused too often recently. */
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

  /** Clears the flag when the agent acts with the lease again. */
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
