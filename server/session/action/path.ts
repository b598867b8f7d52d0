import { randomUUID } from 'node:crypto';
import { accessOf, kindOf, usesScript, type Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { clampTimeout } from '@/lib/budget/limits';
import { WheelhouseError } from '@/lib/errors/error';
import type { ActionOutcome, NestedAction } from '@/server/actions/context';
import { actorKind } from '@/server/access/principal';
import { handlerOf } from '@/server/actions/registry';
import type { Hooks } from '../feature';
import type { SessionKernel } from '../kernel';
import type { ActionKey } from '../ledger';
import { pageLost } from '../page-lost';
import { demandOpenTo, grantsFor, reachesOtherTabs, readsPage } from '../rights';
import { checkEvaluate } from '../session-parts';
import type { ActionCall, ActionRequest } from './call';
import { fingerprintOf } from './reservations';
import { contextFor } from './context';
import { recordIntent, recordOutcome, refuse, type Intent } from './journal';
import { takeLease } from './lease';
import { replyFrom, whyLate } from './reply';
import { runInTurn } from './run';
import { RunningAction } from './running-actions';

/**
 * The one path of every action from every door, and of each action inside another (docs/ARCHITECTURE.md, way 1). Never
 * throws: every failure is a reply. The hooks of actions are called in this file and nowhere else. The same `action.id`
 * of the same participant is carried out once (CO10, I3).
 */
export async function carryOutAction(
  kernel: SessionKernel,
  features: readonly Hooks[],
  request: ActionRequest,
): Promise<Reply> {
  const reservation = kernel.reservations.of(request, keyOf(kernel, request));
  let reply: Reply | undefined;
  try {
    announce(kernel, features, request);
    authorise(kernel, request);
    // Before looking for the tab: a client may resend an action that closed its own tab (I3).
    reply = (await reservation.take()) ?? (await listWithoutTabs(kernel, request));
    if (!reply) {
      const call = await findTab(kernel, request, reservation.key);
      await askFeaturesAndCount(kernel, features, call);
      const intent = await recordIntent(kernel, call, reservation);
      reservation.started();
      reply = await replyFrom(kernel, call, actOnTab(kernel, features, call));
      await conclude(kernel, features, call, intent, reply);
    }
    reservation.answered(reply);
  } catch (error) {
    reservation.failed(error);
    reply = refuse(kernel, request, error, reservation.withdrawn);
  }
  return decorate(kernel, features, request, reply);
}

/** The part of the path that has to do with the page. Throws what the caller is told. */
async function actOnTab(kernel: SessionKernel, features: readonly Hooks[], call: ActionCall): Promise<ActionOutcome> {
  const { action, sessionTab, budget, caller } = call;
  const { tab } = sessionTab;
  await usable(kernel, call);
  await visible(kernel, call);
  const epoch = kernel.visibility.visibilityEpoch(tab.id);
  const running = new RunningAction(tab.id, caller.principal.id, budget);
  const stop = kernel.runningActions.start(running);
  try {
    const right = await takeLease(kernel, call);
    if (right) for (const one of features) if (one.beforeWrite) await one.beforeWrite(budget, tab.id, caller);
    const context = contextFor(kernel, call, running, right, (inner, how) =>
      carryOutInside(kernel, features, call, right?.epoch, inner, how),
    );
    const outcome = await runInTurn(kernel, call, context, running);
    if (readsPage(action)) kernel.visibility.demandSame(tab.id, epoch);
    return outcome;
  } catch (error) {
    throw whyLate(call, pageLost(tab, await running.judged(error)));
  } finally {
    stop();
  }
}

/**
 * Carries out one action inside another (AC7): same caller, tab and epoch, the rest of the budget, timeline rows of its
 * own.
 */
async function carryOutInside(
  kernel: SessionKernel,
  features: readonly Hooks[],
  { caller, sessionTab, budget: rest }: ActionCall,
  epoch: number | undefined,
  action: Action,
  how: NestedAction,
): Promise<Reply> {
  const ownMs = clampTimeout(action.timeoutMs, kindOf(action).timeoutMs);
  const budget = rest.child(ownMs, { reserveMs: INSIDE_RESERVE_MS + (how.reserveMs ?? 0) });
  try {
    return await carryOutAction(kernel, features, {
      caller,
      tabName: sessionTab.tab.id,
      action,
      asWritten: how.asWritten,
      budget,
      id: action.id ?? randomUUID(),
      startedAt: new Date().toISOString(),
      epoch: epoch ?? action.epoch,
      inside: how,
      outerTab: sessionTab,
    });
  } finally {
    budget.abort(new WheelhouseError('ABORTED', 'The action has been answered.'));
    budget.dispose();
  }
}

/** Reserved from the outer budget, so that a nested action is answered before the outer one must be. Milliseconds. */
const INSIDE_RESERVE_MS = 100;

/**
 * While the participant holds a tab privately, the fingerprint contains only the kind: a short text could be guessed
 * from its hash (CO8).
 */
function keyOf(
  { visibility }: SessionKernel,
  { caller: { principal }, action, tabName, id }: ActionRequest,
): ActionKey {
  const fingerprint = visibility.holds(principal.id) ? `private ${action.kind}` : fingerprintOf(action, tabName);
  return { participant: principal.id, action: id, fingerprint };
}

/** Makes the caller a participant, and informs features of the request. */
function announce(
  kernel: SessionKernel,
  features: readonly Hooks[],
  { caller, action, budget, inside }: ActionRequest,
): void {
  if (inside) return;
  const down = kernel.status.error();
  if (down) budget.abort(down);
  kernel.admitParticipant(caller);
  kernel.onUse.emit(caller);
  for (const one of features) one.asked?.(caller, action);
}

/** Checks the caller's right, at execution and when rights change (AU3). Throws FORBIDDEN or NOT_FOUND. */
export function authorise(
  kernel: SessionKernel,
  { caller: { principal }, action }: Pick<ActionRequest, 'caller' | 'action'>,
): void {
  for (const grant of grantsFor(action)) kernel.require(principal, grant);
  demandOpenTo(principal, action);
}

/** Answers a listing of tabs while there is none, which needs no tab and leaves no row. */
async function listWithoutTabs(kernel: SessionKernel, request: ActionRequest): Promise<Reply | undefined> {
  const { action, budget, id, startedAt, outerTab } = request;
  if (outerTab) return undefined;
  await kernel.tabs.emptied(budget);
  if (!needsFirstTab(kernel, request) || action.kind !== 'tab' || action.do !== 'list') return undefined;
  return { ok: true, id, kind: action.kind, tab: '', url: '', startedAt, ms: 0, warnings: [], value: [] };
}

/** Whether it is about tabs, names none, and there is none: in an attached Chrome whose owner closed them all. */
function needsFirstTab({ registry }: SessionKernel, { action, tabName, outerTab }: ActionRequest): boolean {
  return !outerTab && action.kind === 'tab' && (action.tab ?? tabName) === 'active' && registry.size === 0;
}

/** Throws TAB_NOT_FOUND, TAB_AMBIGUOUS, BROWSER_DOWN. */
async function findTab(kernel: SessionKernel, request: ActionRequest, key: ActionKey): Promise<ActionCall> {
  const { caller, action, tabName, budget, outerTab } = request;
  const opensFirst = needsFirstTab(kernel, request) && action.kind === 'tab' && action.do === 'open';
  const sessionTab = opensFirst
    ? await kernel.tabs.openFirst(budget)
    : (outerTab ?? kernel.active.find(caller, action.tab ?? tabName));
  return { ...request, sessionTab, key, resolved: {} };
}

/**
 * Lets features refuse the action, then counts it against its limits; an action inside another is counted with it.
 * Throws RATE_LIMITED.
 */
async function askFeaturesAndCount(kernel: SessionKernel, features: readonly Hooks[], call: ActionCall): Promise<void> {
  const { caller, action, sessionTab, inside } = call;
  if (inside) return;
  const { id } = sessionTab.tab;
  for (const one of features) if (one.beforeAction) await one.beforeAction(caller, action, id);
  await kernel.rates.action(caller.principal, id, action, kernel.leases.mayAct(id, caller.principal.id));
}

/** Waits until the tab can do what the action asks. Throws EVAL_DISABLED, and why the tab cannot be used. */
async function usable(
  kernel: SessionKernel,
  { action, sessionTab: { tab }, caller, budget }: ActionCall,
): Promise<void> {
  budget.check();
  if (usesScript(action)) checkEvaluate(kernel.init.policy, actorKind(caller.principal));
  if (accessOf(action) !== 'remedy') await budget.during('the page to be prepared', () => tab.ready);
  if (handlerOf(action).worksWhenStuck !== true) await tab.usable(budget);
}

/**
 * Refuses an action that reads a privately held page, or reaches into one from another tab (CO8). Waits while a page is
 * being shown again. Throws CONTROL_HELD.
 */
async function visible(
  { visibility }: SessionKernel,
  { action, sessionTab, caller, budget }: ActionCall,
): Promise<void> {
  if (reachesOtherTabs(action)) visibility.demandNone(caller.principal.id);
  if (kindOf(action).seesBrowser?.(action) === true) visibility.demandNone('');
  if (readsPage(action)) await visibility.readable(budget, sessionTab.tab.id);
  else if (handlerOf(action).worksWhenStuck !== true) await visibility.lifted(budget, sessionTab.tab.id);
}

/** Stores the outcome; also when that fails, informs features, counts the action, and activates the tab it wrote to. */
async function conclude(
  kernel: SessionKernel,
  features: readonly Hooks[],
  call: ActionCall,
  { entry, private: began }: Intent,
  reply: Reply,
): Promise<void> {
  const { id } = call.sessionTab.tab;
  const silent = began || kernel.visibility.isHeldPrivately(id);
  try {
    await recordOutcome(kernel, call, { entry, private: silent }, reply);
  } finally {
    for (const one of features)
      try {
        one.afterAction?.(call, reply, silent);
      } catch (error) {
        kernel.fault(error);
      }
    const outcome = reply.error?.code ?? 'ok';
    kernel.services.metrics.action({ kind: call.action.kind, door: call.caller.door, outcome }, reply.ms);
    if (accessOf(call.action) === 'write' && reply.ok && kernel.registry.get(id))
      kernel.active.activate(reply.newTabs?.at(-1) ?? id);
  }
}

/**
 * Adds what features have for the caller, and masks secrets. The reply of an inner action goes to the outer one as is.
 * A hook that throws is reported as a fault: the caller gets the reply without the part of that feature.
 */
async function decorate(
  { secrets, fault }: SessionKernel,
  features: readonly Hooks[],
  { caller, action, gone, inside }: ActionRequest,
  reply: Reply,
): Promise<Reply> {
  if (inside) return reply;
  for (const one of features)
    try {
      if (one.answered) await one.answered(caller, reply);
    } catch (error) {
      fault(error);
    }
  let decorated = reply;
  for (const one of gone?.aborted === true ? [] : features)
    try {
      decorated = one.onReply?.(caller, action, decorated) ?? decorated;
    } catch (error) {
      fault(error);
    }
  return secrets.shown(decorated);
}
