import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import type { Credential } from '@/server/access/principal';
import { failureReply, type ActionRequest } from './action-request';
import { AnswerWaiters } from './answer-waiters';
import type { Caller } from './caller';
import { stillRunning, unknownOutcome } from './same-request';

/** A running action. */
export interface StartedAction {
  readonly reply: Promise<Reply>;
}

/** An action without an answer yet. */
interface PendingAction {
  readonly caller: Caller;
  readonly budget: Budget;
  readonly audience: AnswerWaiters;
}

/**
 * The actions without an answer yet, by slot (participant and action id), and the callers waiting for each (CO10, F7).
 */
export class PendingActions {
  readonly #running = new Map<string, Promise<Reply>>();
  readonly #waited = new Map<string, PendingAction>();
  /** Requests whose intent is not stored yet; callers with the same id wait for them. */
  readonly #coming = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** Waits until no action is running. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()]);
  }

  /** Waits until every earlier request of this slot has stored its intent. */
  async written(budget: Budget, slot: string): Promise<void> {
    for (let other = this.#coming.get(slot); other; other = this.#coming.get(slot)) await budget.race(other);
  }

  /**
   * Runs the first request of a slot. A caller who sends the same id meanwhile waits until `begin` has stored the
   * intent, and then for the answer.
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

  /** Marks the action as running. */
  started(slot: string, reply: Promise<Reply>): void {
    this.#running.set(slot, reply);
    const ended = (): boolean => this.#running.delete(slot);
    reply.then(ended, ended);
  }

  /**
   * Answers a repeated request of a running action with the same reply, within this caller's budget. Throws
   * OUTCOME_UNKNOWN when the action is not running.
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

  /** Aborts all actions of a key or sign-in that ended, whether or not a caller still waits (AU3). */
  credentialEnded({ kind, id }: Credential): void {
    const error = new WheelhouseError('UNAUTHENTICATED', 'This sign-in or key has ended.');
    for (const { caller, budget } of this.#waited.values()) {
      const { credential } = caller.principal;
      if (credential.kind === kind && credential.id === id) budget.abort(error);
    }
  }
}
