import { accessOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { Leases } from './leases';
import type { ActionCall } from './action-call';
import { changesSession } from './rights';

/** Actions of a session that may wait at once; further ones are refused. */
const MOST = 50;

/**
 * Where that is the session's policy, an agent's actions wait for the wheel that a person has, in the order of coming
 * (CO3).
 */
export class LeaseQueue {
  #waiting = 0;

  constructor(
    private readonly leases: Leases,
    private readonly agentsWait: boolean,
  ) {}

  /**
   * Returns when no person keeps the caller from it, also at the end of its budget: it is then refused as it would have
   * been at once.
   */
  async before({ action, sessionTab, caller, budget }: ActionCall): Promise<void> {
    const { id, kind } = caller.principal;
    const beyond = changesSession(action);
    const waits = this.agentsWait && kind === 'agent' && accessOf(action) === 'write' && action.epoch === undefined;
    if (!waits || this.#waiting >= MOST || !this.leases.personKeeps(sessionTab.tab.id, id, beyond)) return;
    this.#waiting += 1;
    try {
      await this.leases.waitForPerson(budget, sessionTab.tab.id, id, beyond);
    } catch (error) {
      if (!(error instanceof WheelhouseError) || error.code !== 'TIMEOUT') throw error;
    } finally {
      this.#waiting -= 1;
    }
  }
}
