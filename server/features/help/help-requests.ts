import { randomUUID } from 'node:crypto';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { Holder } from '@/lib/control/lease';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import type { LeaseRequest } from '@/lib/protocol/lease-request';
import {
  HELP_LIMITS,
  helpRequestView,
  type HelpQuestion,
  type HelpResult,
  type OpenHelpRequest,
  type HelpRequest,
  type HelpRequestView,
} from '@/lib/help/help-request';
import { openHelpRequests, reduceHelp, type HelpEvent, type HelpRefusal, type HelpRequestMap } from '@/lib/help/reduce';
import { cleanLines, cleanText } from '@/lib/text/clean';
import { maskAddresses } from '@/lib/text/mask';
import { Emitter } from '@/server/browser/emitter';
import type { HelpRequestRecord } from '@/server/store/help-requests';
import type { Logger } from '@/server/telemetry/logger';
import type { Caller } from '@/server/session/caller';
import { Unacknowledged } from '@/server/session/unacknowledged';
import { Timers } from '@/lib/async/timers';
import type { Feature } from '@/server/session/feature';
import { HELP } from '@/server/session/feature-slots';
import { PARKED_MS } from '@/server/session/leases';
import type { CommandQueue, Decision } from '@/server/session/queue';
import { Slot } from '@/server/session/slot';
import { actorOf } from '@/server/session/participants';
import { elementOf } from './help-element';
import { hintOfRefusal, NO_REQUEST_HINT, helpRequestMessage } from './help-messages';
import type { SessionTab } from '@/server/session/session-tab';
import type { Timeline } from '@/server/session/timeline';

export interface HelpRequestsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeline: Timeline;
  /** Help requests of the last run of the server; the time of an open one starts anew. */
  readonly known: readonly HelpRequestRecord[];
  readonly queue: CommandQueue;
  /** Stores what changed, all or nothing. */
  save(changed: {
    readonly helpRequests: readonly HelpRequestRecord[];
    readonly forgotten: readonly string[];
  }): Promise<unknown>;
  /** Whether this person is connected. */
  online(participant: string): boolean;
  changed(): void;
}

/**
 * Help requests of the agents of one session, and people's answers (CO6). A wait ends only with the real outcome or an
 * error.
 */
export class HelpRequests {
  /** A help request was opened, claimed, given up by who was on it, or closed; `before` is undefined for a new one. */
  readonly onNews: Emitter<[HelpRequest, before: HelpRequest | undefined]>;
  readonly #changed = new Emitter<[]>();
  readonly #timers: Timers;
  /** Ids of help requests whose outcome was sent with a reply that the agent has not acknowledged. */
  readonly #unacknowledged: Unacknowledged<readonly string[]>;
  #questions: HelpRequestMap;
  /** Set when every wait has ended: the error that waiting calls throw. */
  #over: WheelhouseError | undefined;

  constructor(private readonly deps: HelpRequestsDeps) {
    this.onNews = new Emitter(deps.queue.fault);
    this.#timers = new Timers(deps.clock);
    this.#unacknowledged = new Unacknowledged(deps.clock, (_, told) =>
      told.forEach((id) => this.#surely({ type: 'delivered', id })),
    );
    this.#questions = new Map(deps.known.map((record) => [record.asked.id, restored(record, deps.clock.now())]));
    for (const question of openHelpRequests(this.#questions)) {
      this.#expires(question);
      if (question.claimed) this.away(question.claimed.by.id);
    }
  }

  get waiting(): boolean {
    return openHelpRequests(this.#questions).length > 0;
  }

  open(tab: string): OpenHelpRequest[] {
    return openHelpRequests(this.#questions).filter(({ asked }) => asked.tab === tab);
  }

  /**
   * Opens a help request, or waits again for an open one, and settles with its outcome. The request outlives the call:
   * after a timeout or a cancellation it stays open until a person answers, its own time is over or its agent withdraws
   * it. Throws BAD_REQUEST, FORBIDDEN, CONFLICT (one is open), NOT_FOUND, QUOTA, REF_UNKNOWN, REF_STALE_DOCUMENT,
   * NODE_GONE, TAB_NOT_FOUND (the tab was closed), TIMEOUT (with the question).
   */
  async ask(budget: Budget, caller: Caller, sessionTab: SessionTab, request: LeaseRequest): Promise<HelpRequestView> {
    if (caller.principal.kind !== 'agent')
      throw new WheelhouseError('FORBIDDEN', 'Only an agent asks for a person.', {
        hint: 'Take the wheel instead: {"do":"take"}.',
      });
    const id = request.question ?? (await this.#begin(budget, caller, sessionTab, request));
    const question = this.#questions.get(id);
    if (!question || question.asked.by.id !== caller.principal.id)
      throw new WheelhouseError('NOT_FOUND', { code: 'noQuestion', id: id.slice(0, 100) }, { hint: NO_REQUEST_HINT });
    await this.#until(budget, id);
    // The reply may be lost with a dead connection: `control/wait` offers the outcome, too, until this agent acts
    // again.
    this.#unacknowledged.keep(caller.principal.id, `asked ${id}`, [id]);
    const view = this.#view(id);
    if (view.state === 'gone')
      throw new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' }, { details: { tab: view.tab, question: view } });
    return view;
  }

  /**
   * Records a person's answer, or the withdrawal by the agent that asked. Throws FORBIDDEN, BAD_REQUEST, CONFLICT
   * (already answered, none is open, or several are), NOT_FOUND, STORE_BUSY, and what ends the budget.
   */
  async answer(
    budget: Budget | undefined,
    caller: Caller,
    tab: string,
    { question, result, note }: LeaseRequest,
  ): Promise<HelpRequestView> {
    const pick = { tab, question };
    if (result === 'withdrawn')
      return this.#view(await this.#apply(budget, caller, { type: 'withdrawn', pick, by: actorOf(caller.principal) }));
    if (caller.principal.kind === 'agent')
      throw new WheelhouseError('FORBIDDEN', 'Only people can answer a question.', {
        hint: 'The agent that asked can withdraw its question: "result": "withdrawn".',
      });
    const words = cleanNote(note);
    if (result === undefined) throw missing('result', 'is one of done, could-not and note');
    if (result === 'note' && words === undefined) throw missing('note', 'is empty, and says all there is to say');
    return this.#view(
      await this.#apply(budget, caller, {
        ...{ type: 'answered', pick, by: actorOf(caller.principal) },
        ...{ result, note: words, at: new Date().toISOString() },
      }),
    );
  }

  /**
   * A person is on a help request, or no longer (CO4): the others are not called meanwhile. Throws FORBIDDEN, CONFLICT
   * (somebody else is on it, none is open, or several are), NOT_FOUND, STORE_BUSY, and what ends the budget.
   */
  async claim(
    budget: Budget,
    caller: Caller,
    tab: string,
    { do: verb, question }: LeaseRequest,
  ): Promise<HelpRequestView> {
    if (caller.principal.kind === 'agent')
      throw new WheelhouseError('FORBIDDEN', 'Only people can take on a question.', {
        hint: 'The agent that asked can withdraw its question: {"do":"answer","result":"withdrawn"}.',
      });
    const about = { pick: { tab, question }, by: actorOf(caller.principal) };
    const id = await this.#apply(
      budget,
      caller,
      verb === 'claim' ? { type: 'claimed', ...about, at: new Date().toISOString() } : { type: 'unclaimed', ...about },
    );
    if (!this.deps.online(caller.principal.id)) this.away(caller.principal.id);
    return this.#view(id);
  }

  /** A person has lost their last connection: they are no longer on their help requests if they stay away (CO7). */
  away(participant: string): void {
    this.#timers.plan(awayOf(participant), PARKED_MS, () => this.claimerLeft(participant));
  }

  /** The person is connected again. */
  here(participant: string): void {
    this.#timers.cancel(awayOf(participant));
  }

  /** The person left deliberately, or may not answer any more. */
  claimerLeft(participant: string): void {
    this.here(participant);
    this.#surely({ type: 'claimer-left', participant });
  }

  /**
   * Answers the agent's help requests of a tab whose lease a person gave it, with "done" unless the person chose
   * another result.
   */
  async handedOver(
    caller: Caller,
    tab: string,
    agent: string,
    result: HelpResult | undefined,
    note: string | undefined,
  ): Promise<void> {
    for (const { asked } of this.open(tab)) {
      const said = result === 'note' && cleanNote(note) === undefined ? undefined : result;
      if (asked.by.id === agent)
        await this.answer(undefined, caller, tab, { do: 'answer', question: asked.id, result: said ?? 'done', note });
    }
  }

  /**
   * Closed help requests that this agent has not acknowledged; waits for answers that are being stored. Throws
   * STORE_BUSY.
   */
  outcomes(budget: Budget, participant: string): Promise<HelpRequestView[]> {
    return this.deps.queue.run(budget, () => ({
      apply: () => this.#undelivered(participant).map((id) => this.#view(id)),
    }));
  }

  /**
   * Outcomes to send with the reply to this action, including those sent with it before. Without an action id the agent
   * cannot ask for the reply again, so the outcomes count as delivered.
   */
  tell(participant: string, action: string | undefined): HelpRequestView[] {
    const news = this.#untold(participant);
    const told = [...(this.#unacknowledged.with(participant, action) ?? []), ...news].filter((id) =>
      this.#questions.has(id),
    );
    if (news.length === 0) return told.map((id) => this.#view(id));
    if (action === undefined) return told.map((id) => this.#deliver(id));
    this.#unacknowledged.keep(participant, action, told);
    return told.map((id) => this.#view(id));
  }

  /** The agent sent another action: it has received the outcomes that went with earlier replies. */
  heard(participant: string, action: string | undefined): void {
    this.#unacknowledged.heard(participant, action);
  }

  tabClosed(tab: string): void {
    this.#surely({ type: 'tab-closed', tab });
  }

  /** After a restart: closes the help requests of tabs that were not reopened. */
  tabsAre(open: ReadonlySet<string>): void {
    for (const { asked } of openHelpRequests(this.#questions)) if (!open.has(asked.tab)) this.tabClosed(asked.tab);
  }

  /** Ids of the agents of all help requests that are still kept, and of the people who are on open ones. */
  named(): string[] {
    return [...this.#questions.values()].flatMap((question) => {
      const claimer = question.state === 'open' ? question.claimed?.by.id : undefined;
      return claimer === undefined ? [question.asked.by.id] : [question.asked.by.id, claimer];
    });
  }

  /** The key of an agent, or the sign-in of a person, has ended. */
  left(participant: string): void {
    this.#surely({ type: 'left', participant });
    this.claimerLeft(participant);
  }

  /** The session has ended: deletes its help requests. */
  end(): void {
    void this.deps
      .save({ helpRequests: [], forgotten: [...this.#questions.keys()] })
      .catch((error: unknown) =>
        this.deps.logger.warn(
          { error: messageOf(error) },
          'the help requests of a session that is over are still stored',
        ),
      );
    this.dispose(new WheelhouseError('NOT_FOUND', { code: 'sessionOver' }));
  }

  /** Ends every wait. Open questions stay stored: after a restart they are open again. */
  dispose(
    why = new WheelhouseError('ABORTED', 'The server stopped; the question stays open.', {
      hint: 'Ask again with its id when the server is back.',
    }),
  ): void {
    this.#over ??= why;
    this.#timers.dispose();
    this.#changed.emit();
  }

  #untold(participant: string): string[] {
    const told = new Set(this.#unacknowledged.all(participant).flat());
    return this.#undelivered(participant).filter((id) => !told.has(id));
  }

  #undelivered(participant: string): string[] {
    const waiting = [...this.#questions.values()].filter(
      (question) => question.state === 'closed' && !question.delivered && question.asked.by.id === participant,
    );
    return waiting.map(({ asked: { id } }) => id);
  }

  async #begin(
    budget: Budget,
    caller: Caller,
    sessionTab: SessionTab,
    { reason = '', instructions, ref, expiresInMs }: LeaseRequest,
  ): Promise<string> {
    const why = maskAddresses(cleanText(reason, HELP_LIMITS.reason));
    if (why === '') throw missing('reason', 'is empty: say in a few words why a person is needed');
    const element = ref === undefined ? undefined : await elementOf(budget, sessionTab.tab, ref);
    budget.check();
    const more = maskAddresses(cleanLines(instructions ?? '', HELP_LIMITS.instructions)).trim();
    const asked: HelpQuestion = {
      id: `q_${randomUUID().replaceAll('-', '').slice(0, 12)}`,
      tab: sessionTab.tab.id,
      by: actorOf(caller.principal),
      reason: why,
      ...(more === '' ? {} : { instructions: more }),
      ...(element && { element }),
      askedAt: new Date().toISOString(),
      lifeMs: expiresInMs ?? HELP_LIMITS.defaultMs,
    };
    return this.#apply(budget, caller, { type: 'asked', asked });
  }

  /** Waits until the help request is closed. Throws TIMEOUT with the question, or the error that ended the session. */
  async #until(budget: Budget, id: string): Promise<void> {
    const decided = (): boolean => this.#over !== undefined || this.#questions.get(id)?.state !== 'open';
    try {
      budget.check();
      if (!decided()) await this.#changed.waitFor(budget, 'a person', () => decided() || undefined);
    } catch (error) {
      throw error instanceof WheelhouseError && error.code === 'TIMEOUT' ? this.#notYet(id, error) : error;
    }
    if (this.#over) throw this.#over;
  }

  #notYet(id: string, cause: WheelhouseError): WheelhouseError {
    const hint = `Wait again with {"do":"ask-human","question":"${id}"}; the answer also comes with control/wait and with your next reply.`;
    return new WheelhouseError(
      'TIMEOUT',
      { code: 'questionWaits' },
      { hint, details: { ...cause.details, question: this.#view(id) }, cause },
    );
  }

  #deliver(id: string): HelpRequestView {
    this.#surely({ type: 'delivered', id });
    return this.#view(id);
  }

  #view(id: string): HelpRequestView {
    const question = this.#questions.get(id);
    if (!question) throw new WheelhouseError('NOT_FOUND', { code: 'noQuestion', id });
    return helpRequestView(question, this.deps.clock.now());
  }

  /**
   * Stores and applies an event for its caller; returns the id of the changed help request. Throws the reducer's
   * refusal, STORE_BUSY, and what ends the budget.
   */
  #apply(budget: Budget | undefined, caller: Caller, event: HelpEvent): Promise<string> {
    return this.deps.queue.run(budget, () => this.#decide(event, caller));
  }

  #decide(event: HelpEvent, caller?: Caller): Decision<string> {
    const before = this.#questions;
    const result = reduceHelp(before, event, this.deps.clock.now());
    if (!result.ok) throw refused(result.refusal);
    const removed = [...this.#questions.keys()].filter((id) => !result.questions.has(id));
    const changed = stored(result.changed, removed);
    const nothing = changed.helpRequests.length + changed.forgotten.length === 0;
    return {
      // Stored before the answer is acknowledged: a restart must not lose it.
      store: nothing ? undefined : () => this.deps.save(changed),
      apply: () => {
        this.#questions = result.questions;
        this.#changed.emit();
        for (const question of result.changed) this.#tell(question, before.get(question.asked.id), caller);
        return result.picked ?? result.changed[0]?.asked.id ?? '';
      },
    };
  }

  #tell(question: HelpRequest, before: HelpRequest | undefined, caller: Caller | undefined): void {
    const { asked } = question;
    if (question.state === 'closed') this.#timers.cancel(asked.id);
    else if (!before) this.#expires(question);
    const said = helpRequestMessage(question, before);
    if (!said) return;
    const actor = actorOfChange(question, before);
    void this.deps.timeline.tell({
      kind: 'control',
      said,
      tab: asked.tab,
      actor,
      ...(caller && { door: caller.door }),
      ...(!before && asked.element && { element: asked.element }),
    });
    this.onNews.emit(question, before);
    this.deps.changed();
  }

  #expires({ asked: { id }, until }: OpenHelpRequest): void {
    this.#timers.plan(id, until - this.deps.clock.now(), () => this.#surely({ type: 'due', id }));
  }

  /** Applies an event that has no waiting caller, as soon as the store takes it. */
  #surely(event: HelpEvent): void {
    if (this.#over) return;
    this.deps.queue
      .surely(() => this.#decide(event))
      .catch((error: unknown) => {
        if (this.#over) return;
        this.deps.logger.error(
          { event: event.type, error: messageOf(error) },
          'what became of a question was not stored',
        );
      });
  }
}

/** The changes for the store; help requests whose outcome was delivered are deleted. */
function stored(changed: readonly HelpRequest[], removed: readonly string[]): Parameters<HelpRequestsDeps['save']>[0] {
  const isOver = (question: HelpRequest): boolean => question.state === 'closed' && question.delivered;
  return {
    helpRequests: changed.filter((question) => !isOver(question)).map(recordOf),
    forgotten: [...changed.filter(isOver).map(({ asked }) => asked.id), ...removed],
  };
}

function recordOf(question: HelpRequest): HelpRequestRecord {
  const { asked } = question;
  return question.state === 'open'
    ? { asked, outcome: null, claimed: question.claimed ?? null }
    : { asked, outcome: question.outcome, claimed: null };
}

function restored({ asked, outcome, claimed }: HelpRequestRecord, now: number): HelpRequest {
  return outcome
    ? { state: 'closed', asked, outcome, delivered: false }
    : { state: 'open', asked, until: now + asked.lifeMs, claimed: claimed ?? undefined };
}

/** Who changed the request: the asker, or the person who answered, is on it or was. */
function actorOfChange(question: HelpRequest, before: HelpRequest | undefined): Holder {
  if (question.state === 'closed')
    return question.outcome.state === 'answered' ? question.outcome.answer.by : question.asked.by;
  const was = before?.state === 'open' ? before.claimed : undefined;
  return (question.claimed ?? was)?.by ?? question.asked.by;
}

const awayOf = (participant: string): string => `away ${participant}`;

function cleanNote(note: string | undefined): string | undefined {
  const words = cleanLines(note ?? '', HELP_LIMITS.note).trim();
  return words === '' ? undefined : words;
}

function refused(refusal: HelpRefusal): WheelhouseError {
  const hint = hintOfRefusal(refusal);
  return new WheelhouseError(refusal.code, refusal.said, {
    details: refusal.details,
    ...(hint !== undefined && { hint }),
  });
}

function missing(field: string, problem: string): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `"${field}" ${problem}.`, { details: { fields: [{ field, problem }] } });
}

/** Help requests of a session. */
export const HELP_REQUESTS = new Slot<HelpRequests>('help requests');

export const help: Feature = {
  name: 'help',
  start: (kernel) => {
    const { services, timeline, init, registry } = kernel;
    const requests = new HelpRequests({
      ...services,
      timeline,
      known: init.knownQuestions,
      queue: kernel.queue,
      save: (changed) => init.ledger.commit(changed),
      online: (participant) => kernel.participants.online(participant),
      changed: () => kernel.changed(),
    });
    HELP_REQUESTS.fill(kernel, requests);
    HELP.fill(kernel, requests);
    kernel.onConnect.on(({ principal }) => requests.here(principal.id));
    kernel.onLeave.on(({ principal }) => requests.away(principal.id));
    kernel.onTabClosed.on(({ tab }) => requests.tabClosed(tab.id));
    kernel.onRestored.on(() => requests.tabsAre(new Set(registry.all().map(({ tab }) => tab.id))));
    return {
      asked: ({ principal }, action) => requests.heard(principal.id, action.id),
      onReply: ({ principal }, action, reply) => {
        const answers = requests.tell(principal.id, action.id);
        return answers.length > 0 ? { ...reply, answers } : reply;
      },
      control: (view, sessionTab) => {
        const open = sessionTab ? requests.open(sessionTab.tab.id) : [];
        const now = services.clock.now();
        return open.length === 0 ? view : { ...view, questions: open.map((one) => helpRequestView(one, now)) };
      },
      named: () => requests.named(),
      participantGone: (participant) => requests.left(participant),
      rightsLost: (participant) => requests.claimerLeft(participant),
      ended: () => requests.end(),
      dispose: () => requests.dispose(),
    };
  },
};
