import { HANDOVER } from './handover';
import { HELP } from '@/server/session/feature-slots';
import type { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS, clampTimeout } from '@/lib/budget/limits';
import type { Holder } from '@/lib/control/lease';
import { WheelhouseError } from '@/lib/errors/error';
import type { LeaseRequest } from '@/lib/protocol/lease-request';
import type { HelpRequestView } from '@/lib/help/help-request';
import { privateHoldOf, ownerOf } from '@/lib/control/rules';
import { cleanText } from '@/lib/text/clean';
import type { Tab } from '@/server/browser/tab';
import { sightOf } from '@/server/access/principal';
import type { Caller } from '@/server/session/caller';
import { actorOf, type Participants } from '@/server/session/participants';
import type { Session } from '@/server/session/session';
import type { SessionTab } from '@/server/session/session-tab';

/** Requests that can give an agent the lease, and so answer its help requests. A plain take answers none. */
const GIVES: ReadonlySet<LeaseRequest['do']> = new Set<LeaseRequest['do']>([
  'release',
  'grant',
  'hand-over',
  'hand-back',
]);

/**
 * Makes the budget of a lease request within that of its door, counted from when the call came in: the request's
 * `timeoutMs`, else `fallbackMs`, or `BUDGET_LIMITS.askMs` for `ask-human`, which waits for a person. Milliseconds.
 */
export function leaseRequestBudget(budget: Budget, { do: verb, timeoutMs }: LeaseRequest, fallbackMs: number): Budget {
  return budget.shortened(clampTimeout(timeoutMs, verb === 'ask-human' ? BUDGET_LIMITS.askMs : fallbackMs));
}

/**
 * Carries out a lease request or help request, and returns when it is done (CO3-CO6): the new holder has the lease, or
 * the help request has its outcome, which is returned. Throws FORBIDDEN, CONTROL_HELD, CONFLICT, TAB_NOT_FOUND,
 * NOT_FOUND (no participant has that name), TIMEOUT, and the errors of asking and answering.
 */
export async function performLeaseRequest(
  budget: Budget,
  session: Session,
  caller: Caller,
  sessionTab: SessionTab,
  request: LeaseRequest,
): Promise<HelpRequestView | undefined> {
  session.admitParticipant(caller);
  const tab = sessionTab.tab.id;
  // A help request with a ref reads the page, which a private hold forbids; one without a ref is allowed on any tab
  // (CO8).
  if (request.do === 'ask-human' && request.ref !== undefined) await session.visibility.readable(budget, tab);
  if (request.do === 'ask-human') return HELP.of(session).ask(budget, caller, sessionTab, request);
  if (request.do === 'answer') return HELP.of(session).answer(budget, caller, tab, request);
  if (request.do === 'claim' || request.do === 'unclaim') return HELP.of(session).claim(budget, caller, tab, request);
  const helped =
    caller.principal.kind !== 'agent' && GIVES.has(request.do)
      ? answersByHandingOver(session, caller, request)
      : undefined;
  try {
    await applyLeaseRequest(budget, session, caller, tab, request);
  } finally {
    // Also after a timeout, because the lease may still pass. After a refusal it answers nothing: the caller still has
    // the lease.
    const answered = helped?.();
    if (budget.over) answered?.catch(() => undefined);
    else if (answered) await budget.during('the answer to be stored', () => answered);
  }
  return undefined;
}

async function applyLeaseRequest(
  budget: Budget,
  session: Session,
  caller: Caller,
  tab: string,
  request: LeaseRequest,
): Promise<void> {
  const { principal } = caller;
  // The guest of a link to one tab takes that tab only, and gives all up that they have: popups of that tab are
  // theirs too, and they cannot see them (AU4).
  const oneTab = sightOf(principal)?.tab !== undefined;
  const scope = oneTab ? (request.do === 'take' ? 'tab' : 'session') : (request.scope ?? 'session');
  const human = principal.kind !== 'agent';
  demandPrivateAllowed(caller, request);
  if (request.do !== 'take' && request.do !== 'request' && request.do !== 'deny')
    await showOwn(budget, session, caller);
  const { participants } = session;
  const handover = HANDOVER.of(session);
  switch (request.do) {
    case 'take':
      await handover.take(budget, caller, tab, scope);
      await keepPrivate(budget, session, caller, tab, request);
      return leftStopped(budget, session.registry.get(tab)?.tab);
    case 'request':
      return handover.request(budget, caller, tab);
    case 'grant':
      return handover.grant(budget, caller, tab, scope, request.note);
    case 'deny':
      return handover.deny(budget, caller, tab);
    case 'hand-over':
      return handover.handOver(budget, caller, tab, receiver(participants, request.to), scope, request.note);
    case 'release':
      // A person takes the whole session, so lets go of it; an agent gives up tabs one by one.
      return handover.release(budget, caller, tab, human ? scope : (request.scope ?? 'tab'));
    case 'hand-back':
      return handover.handBack(budget, caller, tab, request.note);
    case 'ask-human':
    case 'answer':
    case 'claim':
    case 'unclaim':
      return undefined;
  }
}

/**
 * Throws BAD_REQUEST for `private` with another request than a take, FORBIDDEN when an agent asks for it, or a guest
 * for more than the time of one field.
 */
function demandPrivateAllowed(caller: Caller, request: LeaseRequest): void {
  if (request.private !== undefined && request.do !== 'take')
    throw new WheelhouseError('BAD_REQUEST', 'Only a wheel that is taken, or had already, can be held privately.', {
      details: { fields: [{ field: 'private', problem: 'goes with "do": "take"' }] },
    });
  if (request.private === true && caller.principal.kind === 'agent')
    throw new WheelhouseError(
      'FORBIDDEN',
      { code: 'privateForPeople' },
      { hint: 'Leave "private" out; {"do":"ask-human"} asks a person to enter something.' },
    );
  if (request.private === true && caller.principal.kind === 'guest' && request.until === 'ended')
    throw new WheelhouseError('FORBIDDEN', 'A guest holds a page privately until they leave the field.', {
      hint: 'Leave "until" out.',
    });
}

function tabsOf({ leases }: Session, { principal }: Caller): string[] {
  return [...leases.leases].filter(([, lease]) => ownerOf(lease)?.id === principal.id).map(([tab]) => tab);
}

/**
 * A person who gives the lease back to an agent thereby answers the agent's help requests (CO6). The answers are stored
 * as soon as the agent has the lease, before any waiting caller resumes. The returned function stops listening and
 * answers the remaining requests.
 */
function answersByHandingOver(session: Session, caller: Caller, request: LeaseRequest): () => Promise<void> {
  const mine = tabsOf(session, caller);
  let answering = Promise.resolve();
  const off = session.leases.onEffect.on((effect) => {
    if (effect.type !== 'changed' || effect.lease.state === 'draining') return;
    // A failure to store the answer must not fail the lease change; the returned function tries again and throws.
    answering = answering.then(() => answerByHandingOver(session, caller, mine, request)).catch(() => undefined);
  });
  return async () => {
    off();
    await answering;
    await answerByHandingOver(session, caller, mine, request);
  };
}

async function answerByHandingOver(
  session: Session,
  caller: Caller,
  tabs: readonly string[],
  { result, note }: LeaseRequest,
): Promise<void> {
  for (const tab of tabs) {
    const lease = session.leases.lease(tab);
    const owner = lease && ownerOf(lease);
    if (owner?.kind === 'agent')
      await HELP.of(session).handedOver(caller, tab, owner.id, result === 'withdrawn' ? undefined : result, note);
  }
}

/** Begins or ends a private hold of one tab. Returns when its holder may type. */
async function keepPrivate(
  budget: Budget,
  { leases, visibility }: Session,
  { principal }: Caller,
  tab: string,
  request: LeaseRequest,
): Promise<void> {
  const by = actorOf(principal);
  if (request.private === false) return leases.apply(budget, { type: 'show', tab, by, why: 'ended' });
  if (request.private !== true) return;
  await leases.apply(budget, {
    type: 'hide',
    tab,
    by,
    reason: cleanText(request.reason ?? '', MOST_REASON),
    until: request.until ?? (principal.kind === 'guest' ? 'field' : 'ended'),
  });
  await visibility.prepared(budget, tab);
}

/**
 * Ends the caller's private holds before they give the lease away, and waits until every lift of the session is done:
 * typed values must be masked before a receipt describes the page.
 */
async function showOwn(budget: Budget, { leases, visibility }: Session, { principal }: Caller): Promise<void> {
  const mine = [...leases.leases]
    .filter(([, lease]) => privateHoldOf(lease)?.by.id === principal.id)
    .map(([tab]) => tab);
  for (const tab of mine) await leases.apply(budget, { type: 'show', tab, by: actorOf(principal), why: 'ended' });
  await Promise.all([...leases.leases.keys()].map((tab) => visibility.lifted(budget, tab)));
}

/** Longest reason of a private hold that other participants see. Characters. */
const MOST_REASON = 200;

/** Finds the one present participant that `to` names and that may drive. Throws BAD_REQUEST, NOT_FOUND, CONFLICT. */
function receiver(participants: Participants, to: string | undefined): Holder {
  if (to === undefined)
    throw new WheelhouseError('BAD_REQUEST', 'Say whom the wheel goes to.', {
      hint: 'Give "to": the id or the name of a participant.',
      details: { fields: [{ field: 'to', problem: 'is missing' }] },
    });
  const found = participants.present(to);
  const [one] = found;
  if (!one)
    throw new WheelhouseError('NOT_FOUND', `Nobody here is called "${to}", may drive and is present.`, {
      hint: 'The session lists its participants with id, name and whether they are online.',
    });
  if (found.length > 1)
    throw new WheelhouseError('CONFLICT', `${found.length} participants are called "${to}".`, {
      hint: 'Name one by id.',
      details: { ids: found.map(({ id }) => id) },
    });
  return one;
}

/**
 * A take waits until this long after the call began for the agent's scripts to stop, so that its reply can report it;
 * that mostly takes some milliseconds. Milliseconds.
 */
const SHORTLY_MS = 250;

/** Settles when the agent's scripts are stopped, or `SHORTLY_MS` after the call began. */
async function leftStopped(budget: Budget, tab: Tab | undefined): Promise<void> {
  const shortly = SHORTLY_MS - budget.elapsedMs();
  if (tab && shortly > 0 && !tab.tools.leftScripts.state.done)
    await Promise.race([tab.tools.leftScripts.settled(), budget.pause(shortly)]);
}
