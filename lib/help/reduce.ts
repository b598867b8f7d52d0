import type { Holder } from '@/lib/control/lease';
import type { Message } from '@/lib/messages/message';
import {
  HELP_LIMITS,
  type HelpQuestion,
  type HelpClaim,
  type ClosedHelpRequest,
  type HelpResult,
  type OpenHelpRequest,
  type HelpOutcome,
  type HelpRequest,
} from './help-request';

/** The questions of one session by id, oldest first. */
export type HelpRequestMap = ReadonlyMap<string, HelpRequest>;

/** Which question is meant: by id, or the only open one of a tab. */
export interface HelpRequestPick {
  readonly tab: string;
  readonly question: string | undefined;
}

export type HelpEvent =
  | { readonly type: 'asked'; readonly asked: HelpQuestion }
  /** `at`: ISO 8601, for showing. */
  | {
      readonly type: 'answered';
      readonly pick: HelpRequestPick;
      readonly by: Holder;
      readonly result: HelpResult;
      readonly note: string | undefined;
      readonly at: string;
    }
  /** By the agent that asked. */
  | { readonly type: 'withdrawn'; readonly pick: HelpRequestPick; readonly by: Holder }
  /** A person is on it; `at`: ISO 8601, for showing. */
  | { readonly type: 'claimed'; readonly pick: HelpRequestPick; readonly by: Holder; readonly at: string }
  /** By the person who was on it. */
  | { readonly type: 'unclaimed'; readonly pick: HelpRequestPick; readonly by: Holder }
  /** This person has left, or may not answer any more. */
  | { readonly type: 'claimer-left'; readonly participant: string }
  /** The time of a question may be over. */
  | { readonly type: 'due'; readonly id: string }
  | { readonly type: 'tab-closed'; readonly tab: string }
  /** The key of this agent has ended. */
  | { readonly type: 'left'; readonly participant: string }
  /** The agent has got the outcome. */
  | { readonly type: 'delivered'; readonly id: string };

export interface HelpRefusal {
  readonly code: 'CONFLICT' | 'NOT_FOUND' | 'QUOTA';
  readonly said: Message;
  readonly details?: Record<string, unknown>;
}

export type HelpDecision =
  | {
      readonly ok: true;
      readonly questions: HelpRequestMap;
      readonly changed: readonly HelpRequest[];
      /** The request that the event was about, also when it did not change. */
      readonly picked?: string;
    }
  | { readonly ok: false; readonly refusal: HelpRefusal };

/**
 * The only way questions change (CO4, CO6): pure. A closed question changes only when its outcome is delivered. `now`
 * is monotonic milliseconds.
 */
export function reduceHelp(questions: HelpRequestMap, event: HelpEvent, now: number): HelpDecision {
  switch (event.type) {
    case 'asked':
      return ask(questions, event.asked, now);
    case 'answered':
      return onPicked(questions, event.pick, anyone, (open) => answered(questions, open, event));
    case 'withdrawn':
      return onPicked(
        questions,
        event.pick,
        ({ asked }) => asked.by.id === event.by.id,
        (open) => changed(questions, [close(open, { state: 'withdrawn' })]),
      );
    case 'claimed':
      return onPicked(questions, event.pick, anyone, (open) => claim(questions, open, event.by, event.at));
    case 'unclaimed':
      return onPicked(questions, event.pick, anyone, (open) => unclaim(questions, open, event.by));
    case 'claimer-left':
      return claimerLeft(questions, event.participant);
    case 'due':
      return closeAll(questions, ({ asked, until }) => asked.id === event.id && now >= until, 'expired');
    case 'tab-closed':
      return closeAll(questions, ({ asked }) => asked.tab === event.tab, 'gone');
    case 'left':
      return closeAll(questions, ({ asked }) => asked.by.id === event.participant, 'gone');
    case 'delivered':
      return deliver(questions, event.id);
  }
}

const anyone = (): boolean => true;

function answered(
  questions: HelpRequestMap,
  open: OpenHelpRequest,
  { result, note, by, at }: Extract<HelpEvent, { type: 'answered' }>,
): HelpDecision {
  const answer = { result, by, at, ...(note === undefined ? {} : { note }) };
  return changed(questions, [close(open, { state: 'answered', answer })]);
}

/** The open ones, oldest first. */
export function openHelpRequests(questions: HelpRequestMap): OpenHelpRequest[] {
  return [...questions.values()].filter((question) => question.state === 'open');
}

/** An agent has at most one open request per tab, so that people know what it wants. */
function ask(questions: HelpRequestMap, asked: HelpQuestion, now: number): HelpDecision {
  const open = openHelpRequests(questions);
  const before = open.find((other) => other.asked.by.id === asked.by.id && other.asked.tab === asked.tab);
  if (before)
    return refuse({
      code: 'CONFLICT',
      said: { code: 'questionBefore', reason: before.asked.reason },
      details: { question: before.asked.id },
    });
  if (open.length >= HELP_LIMITS.open)
    return refuse({
      code: 'QUOTA',
      said: { code: 'questionsFull', limit: HELP_LIMITS.open },
      details: { limit: HELP_LIMITS.open },
    });
  return changed(questions, [{ state: 'open', asked, until: now + asked.lifeMs, claimed: undefined }]);
}

/** Of two people who claim at the same moment one is on it, and the other is told who. */
function claim(questions: HelpRequestMap, open: OpenHelpRequest, by: Holder, at: string): HelpDecision {
  if (open.claimed?.by.id === by.id) return changed(questions, []);
  if (open.claimed) return refuse(othersClaim(open, open.claimed));
  return changed(questions, [{ ...open, claimed: { by, at } }]);
}

function unclaim(questions: HelpRequestMap, open: OpenHelpRequest, by: Holder): HelpDecision {
  if (!open.claimed) return changed(questions, []);
  if (open.claimed.by.id !== by.id) return refuse(othersClaim(open, open.claimed));
  return changed(questions, [{ ...open, claimed: undefined }]);
}

function claimerLeft(questions: HelpRequestMap, participant: string): HelpDecision {
  const theirs = openHelpRequests(questions).filter(({ claimed }) => claimed?.by.id === participant);
  return changed(
    questions,
    theirs.map((question) => ({ ...question, claimed: undefined })),
  );
}

function othersClaim({ asked }: OpenHelpRequest, claimed: HelpClaim): HelpRefusal {
  const details = { question: asked.id, claimed };
  return { code: 'CONFLICT', said: { code: 'questionClaimedBy', name: claimed.by.name }, details };
}

function onPicked(
  questions: HelpRequestMap,
  pick: HelpRequestPick,
  fits: (question: HelpRequest) => boolean,
  decide: (open: OpenHelpRequest) => HelpDecision,
): HelpDecision {
  const { tab, question: id } = pick;
  const meant = [...questions.values()].filter(
    (question) => question.asked.tab === tab && fits(question) && (id === undefined || question.asked.id === id),
  );
  const [open, ...more] = meant.filter((question) => question.state === 'open');
  if (!open) return refuse(whyNone(meant.at(-1), id));
  if (more.length > 0)
    return refuse({
      code: 'CONFLICT',
      said: { code: 'questionsSeveral' },
      details: { questions: [open, ...more].map(({ asked }) => asked.id) },
    });
  const decision = decide(open);
  return decision.ok ? { ...decision, picked: open.asked.id } : decision;
}

/** Two people may answer at the same moment: the first answer counts, and the other person is told who gave it. */
function whyNone(last: HelpRequest | undefined, id: string | undefined): HelpRefusal {
  if (last?.state === 'closed' && last.outcome.state === 'answered')
    return {
      code: 'CONFLICT',
      said: { code: 'questionAnswered', name: last.outcome.answer.by.name },
      details: { question: last.asked.id, answer: last.outcome.answer },
    };
  if (last) return { code: 'CONFLICT', said: { code: 'questionOver' }, details: { question: last.asked.id } };
  return id === undefined
    ? { code: 'CONFLICT', said: { code: 'questionNone' } }
    : { code: 'NOT_FOUND', said: { code: 'noQuestion', id: id.slice(0, 100) } };
}

function closeAll(
  questions: HelpRequestMap,
  fits: (question: OpenHelpRequest) => boolean,
  state: 'expired' | 'gone',
): HelpDecision {
  return changed(
    questions,
    openHelpRequests(questions)
      .filter(fits)
      .map((question) => close(question, { state })),
  );
}

function close({ asked }: OpenHelpRequest, outcome: HelpOutcome): ClosedHelpRequest {
  return { state: 'closed', asked, outcome, delivered: outcome.state === 'withdrawn' };
}

function deliver(questions: HelpRequestMap, id: string): HelpDecision {
  const question = questions.get(id);
  return changed(
    questions,
    question?.state === 'closed' && !question.delivered ? [{ ...question, delivered: true }] : [],
  );
}

function changed(questions: HelpRequestMap, news: readonly HelpRequest[]): HelpDecision {
  const next = new Map(questions);
  for (const question of news) next.set(question.asked.id, question);
  return { ok: true, questions: pruned(next), changed: news };
}

/** Drops the oldest closed questions above the limit. */
function pruned(questions: HelpRequestMap): HelpRequestMap {
  const closed = [...questions.values()].filter(({ state }) => state === 'closed');
  const gone = new Set(closed.slice(0, Math.max(0, closed.length - HELP_LIMITS.kept)).map(({ asked }) => asked.id));
  return gone.size === 0 ? questions : new Map([...questions].filter(([id]) => !gone.has(id)));
}

function refuse(refusal: HelpRefusal): HelpDecision {
  return { ok: false, refusal };
}
