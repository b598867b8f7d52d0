import { createHash } from 'node:crypto';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { Deferred } from '@/lib/async/deferred';
import { Timer } from '@/lib/async/timers';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import type { Credential } from '@/server/access/principal';
import type { ActionKey, EarlierResult } from '../ledger';
import { inTime } from '@/server/store/in-time';
import type { Timeline } from '../timeline';
import { failureReply, type ActionRequest } from './call';

/**
 * How long an action continues after all its callers disconnected, so that one can send it again; then it is aborted.
 * Milliseconds (F7).
 */
export const RESEND_MS = 10_000;

/** The actions of a session that have no reply yet, by participant and action id (CO10). */
export class ActionReservations {
  readonly #held = new Map<string, Reservation>();
  /** Those that have no reply yet: they hold a reservation, or wait for another with their id. */
  readonly #requests = new Set<ActionRequest>();

  constructor(
    private readonly clock: Clock,
    private readonly timeline: Timeline,
  ) {}

  /** The reservation of a request on its id. It takes effect with `Reservation.take`. */
  of(request: ActionRequest, key: ActionKey): Reservation {
    const all = { held: this.#held, requests: this.#requests };
    return new Reservation(all, request, key, { clock: this.clock, timeline: this.timeline });
  }

  /** Waits until no action is running. */
  async idle(): Promise<void> {
    await Promise.all([...this.#held.values()].map((reservation) => reservation.idle()));
  }

  /** Aborts the actions that `check` refuses by throwing, because their callers have lost a right (AU3). */
  rightsChanged(check: (request: ActionRequest) => void): void {
    for (const request of this.#requests)
      try {
        check(request);
      } catch (error) {
        request.budget.abort(asWheelhouseError(error));
      }
  }

  /** Aborts all actions of a key or sign-in that ended, whether or not a caller still waits (AU3). */
  credentialEnded({ kind, id }: Credential): void {
    const error = new WheelhouseError('UNAUTHENTICATED', 'This sign-in or key has ended.');
    for (const { caller, budget } of this.#requests) {
      const { credential } = caller.principal;
      if (credential.kind === kind && credential.id === id) budget.abort(error);
    }
  }
}

/**
 * The reservation of one request on its action id. The first request with an id holds it until its action has a reply;
 * the others wait for that reply (CO10, F7).
 */
export class Reservation {
  /** Whether the action was started; settles when its intent is stored, or when it ends before that. */
  readonly #started = new Deferred<boolean>();
  readonly #reply = new Deferred<Reply>();
  readonly #waiters: AnswerWaiters;
  readonly #slot: string;
  #running = false;
  /** The reservation is released when this has settled. */
  #withdrawn: Promise<void> | undefined;

  /** @param all `held`: the reservations in force, by slot: participant and action id */
  constructor(
    private readonly all: { readonly held: Map<string, Reservation>; readonly requests: Set<ActionRequest> },
    readonly request: ActionRequest,
    readonly key: ActionKey,
    private readonly store: { readonly clock: Clock; readonly timeline: Timeline },
  ) {
    this.#slot = JSON.stringify([key.participant, key.action]);
    this.#waiters = new AnswerWaiters(store.clock, request.budget);
    this.#reply.promise.catch(() => undefined);
  }

  /**
   * Takes the reservation, or returns the reply to the earlier request that holds or held it; undefined means that it
   * is taken. Throws CONFLICT when the id was used for another action, OUTCOME_UNKNOWN, STORE_BUSY.
   */
  async take(): Promise<Reply | undefined> {
    const { action, budget, gone } = this.request;
    const { held, requests } = this.all;
    requests.add(this.request);
    for (let other = held.get(this.#slot); other; other = held.get(this.#slot))
      if (await budget.race(other.#started.promise)) return other.#join(this.request, this.key);
    // No await since the look at `held`: of two requests at the same moment only one takes the reservation.
    held.set(this.#slot, this);
    this.#waiters.join(gone);
    if (action.id === undefined) return undefined;
    const { clock, timeline } = this.store;
    const earlier = await budget.race(inTime(clock, timeline.recall(this.key)));
    return earlier && replyOfEarlier(this.key, earlier);
  }

  /** The intent is stored: requests with the same id now wait for the reply. */
  started(): void {
    this.#running = true;
    this.#started.resolve(true);
  }

  answered(reply: Reply): void {
    this.#reply.resolve(reply);
    this.#release();
  }

  failed(error: unknown): void {
    this.#reply.reject(error);
    this.#release();
  }

  /**
   * The action does not begin, but the store may still have its intent: the id is free only when `withdrawn` settles. A
   * request with the same id waits for that within its own budget.
   */
  heldUntil(withdrawn: Promise<void>): void {
    this.#withdrawn = withdrawn;
  }

  /** Whether the action did not begin although its intent may be stored. */
  get withdrawn(): boolean {
    return this.#withdrawn !== undefined;
  }

  /** Waits until the action, if it was started, has its reply. */
  async idle(): Promise<void> {
    if (this.#running) await this.#reply.promise.catch(() => undefined);
  }

  /** Waits for the reply within the budget of another request with the same id. Throws CONFLICT. */
  async #join(request: ActionRequest, { fingerprint }: ActionKey): Promise<Reply> {
    if (this.key.fingerprint !== fingerprint) throw sameId(this.key.action);
    const { budget, gone } = request;
    const leave = this.#waiters.join(gone);
    try {
      return await budget.race(this.#reply.promise);
    } catch (error) {
      if (!budget.over) throw error;
      const reason = budget.reason();
      return failureReply(request, reason.code === 'TIMEOUT' ? stillRunning(reason) : reason);
    } finally {
      leave();
    }
  }

  #release(): void {
    const { held, requests } = this.all;
    requests.delete(this.request);
    this.#waiters.dispose();
    const free = (): void => {
      if (held.get(this.#slot) === this) held.delete(this.#slot);
      this.#started.resolve(false);
    };
    if (this.#withdrawn) void this.#withdrawn.finally(free);
    else free();
  }
}

/** The callers who wait for one action: the first, and those who sent it again (CO10, F7). */
export class AnswerWaiters {
  readonly #waiting = new Map<() => void, AbortSignal | undefined>();
  readonly #timer: Timer;

  /** @param budget of the action; aborted when no caller returns in time */
  constructor(
    clock: Clock,
    private readonly budget: Budget,
  ) {
    this.#timer = new Timer(clock);
  }

  /** Adds a caller, who waits until `gone` aborts or the returned function is called. */
  join(gone: AbortSignal | undefined): () => void {
    this.#timer.stop();
    const leave = (): void => {
      gone?.removeEventListener('abort', leave);
      if (this.#waiting.delete(leave) && this.#waiting.size === 0) this.#deserted();
    };
    this.#waiting.set(leave, gone);
    if (gone?.aborted === true) leave();
    else gone?.addEventListener('abort', leave);
    return leave;
  }

  /** Call when the action has been answered. */
  dispose(): void {
    this.#timer.stop();
    for (const [leave, gone] of this.#waiting) gone?.removeEventListener('abort', leave);
    this.#waiting.clear();
  }

  #deserted(): void {
    this.#timer.start(RESEND_MS, () =>
      this.budget.abort(new WheelhouseError('ABORTED', 'The client went away, and did not come back for the answer.')),
    );
  }
}

/** What became of an earlier request, as the store has it. Throws OUTCOME_UNKNOWN when it has no reply, CONFLICT. */
function replyOfEarlier(key: ActionKey, earlier: EarlierResult): Reply {
  switch (earlier.state) {
    case 'done':
      return earlier.reply;
    // The store has its intent, and no reservation holds its id: it ended without an outcome.
    case 'running':
    case 'unknown':
      throw unknownOutcome();
    case 'different':
      throw sameId(key.action);
  }
}

/**
 * Hash of an action and the tab name it was sent to, because `active` may mean another tab on a repeat. Without
 * `timeoutMs`: a caller who was cut off has less time left.
 */
export function fingerprintOf(action: Action, tabName: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tabName, { ...action, timeoutMs: undefined }]))
    .digest('hex');
}

function sameId(id: string): WheelhouseError {
  return new WheelhouseError(
    'CONFLICT',
    `The id "${id.slice(0, 100)}" was used for another action in the last 10 minutes.`,
    {
      hint: 'Use a new id for a new action.',
      retry: 'no',
      details: { fields: [{ field: 'id', problem: 'was used for another action' }] },
    },
  );
}

export function unknownOutcome(): WheelhouseError {
  return new WheelhouseError('OUTCOME_UNKNOWN', 'The server stopped while this action was under way.');
}

/** The error for a repeated request whose budget ends before the running action. */
function stillRunning(cause: WheelhouseError): WheelhouseError {
  return new WheelhouseError('TIMEOUT', 'The action is still being carried out.', {
    hint: 'Send it again with the same id to get its answer.',
    details: cause.details,
    cause,
  });
}
