import { isDeepStrictEqual } from 'node:util';
import type { Budget } from '@/lib/budget/budget';
import type { EgressPolicy } from '@/lib/egress/policy';
import { WheelhouseError } from '@/lib/errors/error';
import type { SessionView } from '@/lib/protocol/views';
import { demandEnforceable } from '@/server/access/egress/blocked';
import type { Caller } from '@/server/session/caller';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { Slot } from '@/server/session/slot';

/** What the timeline says of a change, by the new policy. */
const SAID = { open: 'egressNarrowedOpen', listed: 'egressNarrowedListed', local: 'egressNotNarrowed' } as const;

/**
 * Where the pages of a session may go, within what its workspace allows (GU1). The hub puts the policy of the session's
 * maker into force before its first page; this changes it later.
 */
class Outgoing implements Hooks {
  constructor(
    private readonly kernel: SessionKernel,
    private own = kernel.init.policy.egress,
  ) {}

  /** The session's own policy. */
  get policy(): EgressPolicy | undefined {
    return this.own;
  }

  /**
   * Settles when it is stored and in force; open connections end then. Throws CONFLICT when it is no longer the one
   * that the caller saw, UNSUPPORTED in an attached Chrome, STORE_BUSY, and what ends the budget.
   * @param policy undefined: all that the workspace allows
   * @param seen the policy that the caller saw, null for none; undefined: whichever it is
   */
  narrow(budget: Budget, caller: Caller, policy: EgressPolicy | undefined, seen?: EgressPolicy | null): Promise<void> {
    const { id, init, workspace, services, queue, timeline } = this.kernel;
    return queue.run(budget, () => {
      demandEnforceable(init.contextRef.shown.origin, policy);
      if (seen !== undefined && !isDeepStrictEqual(seen ?? undefined, this.own)) throw changedMeanwhile();
      if (isDeepStrictEqual(policy, this.own)) return { apply: () => undefined };
      return {
        store: () => init.ledger.changeSession({ policy: { ...init.policy, egress: policy } }),
        apply: () => {
          this.own = policy;
          services.egress.narrowSession(id, { workspace, policy });
          void timeline.tell({
            ...{ kind: 'session', said: { code: SAID[policy?.kind ?? 'local'] } },
            ...{ actor: actorOf(caller.principal), door: caller.door },
          });
          this.kernel.changed();
        },
      };
    });
  }

  view(view: SessionView): SessionView {
    const kind = this.own?.kind ?? 'local';
    return kind === 'local' ? view : { ...view, narrowed: kind };
  }
}

const changedMeanwhile = (): WheelhouseError =>
  new WheelhouseError('CONFLICT', 'Where the pages of the session may go was changed in the meantime.', {
    hint: 'Look at it again, and change it from there.',
  });

/** Where the pages of a session may go. */
export const OUTGOING = new Slot<Outgoing>('outgoing access');

export const outgoing: Feature = {
  name: 'outgoing',
  start: (kernel) => {
    const feature = new Outgoing(kernel);
    OUTGOING.fill(kernel, feature);
    return feature;
  },
};
