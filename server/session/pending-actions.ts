import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Credential } from '@/server/access/principal';
import { failureReply, type ActionRequest } from './action-request';
import { AnswerWaiters } from './answer-waiters';
import type { Caller } from './caller';
import { stillRunning, unknownOutcome } from './same-request';

/** An action under way. */
export interface StartedAction {
  readonly reply: Promise<Reply>;
}

/** An action that was asked for and has no answer yet. */
interface PendingAction {
  readonly caller: Caller;
  readonly budget: Budget;
  readonly audience: AnswerWaiters;
}

/**
 * The actions that have no answer yet, by slot (a participant and an action's id), and who waits for each (CO10, F7).
 */
export class PendingActions {
  readonly #running = new Map<string, Promise<Reply>>();
  readonly #waited = new Map<string, PendingAction>();
  /** Asked for, and not written yet: whoever comes with the same id meanwhile waits. */
  readonly #coming = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** Settles when none is carried out any more. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()]);
  }

  /** Settles when nothing is asked for in this slot that is not written yet. */
  async written(budget: Budget, slot: string): Promise<void> {
    for (let other = this.#coming.get(slot); other; other = this.#coming.get(slot)) await budget.race(other);
  }

  /**
   * The first time that it is asked for. Whoever comes with the same id meanwhile waits until `begin` has written its
   * intent, and then for its answer.
   */
  async first(
    { caller, budget, gone }: ActionRequest,
    slot: string,
    begin: () => Promise<StartedAction>,
  ): Promise<Reply> {
    const audience = new AnswerWaiters(this.clock, budget);
    audience.join(gone);
    this.#waited.set(slot, { caller, budget, audience });
    try {
      const begun = begin();
      const forget = (): boolean => this.#coming.delete(slot);
      this.#coming.set(slot, begun.then(forget, forget));
      return await (
        await begun
      ).reply;
    } finally {
      audience.dispose();
      this.#waited.delete(slot);
    }
  }

  /** It is carried out from now on. */
  started(slot: string, reply: Promise<Reply>): void {
    this.#running.set(slot, reply);
    const ended = (): boolean => this.#running.delete(slot);
    reply.then(ended, ended);
  }

  /**
   * Sent again while it is carried out: the same answer, as long as this caller has time to wait for it. Throws
   * OUTCOME_UNKNOWN when nobody carries it out.
   */
  async joined(asked: ActionRequest, slot: string): Promise<Reply> {
    const { budget, gone } = asked;
    const running = this.#running.get(slot);
    if (!running) throw unknownOutcome();
    const leave = this.#waited.get(slot)?.audience.join(gone);
    try {
      return await budget.race(running);
    } catch (error) {
      if (!budget.over) throw error;
      const reason = budget.reason();
      return failureReply(asked, reason.code === 'TIMEOUT' ? stillRunning(reason) : reason);
    } finally {
      leave?.();
    }
  }

  /** A key or sign-in ended: what came by it ends at once, whether anybody still waits for it or not (AU3). */
  credentialEnded({ kind, id }: Credential): void {
    const error = new WheelhouseError('UNAUTHENTICATED', 'This sign-in or key has ended.');
    for (const { caller, budget } of this.#waited.values()) {
      const { credential } = caller.principal;
      if (credential.kind === kind && credential.id === id) budget.abort(error);
    }
  }
}
