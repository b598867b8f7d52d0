import { createHash, randomUUID } from 'node:crypto';
import { ACTION_ABOUT } from '@/lib/actions/about';
import { deedOf } from '@/lib/actions/deed';
import { describeAction } from '@/lib/actions/describe';
import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { BUDGET_LIMITS, clampTimeout } from '@/lib/budget/limits';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { asWheelhouseError, toWire, WheelhouseError } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Aim, Executed, Inside } from '@/server/actions/context';
import { CdpError } from '@/server/cdp/protocol';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from './caller';
import { actorOf } from './participants';
import type { ActionKey, EarlierResult } from './ledger';
import type { Privacy } from './privacy';
import type { TabSeat } from './tab-seat';
import { aimOf, toldOf } from './told-of';
import { withoutWords, type Timeline, type Told } from './timeline';

/** Carries out one admitted action on one tab; control, guard and queue are its business. */
export type Execute = (call: Call) => Promise<Executed>;

/** One action on its way through the funnel. */
export interface Call {
  readonly caller: Caller;
  readonly action: Action;
  /** The action as it was written, when variables were put in: what the timeline is told. */
  readonly told?: Action;
  /** Set for an action inside another. */
  readonly inside?: Inside;
  readonly seat: TabSeat;
  readonly budget: Budget;
  readonly key: ActionKey;
  /** ISO 8601. */
  readonly startedAt: string;
  /** What it was done to, as soon as that is known. */
  aim: Aim;
}

export interface FunnelDeps {
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Checks the caller's right, at execution (AU3). Throws FORBIDDEN or NOT_FOUND. */
  authorise(caller: Caller, action: Action): void;
  findTab(caller: Caller, name: string): TabSeat;
  /** Whether the session has no tab at all. */
  tabless(): boolean;
  /** The tab that an action opens in a session without any. */
  openFirst(budget: Budget): Promise<TabSeat>;
  /** Counts the action against its limits. Throws RATE_LIMITED. */
  admit(caller: Caller, action: Action, seat: TabSeat): Promise<void>;
  execute: Execute;
  readonly privacy: Pick<Privacy, 'covers' | 'holds' | 'placeFor'>;
  /** Called with every finished action, for counters. @param silent it was private, in part at least: nothing of it is told (CO8) */
  done(call: Call, reply: Reply, silent: boolean): void;
}

/** The one way in for every action of every door (architecture.md way 4): who may, once only, told before and after, always answered. */
export class Funnel {
  readonly #running = new Map<string, Promise<Reply>>();
  /** Asked for, and not written yet: whoever comes with the same id meanwhile waits. */
  readonly #coming = new Map<string, Promise<unknown>>();

  constructor(private readonly deps: FunnelDeps) {}

  /** Settles when no action is under way any more. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()]);
  }

  /** Never throws: every failure is a reply. The same `action.id` of the same participant is carried out once (CO10, I3). */
  async perform(caller: Caller, tabName: string, action: Action, budget: Budget): Promise<Reply> {
    const id = action.id ?? randomUUID();
    const startedAt = new Date().toISOString();
    try {
      this.deps.authorise(caller, action);
      const key: ActionKey = { participant: caller.principal.id, action: id, fingerprint: this.#fingerprint(caller, action, tabName) };
      // Before the tab is looked for: an action that closed its tab is asked for again without one (I3).
      const earlier = action.id === undefined ? undefined : await this.#earlier(key, budget);
      if (earlier) return await this.#again(key, budget, earlier);
      const name = action.tab ?? tabName;
      const alone = action.kind === 'tab' && name === 'active' && this.deps.tabless();
      if (alone && action.do === 'list') return { ok: true, id, kind: action.kind, tab: '', url: '', startedAt, ms: 0, warnings: [], value: [] };
      const seat = alone && action.do === 'open' ? await this.deps.openFirst(budget) : this.deps.findTab(caller, name);
      const { reply } = await this.#begin({ caller, action, seat, budget, key, startedAt, aim: {} });
      return await reply;
    } catch (error) {
      return this.#refused(caller, tabName, action, id, startedAt, error);
    }
  }

  /** One action inside another (AC7): same caller, tab and epoch, what is left of the budget, rows of its own. Never throws. */
  async inside(outer: Call, action: Action, how: Inside, epoch: number | undefined): Promise<Reply> {
    const startedAt = new Date().toISOString();
    const id = action.id ?? randomUUID();
    const own = clampTimeout(action.timeoutMs, ACTION_ABOUT[action.kind].timeoutMs);
    const budget = outer.budget.child(own, { reserveMs: INSIDE_RESERVE_MS + (how.reserveMs ?? 0) });
    try {
      this.deps.authorise(outer.caller, action);
      const key: ActionKey = { participant: outer.caller.principal.id, action: id, fingerprint: this.#fingerprint(outer.caller, action, outer.seat.tab.id) };
      const fenced = epoch === undefined ? action : { ...action, epoch };
      const { reply } = this.#start({ caller: outer.caller, seat: outer.seat, action: fenced, told: how.told, inside: how, budget, key, startedAt, aim: {} });
      return await reply;
    } catch (error) {
      return this.#refused(outer.caller, outer.seat.tab.id, how.told, id, startedAt, error);
    } finally {
      budget.abort(new WheelhouseError('ABORTED', 'The action has been answered.'));
      budget.dispose();
    }
  }

  /** Of what is typed privately not even a fingerprint is kept: a short text can be found by it (CO8). */
  #fingerprint({ principal }: Caller, action: Action, tabName: string): string {
    return this.deps.privacy.holds(principal.id) ? `private ${action.kind}` : fingerprintOf(action, tabName);
  }

  async #earlier(key: ActionKey, budget: Budget): Promise<EarlierResult | undefined> {
    const slot = slotOf(key);
    for (let other = this.#coming.get(slot); other; other = this.#coming.get(slot)) await budget.race(other);
    return this.deps.timeline.recall(key);
  }

  /** Counts the action, writes its intent and starts it; what it comes to is not waited for here. */
  #begin(call: Call): Promise<Begun> {
    const slot = slotOf(call.key);
    const begun = this.deps.admit(call.caller, call.action, call.seat).then(() => this.#start(call));
    const forget = (): boolean => this.#coming.delete(slot);
    this.#coming.set(slot, begun.then(forget, forget));
    return begun;
  }

  #start(call: Call): Begun {
    const slot = slotOf(call.key);
    const hidden = this.deps.privacy.covers(call.seat.tab.id);
    const told = hidden ? withoutWords(toldOf(call)) : toldOf(call);
    const intent = this.deps.timeline.intend(call.key, told);
    if (intent.state !== 'recorded') return { reply: this.#again(call.key, call.budget, intent) };
    const reply = this.#once(call, told, hidden);
    this.#running.set(slot, reply);
    const ended = (): boolean => this.#running.delete(slot);
    reply.then(ended, ended);
    return { reply };
  }

  /** The same request once more: it is answered as it was, never carried out again. */
  async #again(key: ActionKey, budget: Budget, earlier: EarlierResult): Promise<Reply> {
    switch (earlier.state) {
      case 'done':
        return earlier.reply;
      case 'running':
        return budget.race(this.#running.get(slotOf(key)) ?? Promise.reject(unknownOutcome()));
      case 'unknown':
        throw unknownOutcome();
      case 'different':
        throw sameId(key.action);
    }
  }

  async #once(call: Call, told: Told, hidden: boolean): Promise<Reply> {
    const reply = this.#reply(call, await this.#answer(call));
    const silent = hidden || this.deps.privacy.covers(call.seat.tab.id);
    this.deps.timeline.conclude(call.key, silent ? bare(reply) : reply, {
      ...told,
      ...(silent ? {} : aimOf(call)),
      ...outcomeOf(reply),
      ms: reply.ms,
      epoch: call.seat.epoch(),
    });
    this.deps.done(call, reply, silent);
    return reply;
  }

  /** Waits for the work, but never longer than the budget and its grace (BU3). */
  async #answer(call: Call): Promise<Result> {
    const { budget } = call;
    let cancel = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = this.deps.clock.after(budget.remainingMs() + BUDGET_LIMITS.graceMs - 10, () => reject(budget.over ? budget.reason() : undefined));
    });
    try {
      return { ok: true, outcome: await Promise.race([this.deps.execute(call), late]) };
    } catch (error) {
      return { ok: false, error: this.#explain(error, call) };
    } finally {
      cancel();
    }
  }

  #explain(error: unknown, call: Call): WheelhouseError {
    if (call.budget.over && !(error instanceof WheelhouseError)) return call.budget.reason();
    if (error instanceof CdpError) return new WheelhouseError('INTERNAL', `Chrome refused: ${error.detail}`, { cause: error, details: { method: error.method } });
    const known = asWheelhouseError(error);
    if (known.code === 'INTERNAL') this.deps.logger.error({ error, action: call.action.kind }, 'an action failed by a fault of ours');
    return known;
  }

  #reply(call: Call, result: Result): Reply {
    const base = {
      id: call.key.action,
      kind: call.action.kind,
      tab: call.seat.tab.id,
      url: this.deps.privacy.placeFor(call.seat.tab.id, call.caller.principal.id)?.url ?? call.seat.tab.url,
      startedAt: call.startedAt,
      ms: Math.round(call.budget.elapsedMs()),
    };
    if (!result.ok) return { ...base, ok: false, warnings: [], error: toWire(result.error) };
    const { warnings, error, ...outcome } = result.outcome;
    return { ...base, ...outcome, ok: error === undefined, warnings: [...(warnings ?? [])], ...(error ? { error: toWire(error) } : {}) };
  }

  /** Refused before anything was done: unknown tab, no right. It is on the timeline too. */
  #refused(caller: Caller, tab: string, action: Action, id: string, startedAt: string, thrown: unknown): Reply {
    const error = asWheelhouseError(thrown);
    if (error.code === 'INTERNAL') this.deps.logger.error({ error: thrown, action: action.kind }, 'the funnel failed');
    const text = `refused: ${describeAction(action, undefined, true)} (${error.code})`;
    if (!UNTOLD.has(error.code)) this.deps.timeline.refused({ actor: actorOf(caller.principal), door: caller.door, kind: 'refused', text, deed: deedOf(action, true, true), code: error.code });
    return { ok: false, id, kind: action.kind, tab, url: '', startedAt, ms: 0, warnings: [], error: toWire(error) };
  }
}

/** A reply as it may be written down: that it was given, not what it said. */
function bare({ ok, id, kind, tab, startedAt, ms, error }: Reply): Reply {
  const said = error && { ...error, message: '', details: undefined };
  return { ok, id, kind, tab, url: '', startedAt, ms, warnings: [], ...(said ? { error: said } : {}) };
}

/** Refusals without a row: there is nobody to show it to, nowhere to write it, or far too many of them. */
const UNTOLD: ReadonlySet<string> = new Set(['NOT_FOUND', 'STORE_BUSY', 'RATE_LIMITED']);

/** An action under way. */
interface Begun {
  readonly reply: Promise<Reply>;
}

type Result = { readonly ok: true; readonly outcome: Executed } | { readonly ok: false; readonly error: WheelhouseError };

function outcomeOf(reply: Reply): Pick<TimelineEvent, 'outcome' | 'code'> {
  if (!reply.error) return { outcome: 'ok' };
  return { outcome: reply.error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed', code: reply.error.code };
}

/** Kept of the outer budget, so that an action inside has its answer before the whole must give its own. Milliseconds. */
const INSIDE_RESERVE_MS = 100;
/** The tab by the name it was sent to: `active` may mean another one when the same request comes again. */
function fingerprintOf(action: Action, tabName: string): string {
  return createHash('sha256').update(JSON.stringify([tabName, action])).digest('hex');
}

function slotOf(key: ActionKey): string {
  return JSON.stringify([key.participant, key.action]);
}

function sameId(id: string): WheelhouseError {
  return new WheelhouseError('CONFLICT', `The id "${id.slice(0, 100)}" was used for another action in the last 10 minutes.`, { hint: 'Use a new id for a new action.' });
}

function unknownOutcome(): WheelhouseError {
  return new WheelhouseError('OUTCOME_UNKNOWN', 'The server stopped while this action was under way.');
}
