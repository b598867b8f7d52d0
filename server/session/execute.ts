import type { ActionCall } from './action-call';
import { contextFor, type NestedPath, type WriteRight } from './action-context';
import type { Hooks } from './feature';
import type { SessionKernel } from './kernel';
import { LeaseQueue } from './lease-queue';
import { ACTION_FILES } from './queries';
import { checkEvaluate } from './session-parts';
import type { Upcoming } from '@/server/browser/emitter';
import { accessOf, kindOf, runsScript, usesScript, type Action } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { ActionContext, ActionOutcome, HandlerResult } from '@/server/actions/context';
import { expectation } from '@/server/actions/expect';
import { handlerOf, runHandler } from '@/server/actions/registry';
import { cleanText } from '@/lib/text/clean';
import { dialogError } from '@/server/browser/dialogs';
import { settle } from '@/server/browser/settle';
import { readable } from '@/server/browser/snapshot/snapshot-delta';
import { fencedSession, type FencedSession } from '@/server/browser/write';
import type { Leases } from './leases';
import { reachesOtherTabs, changesSession, readsPage } from './rights';
import { RunningAction } from './running-actions';
import { actorOf } from './participants';
import type { SessionTab } from './session-tab';
import { pageLost } from './page-lost';

/** Reserved from the budget for the answer while the page settles after an action. Milliseconds. */
const ANSWER_RESERVE_MS = 100;

/** Carries out an admitted action: lease, queue, handler, settle (docs/ARCHITECTURE.md, way 1). */
export class Executor {
  readonly #waiting: LeaseQueue;

  constructor(
    private readonly kernel: SessionKernel,
    private readonly features: readonly Hooks[],
  ) {
    this.#waiting = new LeaseQueue(kernel.leases, kernel.init.policy.whenTaken === 'wait');
  }

  async execute(call: ActionCall, nested: NestedPath): Promise<ActionOutcome> {
    const { action, sessionTab } = call;
    call.budget.check();
    if (usesScript(action)) checkEvaluate(this.kernel.init.policy, call.caller.principal.kind);
    if (accessOf(action) !== 'remedy') await call.budget.race(sessionTab.tab.ready);
    if (handlerOf(action).worksWhenStuck !== true) await sessionTab.tab.usable(call.budget);
    await this.#visible(call);
    const epoch = this.kernel.visibility.visibilityEpoch(sessionTab.tab.id);
    const running = new RunningAction(sessionTab.tab.id, call.caller.principal.id, call.budget);
    const stop = this.kernel.runningActions.start(running);
    try {
      await this.#waiting.before(call);
      const done = await this.#entitled(call, running, await this.#right(call), nested);
      if (readsPage(action)) this.kernel.visibility.demandSame(sessionTab.tab.id, epoch);
      return done;
    } catch (error) {
      throw whyLate(call, pageLost(sessionTab.tab, await running.judged(error)));
    } finally {
      stop();
    }
  }

  /**
   * Refuses an action that reads a privately held page, or reaches into one from another tab (CO8). Waits while a page
   * is being shown again. Throws CONTROL_HELD.
   */
  async #visible({ action, sessionTab, caller, budget }: ActionCall): Promise<void> {
    const { visibility } = this.kernel;
    if (reachesOtherTabs(action)) visibility.demandNone(caller.principal.id);
    if (kindOf(action).seesBrowser?.(action) === true) visibility.demandNone('');
    if (readsPage(action)) await visibility.readable(budget, sessionTab.tab.id);
    else if (handlerOf(action).worksWhenStuck !== true) await visibility.lifted(budget, sessionTab.tab.id);
  }

  async #entitled(
    call: ActionCall,
    running: RunningAction,
    right: WriteRight | undefined,
    nested: NestedPath,
  ): Promise<ActionOutcome> {
    const { tab } = call.sessionTab;
    if (right) for (const one of this.features) await one.beforeWrite?.(call.budget, tab.id);
    const leave = runsScript(call.action) ? this.kernel.rates.script(tab.id) : (): void => undefined;
    const rest = tab.heartbeat.want();
    try {
      return await this.#run(call, running, right, nested);
    } finally {
      rest();
      leave();
    }
  }

  /**
   * Returns the right to write: none for a read; for a write it claims the lease; for a remedy it checks that no other
   * person holds it (CO9). Throws CONTROL_HELD, CONTROL_LOST.
   */
  async #right(call: ActionCall): Promise<WriteRight | undefined> {
    const { leases } = this.kernel;
    const { id } = call.sessionTab.tab;
    const actor = actorOf(call.caller.principal);
    switch (accessOf(call.action)) {
      case 'read':
        return undefined;
      case 'write': {
        const wanted = { epoch: call.action.epoch, alone: changesSession(call.action) };
        const epoch = await leases.claim(id, actor, wanted);
        return rightOf(leases, () => leases.fence(id, actor.id, epoch), epoch);
      }
      case 'remedy': {
        const right = rightOf(leases, () => leases.fenceHelp(id, actor));
        await right.pendingDecision();
        right.check();
        return right;
      }
    }
  }

  async #run(
    call: ActionCall,
    running: RunningAction,
    right: WriteRight | undefined,
    nested: NestedPath,
  ): Promise<ActionOutcome> {
    this.#abortOthersOfHungTab(call, running);
    const context = contextFor(this.kernel, call, fenced(call, running, right), { right, nested });
    const run = (): Promise<HandlerResult> => runHandler(context, call.action);
    // A script counts as one write: the lease passes on only after it has ended (CO3).
    const act =
      usesScript(call.action) && handlerOf(call.action).nests !== true
        ? (): Promise<HandlerResult> => running.written(run())
        : run;
    const work = (): Promise<ActionOutcome> => this.#act(call, context, act);
    return handlerOf(call.action).queued ? call.sessionTab.queue.run(call.budget, work) : work();
  }

  /** Aborts the other actions of a hung tab when this one replaces its page: it must not queue behind them (EV4). */
  #abortOthersOfHungTab({ action, sessionTab }: ActionCall, self: RunningAction): void {
    const replaces = handlerOf(action).replacesPage?.(action) === true;
    if (sessionTab.tab.health.state !== 'hung' || !replaces) return;
    const error = new WheelhouseError('ABORTED', 'The page hangs, and another was asked for in its place.');
    for (const running of this.kernel.runningActions.on(sessionTab.tab.id))
      if (running !== self) running.budget.abort(error);
  }

  async #act(call: ActionCall, context: ActionContext, run: () => Promise<HandlerResult>): Promise<ActionOutcome> {
    const { sessionTab, budget, action } = call;
    // Checked last: fields can become masked while an action waits (CO8).
    sessionTab.tab.tools.privateFields.demandBlind(action);
    const { nests = false, answersDialogs = nests, mayCloseTab = nests, ...handler } = handlerOf(action);
    const settles = handler.settles && call.inside?.settle !== false;
    const before = {
      loaderId: sessionTab.tab.page.document.loaderId,
      downloads: ACTION_FILES.of(this.kernel).downloads.mark(),
    };
    const blocked = dialogBlocks(sessionTab, action);
    const closed = closing(sessionTab);
    try {
      const expected = await expectation(context, action);
      const outcome = await Promise.race([
        run(),
        ...(answersDialogs ? [] : [blocked.promise]),
        ...(settles || mayCloseTab ? [] : [closed.promise]),
      ]);
      const dialog = sessionTab.tab.dialogs.current;
      if (settles && !dialog) await this.#settle(sessionTab, budget, blocked.promise);
      const missed = outcome.error ? undefined : await expected();
      return {
        ...outcome,
        ...(missed ? { error: missed } : {}),
        ...this.#changes(call, context, before),
        ...(await this.#snapshot(call)),
      };
    } finally {
      blocked.stop();
      closed.stop();
      void sessionTab.tab.readInfo();
    }
  }

  async #settle(sessionTab: SessionTab, budget: Budget, blocked: Promise<HandlerResult>): Promise<void> {
    const calm = budget.child(budget.remainingMs(), { reserveMs: ANSWER_RESERVE_MS });
    try {
      await Promise.race([settle(calm, sessionTab.tab), blocked]);
    } finally {
      calm.dispose();
    }
  }

  #changes(
    { sessionTab }: ActionCall,
    context: ActionContext,
    before: { loaderId: string; downloads: number },
  ): Partial<ActionOutcome> {
    const newTabs = context.tabs.openedSince();
    const dialog = sessionTab.tab.dialogs.current;
    const downloads = ACTION_FILES.of(this.kernel).downloads.since(before.downloads, [sessionTab.tab.id, ...newTabs]);
    return {
      ...(sessionTab.tab.page.document.loaderId === before.loaderId ? {} : { navigated: true }),
      ...(newTabs.length > 0 ? { newTabs } : {}),
      ...(downloads.length > 0 ? { downloads: downloads.map(({ view }) => view) } : {}),
      ...(dialog ? { dialogs: [dialog] } : {}),
    };
  }

  async #snapshot({ action, sessionTab, budget, caller }: ActionCall): Promise<Partial<ActionOutcome>> {
    if (
      !('snapshot' in action) ||
      action.snapshot === undefined ||
      action.snapshot === 'none' ||
      sessionTab.tab.dialogs.current
    )
      return {};
    const { visibility } = this.kernel;
    const epoch = visibility.visibilityEpoch(sessionTab.tab.id);
    if (epoch === undefined) return {};
    const { snapshots } = sessionTab.tab;
    const reader = caller.principal.id;
    const snapshot = await (action.snapshot === 'full'
      ? snapshots.take(budget, { reader })
      : snapshots.takeChanges(budget, reader));
    if (visibility.visibilityEpoch(sessionTab.tab.id) !== epoch) return {};
    return { snapshot: readable(snapshot), revision: snapshot.revision };
  }
}

function rightOf(leases: Leases, check: () => void, epoch?: number): WriteRight {
  return { check, pendingDecision: () => leases.pendingDecision(check), ...(epoch !== undefined && { epoch }) };
}

/**
 * The fence of CO2: holder and epoch are compared right before every write to Chrome. For a read, `write` always
 * rejects.
 */
function fenced(
  { sessionTab, budget }: ActionCall,
  running: RunningAction,
  right: WriteRight | undefined,
): FencedSession {
  return fencedSession(sessionTab.tab.sessions.commands, (session) => (method, ...params) => {
    budget.check();
    if (!right) return Promise.reject(new WheelhouseError('INTERNAL', `A reading action tried to write (${method}).`));
    const write = (): ReturnType<typeof session.send<typeof method>> => {
      right.check();
      return budget.race(running.written(session.send(method, ...params), method));
    };
    const pending = right.pendingDecision();
    return pending ? budget.race(pending).then(write) : write();
  });
}

const STOP_LOADING = 'Wait longer, or stop it: {"kind":"remedy","do":"stop-loading"}.';
const MAX_ADDRESS = 200;

/**
 * Turns a TIMEOUT caused by a page that does not answer into an error that says so: then a remedy helps, and waiting
 * does not. Errors of scripts stay as they are.
 */
function whyLate({ action, sessionTab, budget }: ActionCall, error: unknown): unknown {
  // The page may be the reason that the budget ended: let the heartbeat check it.
  if (budget.over) sessionTab.tab.heartbeat.doubt();
  if (!(error instanceof WheelhouseError) || error.code !== 'TIMEOUT' || usesScript(action)) return error;
  const { state, said, reason } = sessionTab.tab.health;
  const { awaited } = sessionTab.tab.page;
  if (awaited !== undefined)
    return new WheelhouseError('TIMEOUT', `${error.message} ${cleanText(awaited, MAX_ADDRESS)} has not answered.`, {
      hint: `The page cannot be used until the address that was asked for answers. ${STOP_LOADING}`,
      cause: error,
      details: error.details,
    });
  if (state === 'hung')
    return new WheelhouseError('TAB_UNRESPONSIVE', said ?? reason, { cause: error, details: error.details });
  return error;
}

/**
 * An action that opens a dialog returns at once with the dialog (DI1). One that should return a value or load another
 * page fails instead (EV10).
 */
function dialogBlocks(sessionTab: SessionTab, action: Action): Upcoming<HandlerResult> {
  return sessionTab.tab.dialogs.onBlock.next((dialog): HandlerResult => {
    if (
      accessOf(action) === 'read' ||
      handlerOf(action).failsOnDialog === true ||
      (dialog.type === 'beforeunload' && handlerOf(action).replacesPage?.(action) === true)
    )
      throw dialogError(dialog);
    return { warnings: ['A dialog opened; the page waits for its answer.'] };
  });
}

/**
 * Rejects when the tab closes: an action that waits for an event of its page would otherwise wait for its whole budget.
 * Settling, and closing a tab, handle that themselves.
 */
function closing(sessionTab: SessionTab): Upcoming<never> {
  return sessionTab.tab.onChange.next<never>(() => {
    if (sessionTab.tab.health.state === 'closed') throw new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' });
    return undefined;
  });
}
