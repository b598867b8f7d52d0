import { Deferred } from '@/lib/async/deferred';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Message } from '@/lib/messages/message';
import { CdpError, MalformedAnswer } from '../protocol';
import type { ExceptionDetails } from '../shapes/objects';
import type { Result } from '../shapes/read';
import type { CdpSession } from '@/server/cdp/session';
import type { LivenessProbe, Sentinel, Termination } from '@/server/cdp/sentinel';
import { decodeResult, threw } from './decode';
import { Packer } from './packer';
import { withoutScriptNames } from './script-names';
import { actsInPage, elementFunction, pageExpression, pageFunction } from './source';

/** Limits of one evaluation; sizes in characters, times in milliseconds (EV3). */
const EVALUATE_LIMITS = {
  maxResultChars: 256 * 1024,
  maxPreviewChars: 2_000,
  /**
   * How long before the deadline the page is first asked for a sign of life. A page that is blocked by then is blocked
   * by the script. Milliseconds.
   */
  earlyMs: 100,
  /** How long the sentinel may take to show that nothing blocks. */
  pingMs: 30,
  /**
   * A page that answered just before the deadline has so much longer, after the caller's answer: the machine may be
   * busy, its code innocent.
   */
  patienceMs: 200,
  /** A takeover ends the script itself, within this. */
  takeoverMs: 3_000,
  /** How long the caller still waits for Chrome to say that the script ended; with the ping inside the grace of BU3. */
  terminateMs: 45,
} as const;

/** How a run ended (EV8). */
export type EvaluateEnd = 'ok' | 'threw' | 'timeout' | 'aborted' | 'failed';

export interface EvaluateRequest {
  readonly fn: string;
  readonly args: readonly unknown[];
  /** Runtime object id, on the evaluate session, of the element that becomes the first argument. */
  readonly elementId?: string | undefined;
  /** Set together with `by`, when the other engine finds the element itself. */
  readonly onElement?: boolean;
  /** Runs the packed source by another engine than our own session (EV7); returns the packed result. */
  readonly by?: ((source: string) => Promise<unknown>) | undefined;
  /** The script's `sourceURL`, which distinguishes it from the page's own scripts. */
  readonly name?: string | undefined;
  /** Returns a text preview instead of the value, so that any value has an answer. */
  readonly preview?: boolean;
}

/** What an evaluator tells its owner; all are counted (EV8). */
export interface EvaluatorEvents {
  dialog(): WheelhouseError | undefined;
  onDialog(handler: (error: WheelhouseError) => void): () => void;
  /** The main thread did not answer and the script has not ended yet. */
  hung(said: Message): void;
  freed(): void;
  count(event: 'abandoned' | 'terminate-sent' | 'terminate-acknowledged' | `fallback:${string}`): void;
  /** One run is over. */
  ended(end: EvaluateEnd, ms: number): void;
}

/** Runs scripts of one tab on their own lane and ends them by their deadline (EV1-EV6, EV10). */
export class Evaluator {
  readonly #packer: Packer;
  #running = 0;

  constructor(
    private readonly session: CdpSession,
    private readonly sentinel: Sentinel,
    private readonly events: EvaluatorEvents,
  ) {
    this.#packer = new Packer(session);
  }

  /** Whether a script of ours runs, or is waited for. */
  get running(): boolean {
    return this.#running > 0;
  }

  /**
   * Runs one script. Throws EVAL_THREW, EVAL_RESULT_UNSERIALIZABLE, DIALOG_OPEN, EVAL_TERMINATED, BAD_REQUEST,
   * or what ended the budget; then the page was left able to go on, or `hung` was reported.
   */
  async run(budget: Budget, request: EvaluateRequest): Promise<unknown> {
    const open = this.events.dialog();
    if (open) throw open;
    const startedAt = budget.elapsedMs();
    let end: EvaluateEnd = 'ok';
    this.#running += 1;
    try {
      return await this.#settle(budget, request);
    } catch (error) {
      end = endOf(error);
      throw error;
    } finally {
      this.#running -= 1;
      this.events.ended(end, budget.elapsedMs() - startedAt);
    }
  }

  /** Counts that a script goes another way than ours, and why (EV8). */
  fellBack(reason: string): void {
    this.events.count(`fallback:${reason}`);
  }

  async #settle(budget: Budget, request: EvaluateRequest): Promise<unknown> {
    const answer = this.#send(budget, request);
    const probe = this.#probeBeforeDeadline(budget);
    const answered = new Deferred<Result<'Runtime.evaluate'>>();
    const stopListening = this.events.onDialog(answered.reject);
    answer.then(answered.resolve, (error: unknown) => isWaitedFor(error) || answered.reject(error));
    answered.promise.catch(() => undefined);
    try {
      return unpack(await budget.during('the script to finish', () => answered.promise));
    } catch (error) {
      if (budget.over) throw await this.#endScript(budget.reason(), await probe.answered());
      throw explain(error);
    } finally {
      stopListening();
      probe.stop();
    }
  }

  /**
   * Asks the page a little before the deadline. A call that is cut short has not been asked for: then nothing is known.
   */
  #probeBeforeDeadline(budget: Budget): { answered: () => Promise<boolean>; stop: () => void } {
    let early: LivenessProbe | undefined;
    const stop = this.sentinel.later(Math.max(0, budget.remainingMs() - EVALUATE_LIMITS.earlyMs), () => {
      early = this.sentinel.ask();
    });
    return { answered: async () => (await early?.within(0)) ?? false, stop };
  }

  #send(budget: Budget, request: EvaluateRequest): Promise<Result<'Runtime.evaluate'>> {
    const { fn, args, elementId, name, preview = false } = request;
    const form = {
      preview,
      name,
      maxChars: preview ? EVALUATE_LIMITS.maxPreviewChars : EVALUATE_LIMITS.maxResultChars,
    };
    if (request.by)
      return request
        .by(request.onElement === true ? elementFunction(fn, args, form) : pageExpression(fn, args, form))
        .then((value) => ({ result: { type: 'string', value } }));
    if (elementId === undefined) return this.#packer.call(budget, pageFunction(fn, args, form), actsInPage(fn));
    return this.session.send('Runtime.callFunctionOn', {
      functionDeclaration: elementFunction(fn, args, form),
      objectId: elementId,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
  }

  /**
   * EV3: ask first; only a main thread that does not answer is terminated. Adds what happened to the caller's error.
   */
  async #endScript(reason: WheelhouseError, answeredEarly: boolean): Promise<WheelhouseError> {
    const question = this.sentinel.ask();
    if (await question.within(EVALUATE_LIMITS.pingMs)) return withScript(reason, this.#leftAlone());
    const open = this.events.dialog();
    if (open) return open;
    // A takeover ends the script together with the input queued behind it. If we ended the script here, that input
    // would reach the page (CO3).
    if (reason.code === 'CONTROL_LOST' && (await question.within(EVALUATE_LIMITS.takeoverMs)))
      return withScript(reason, 'ended because the wheel passed to somebody else');
    if (!answeredEarly) return withScript(reason, await this.#terminate());
    void this.#endIfStillBlocked(question);
    return withScript(reason, 'left alone for now: the page answered a moment ago; it is ended if it stays blocked');
  }

  /** The caller has the answer already. */
  async #endIfStillBlocked(question: LivenessProbe): Promise<void> {
    if (await question.within(EVALUATE_LIMITS.patienceMs)) this.#leftAlone();
    else if (!this.events.dialog()) await this.#terminate();
  }

  #leftAlone(): string {
    this.events.count('abandoned');
    return 'left alone: nothing blocks the page';
  }

  async #terminate(): Promise<string> {
    this.events.count('terminate-sent');
    const ended = await this.sentinel.terminate(EVALUATE_LIMITS.terminateMs, () => this.#acknowledged(true));
    if (ended === 'acknowledged') this.#acknowledged(false);
    else this.events.hung({ code: 'scriptStays' });
    return scriptFate(ended);
  }

  #acknowledged(late: boolean): void {
    this.events.count('terminate-acknowledged');
    if (late) this.events.freed();
  }
}

/**
 * Chrome refuses the call with "Promise was collected" when garbage collection finds that no code can settle the
 * promise. We treat it like a promise that never settles and wait until the deadline.
 */
function isWaitedFor(error: unknown): boolean {
  return error instanceof CdpError && /promise was collected/i.test(error.detail);
}

function endOf(error: unknown): EvaluateEnd {
  if (!(error instanceof WheelhouseError)) return 'failed';
  if (error.code === 'EVAL_THREW') return 'threw';
  if (error.code === 'TIMEOUT') return 'timeout';
  return error.code === 'ABORTED' || error.code === 'CONTROL_LOST' ? 'aborted' : 'failed';
}

function scriptFate(ended: Termination): string {
  return ended === 'acknowledged' ? 'terminated' : 'being terminated; the tab is shown as hung until Chrome confirms';
}

function withScript(reason: WheelhouseError, script: string): WheelhouseError {
  return new WheelhouseError(reason.code, reason.message, {
    hint: reason.hint,
    details: { ...reason.details, script },
    cause: reason,
  });
}

function unpack(result: Result<'Runtime.evaluate'>): unknown {
  if (result.exceptionDetails) throw thrownBy(result.exceptionDetails);
  const packed: unknown = result.result.value;
  return decodeResult(typeof packed === 'string' ? withoutScriptNames(packed) : packed, EVALUATE_LIMITS.maxResultChars);
}

/** Only what our wrapper could not catch comes this way: mostly a termination by someone else. */
function thrownBy(details: ExceptionDetails): WheelhouseError {
  const text = withoutScriptNames(details.exception?.description ?? details.text);
  return threw(details.exception?.className ?? 'Error', text.split('\n')[0] ?? text, text);
}

function explain(error: unknown): unknown {
  if (!(error instanceof CdpError) || error instanceof MalformedAnswer) return error;
  if (/terminated|Internal error/i.test(error.detail))
    return new WheelhouseError('EVAL_TERMINATED', 'The script was stopped.', { cause: error });
  if (/navigated|context|destroyed/i.test(error.detail)) {
    return new WheelhouseError('ABORTED', 'The page went to another document while the script ran.', { cause: error });
  }
  return new WheelhouseError('INTERNAL', `Chrome refused the script: ${error.detail}`, { cause: error });
}
