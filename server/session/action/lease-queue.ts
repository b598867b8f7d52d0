import { accessOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { Leases } from '../leases';
import { changesSession } from '../rights';
import type { ActionCall } from './call';

/** Limit of waiting actions in a session; further ones are refused. */
const MOST = 50;

/**
 * Lets agents' actions wait, in the order they came, for a lease that a person holds, if the session's policy says so
 * (CO3).
 */
export class LeaseQueue {
  #waiting = 0;

  constructor(
    private readonly leases: Leases,
    private readonly agentsWait: boolean,
  ) {}

  /**
   * Waits until no person's lease keeps the caller from acting. Also returns at the end of the budget: the action is
   * then refused as it would have been at once.
   */
  async wait({ action, sessionTab, caller, budget, epoch }: ActionCall): Promise<void> {
    const { id, kind } = caller.principal;
    const beyond = changesSession(action);
    const waits = this.agentsWait && kind === 'agent' && accessOf(action) === 'write' && epoch === undefined;
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
