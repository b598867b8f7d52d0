import { driven } from '@/lib/control/rules';
import type { ActionCall } from './action-call';
import { Executor } from './execute';
import type { Hooks } from './feature';
import type { SessionKernel } from './kernel';
import { grantsFor } from './rights';
import { LATE, within } from '@/lib/async/within';
import { randomUUID } from 'node:crypto';
import { accessOf, kindOf, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { BUDGET_LIMITS, clampTimeout } from '@/lib/budget/limits';
import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError, toWire, WheelhouseError } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import { maskAddresses } from '@/lib/text/mask';
import type { Credential } from '@/server/access/principal';
import type { ActionOutcome, NestedAction } from '@/server/actions/context';
import { CdpError } from '@/server/cdp/protocol';
import { failureReply, type ActionRequest } from './action-request';
import type { Caller } from './caller';
import type { ActionKey, EarlierResult, IntentResult } from './ledger';
import { inTime, STORE_MS } from './queue';
import { fingerprintOf, sameId, slotOf, unknownOutcome, unstoredOutcome } from './same-request';
import type { SessionTab } from './session-tab';
import { targetEntryOf, refusedEntryOf, auditEntryOf } from './audit-entry';
import { withoutText, type AuditEntry } from './timeline';
import { PendingActions, type StartedAction } from './pending-actions';

/**
 * The one path of every action from every door (docs/ARCHITECTURE.md, way 1). It checks rights, carries out each id
 * once, writes the timeline before and after, and always answers.
 */
export class Funnel {
  readonly #underway: PendingActions;

  readonly #executor: Executor;

  constructor(
    private readonly kernel: SessionKernel,
    private readonly features: readonly Hooks[],
  ) {
    this.#underway = new PendingActions(kernel.services.clock);
    this.#executor = new Executor(kernel, features);
  }

  /** Waits until no action is running. */
  idle(): Promise<void> {
    return this.#underway.idle();
  }

  /**
   * Carries out an action. Never throws: every failure is a reply. The same `action.id` of the same participant is
   * carried out once (CO10, I3). `gone` aborts when the caller can no longer receive the answer: an action with an id
   * then waits for its caller to send it again (F7); one without an id runs until its budget ends.
   */
  async perform(caller: Caller, tabName: string, action: Action, budget: Budget, gone?: AbortSignal): Promise<Reply> {
    const id = action.id ?? randomUUID();
    const asked: ActionRequest = { caller, tabName, action, budget, id, startedAt: new Date().toISOString(), gone };
    try {
      authorise(this.kernel, caller, action);
      const key: ActionKey = {
        participant: caller.principal.id,
        action: id,
        fingerprint: this.#fingerprint(caller, action, tabName),
      };
      // Before looking for the tab: a client may resend an action that closed its own tab (I3).
      await this.#underway.written(budget, slotOf(key));
      const earlier =
        action.id === undefined ? undefined : await this.#inTime(budget, this.kernel.timeline.recall(key));
      return earlier
        ? await this.#again(asked, key, earlier)
        : await this.#underway.first(asked, slotOf(key), () => this.#begin(asked, key));
    } catch (error) {
      return this.#refused(asked, error);
    }
  }

  /** Ends all actions of a key or sign-in that ended, whether or not a caller still waits (AU3). */
  credentialEnded(credential: Credential): void {
    this.#underway.credentialEnded(credential);
  }

  /**
   * Carries out one action inside another (AC7): same caller, tab and epoch, the rest of the budget, timeline rows of
   * its own. Never throws.
   */
  async inside(
    { caller, sessionTab, budget: rest }: ActionCall,
    action: Action,
    how: NestedAction,
    epoch: number | undefined,
  ): Promise<Reply> {
    const id = action.id ?? randomUUID();
    const own = clampTimeout(action.timeoutMs, kindOf(action).timeoutMs);
    const budget = rest.child(own, { reserveMs: INSIDE_RESERVE_MS + (how.reserveMs ?? 0) });
    const startedAt = new Date().toISOString();
    const tabName = sessionTab.tab.id;
    const asked: ActionRequest = { caller, tabName, action: how.asWritten, budget, id, startedAt, gone: undefined };
    try {
      authorise(this.kernel, caller, action);
      const fingerprint = this.#fingerprint(caller, action, tabName);
      const key: ActionKey = { participant: caller.principal.id, action: id, fingerprint };
      const fenced = epoch === undefined ? action : { ...action, epoch };
      const call = {
        caller,
        sessionTab,
        action: fenced,
        asWritten: how.asWritten,
        inside: how,
        budget,
        key,
        startedAt,
        resolved: {},
      };
      const { reply } = await this.#start(asked, call);
      return await reply;
    } catch (error) {
      return this.#refused(asked, error);
    } finally {
      budget.abort(new WheelhouseError('ABORTED', 'The action has been answered.'));
      budget.dispose();
    }
  }

  /**
   * While the participant holds a tab privately, the fingerprint contains only the kind: a short text could be guessed
   * from its hash (CO8).
   */
  #fingerprint({ principal }: Caller, action: Action, tabName: string): string {
    return this.kernel.visibility.holds(principal.id) ? `private ${action.kind}` : fingerprintOf(action, tabName);
  }

  /** Finds the tab, counts the action, writes its intent and starts it, without waiting for its result. */
  async #begin(asked: ActionRequest, key: ActionKey): Promise<StartedAction> {
    const { caller, action, tabName, budget, id, startedAt } = asked;
    const name = action.tab ?? tabName;
    await this.kernel.tabs.emptied(budget);
    const alone = action.kind === 'tab' && name === 'active' && this.kernel.registry.size === 0;
    if (alone && action.do === 'list')
      return {
        reply: Promise.resolve({
          ok: true,
          id,
          kind: action.kind,
          tab: '',
          url: '',
          startedAt,
          ms: 0,
          warnings: [],
          value: [],
        }),
      };
    const sessionTab =
      alone && action.do === 'open' ? await this.kernel.tabs.openFirst(budget) : this.kernel.active.find(caller, name);
    const call: ActionCall = { caller, action, sessionTab, budget, key, startedAt, resolved: {} };
    await this.#admit(caller, action, sessionTab.tab.id);
    return this.#start(asked, call);
  }

  async #start(asked: ActionRequest, call: ActionCall): Promise<StartedAction> {
    const hidden = this.kernel.visibility.isHeldPrivately(call.sessionTab.tab.id);
    const typed = hidden ? (kindOf(call.action).typed?.(call.action) ?? []) : [];
    for (const text of typed) this.kernel.secrets.add(text, call.caller.principal.id);
    const told = hidden ? withoutText(auditEntryOf(call)) : auditEntryOf(call);
    const intent = await this.#intend(call, told);
    if (intent.state !== 'recorded') return { reply: this.#again(asked, call.key, intent) };
    const reply = this.#once(call, told, hidden);
    this.#underway.started(slotOf(call.key), reply);
    return { reply };
  }

  /**
   * Writes the intent. Throws STORE_BUSY when that takes too long: the action is not carried out, and its row is
   * concluded with that error.
   */
  async #intend(call: ActionCall, told: AuditEntry): Promise<IntentResult> {
    const intent = this.kernel.timeline.intend(call.key, told);
    try {
      return await this.#inTime(call.budget, intent);
    } catch (error) {
      const reply = bare(this.#reply(call, { ok: false, error: asWheelhouseError(error) }));
      const unsaid = { ...told, ...outcomeOf(reply), ms: reply.ms };
      void intent
        .then(({ state }) =>
          state === 'recorded' ? this.kernel.timeline.conclude(call.key, reply, unsaid) : undefined,
        )
        .catch(() => undefined);
      throw error;
    }
  }

  /** Waits for the store at most `STORE_MS` and the rest of the budget. Throws STORE_BUSY, TIMEOUT. */
  #inTime<T>(budget: Budget, work: Promise<T>): Promise<T> {
    return budget.race(inTime(this.kernel.services.clock, work));
  }

  /** Lets features refuse the action, then counts it against its limits. Throws RATE_LIMITED. */
  async #admit(caller: Caller, action: Action, tab: string): Promise<void> {
    const { rates, leases } = this.kernel;
    const participant = caller.principal.id;
    for (const one of this.features) await one.beforeAction?.(caller, action, tab);
    await rates.action(participant, tab, action, leases.mayAct(tab, participant));
  }

  /** After an action: notifies features, counts it in the metrics, and activates the tab it wrote to. */
  #done(call: ActionCall, reply: Reply, silent: boolean): void {
    const { services, registry, active } = this.kernel;
    const { action, caller } = call;
    const { id } = call.sessionTab.tab;
    for (const one of this.features) one.afterAction?.(call, reply, silent);
    const outcome = reply.error?.code ?? 'ok';
    services.metrics.action({ kind: action.kind, door: caller.door, outcome }, reply.ms);
    if (accessOf(action) === 'write' && reply.ok && registry.get(id)) active.activate(reply.newTabs?.at(-1) ?? id);
  }

  /**
   * Answers a repeated request with the earlier result; never carries it out again. Throws OUTCOME_UNKNOWN, CONFLICT.
   */
  async #again(asked: ActionRequest, key: ActionKey, earlier: EarlierResult): Promise<Reply> {
    switch (earlier.state) {
      case 'done':
        return earlier.reply;
      case 'running':
        return this.#underway.joined(asked, slotOf(key));
      case 'unknown':
        throw unknownOutcome();
      case 'different':
        throw sameId(key.action);
    }
  }

  async #once(call: ActionCall, told: AuditEntry, hidden: boolean): Promise<Reply> {
    const reply = this.#reply(call, await this.#answer(call));
    const silent = hidden || this.kernel.visibility.isHeldPrivately(call.sessionTab.tab.id);
    const concluded = this.kernel.timeline.conclude(call.key, silent ? bare(reply) : reply, {
      ...told,
      ...(silent ? {} : targetEntryOf(call)),
      ...outcomeOf(reply),
      ms: reply.ms,
      epoch: call.sessionTab.epoch(),
    });
    try {
      await inTime(this.kernel.services.clock, concluded, Math.min(STORE_MS, call.budget.remainingMs() + CONCLUDE_MS));
    } catch (cause) {
      throw accessOf(call.action) === 'write' ? unstoredOutcome(cause) : cause;
    } finally {
      this.#done(call, reply, silent);
    }
    return reply;
  }

  /** Waits for the work, at most for the budget and its grace (BU3). */
  async #answer(call: ActionCall): Promise<Result> {
    const { budget } = call;
    try {
      const graceMs = budget.remainingMs() + BUDGET_LIMITS.graceMs - 10;
      const outcome = await within(this.kernel.services.clock, graceMs, this.#executor.execute(call, this));
      if (outcome === LATE) return { ok: false, error: this.#explain(budget.over ? budget.reason() : undefined, call) };
      return { ok: true, outcome };
    } catch (error) {
      return { ok: false, error: this.#explain(error, call) };
    }
  }

  #explain(error: unknown, call: ActionCall): WheelhouseError {
    if (call.budget.over && !(error instanceof WheelhouseError)) return call.budget.reason();
    if (error instanceof CdpError)
      return new WheelhouseError('INTERNAL', `Chrome refused: ${error.detail}`, {
        cause: error,
        details: { method: error.method },
      });
    const known = asWheelhouseError(error);
    if (known.code === 'INTERNAL')
      this.kernel.services.logger.error(
        { error, action: call.action.kind, requestId: call.key.action },
        'an action failed by a fault of ours',
      );
    return known;
  }

  /**
   * The page's address in full for the holder, who may need to return to it; for others with its secrets masked (SN6).
   */
  #address({ sessionTab: { tab }, caller: { principal } }: ActionCall): string {
    const place = this.kernel.visibility.placeFor(tab.id, principal.id);
    return (
      place?.url ??
      (driven(this.kernel.leases.lease(tab.id))?.holder.id === principal.id ? tab.url : maskAddresses(tab.url))
    );
  }

  #reply(call: ActionCall, result: Result): Reply {
    const base = {
      id: call.key.action,
      kind: call.action.kind,
      tab: call.sessionTab.tab.id,
      url: this.#address(call),
      startedAt: call.startedAt,
      ms: Math.round(call.budget.elapsedMs()),
    };
    if (!result.ok) return { ...base, ok: false, warnings: [], error: toWire(result.error) };
    const { warnings, error, ...outcome } = result.outcome;
    return {
      ...base,
      ...outcome,
      ok: error === undefined,
      warnings: [...(warnings ?? [])],
      ...(error ? { error: toWire(error) } : {}),
    };
  }

  /** Answers an action that was refused before it began (unknown tab, no right) and adds it to the timeline. */
  #refused(asked: ActionRequest, thrown: unknown): Reply {
    const { caller, action } = asked;
    const error = asWheelhouseError(thrown);
    if (error.code === 'INTERNAL')
      this.kernel.services.logger.error({ error: thrown, action: action.kind }, 'the funnel failed');
    if (!WITHOUT_ROW.has(error.code))
      void this.kernel.timeline.refused(refusedEntryOf(caller, action, this.#sessionTabOf(asked), error.code));
    return failureReply(asked, error);
  }

  #sessionTabOf({ caller, action, tabName }: ActionRequest): SessionTab | undefined {
    try {
      return this.kernel.active.find(caller, action.tab ?? tabName);
    } catch {
      // The missing tab may be the reason for the refusal.
      return undefined;
    }
  }
}

/** A reply without content, for a private action: that it was answered and how it ended. */
function bare({ ok, id, kind, tab, startedAt, ms, error }: Reply): Reply {
  const said = error && { ...error, message: '', details: undefined };
  return { ok, id, kind, tab, url: '', startedAt, ms, warnings: [], ...(said ? { error: said } : {}) };
}

/** Errors that get no timeline row: no session to write to, a busy store, or too many of them. */
const WITHOUT_ROW: ReadonlySet<string> = new Set(['NOT_FOUND', 'STORE_BUSY', 'RATE_LIMITED']);

type Result =
  | { readonly ok: true; readonly outcome: ActionOutcome }
  | { readonly ok: false; readonly error: WheelhouseError };

function outcomeOf(reply: Reply): Pick<TimelineEvent, 'outcome' | 'code'> {
  if (!reply.error) return { outcome: 'ok' };
  return { outcome: reply.error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed', code: reply.error.code };
}

/** How long storing an outcome may take after the budget has ended. Milliseconds. */
const CONCLUDE_MS = 1_000;

/** Reserved from the outer budget, so that a nested action is answered before the outer one must be. Milliseconds. */
const INSIDE_RESERVE_MS = 100;

/** Checks the caller's right, at execution (AU3). Throws FORBIDDEN or NOT_FOUND. */
function authorise(kernel: SessionKernel, { principal }: Caller, action: Action): void {
  for (const grant of grantsFor(action)) kernel.require(principal, grant);
}
