import { accessOf, kindOf } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { SessionKernel } from '../kernel';
import type { IntentResult } from '../ledger';
import { inTime, STORE_MS } from '@/server/store/in-time';
import type { SessionTab } from '../session-tab';
import { withoutText, type AuditEntry } from '../timeline';
import { auditEntryOf, refusedEntryOf, targetEntryOf } from './audit-entry';
import { failureReply, type ActionCall, type ActionRequest } from './call';
import { unknownOutcome, type Reservation } from './reservations';

/** How long storing an outcome may take after the budget has ended. Milliseconds. */
const CONCLUDE_MS = 1_000;

/**
 * Errors that get no timeline row: no session to write to, a busy store, too many of them, or an action that was begun
 * and therefore has its intent row.
 */
const WITHOUT_ROW: ReadonlySet<string> = new Set(['NOT_FOUND', 'STORE_BUSY', 'RATE_LIMITED', 'OUTCOME_UNKNOWN']);

/** The stored intent of an action. */
export interface Intent {
  /** What its outcome row repeats. */
  readonly entry: AuditEntry;
  /** The tab was held privately: no content of the action may be stored (CO8). */
  readonly private: boolean;
}

/**
 * Stores the intent of an action, before Chrome hears of it. Throws STORE_BUSY when that takes too long: the action is
 * not carried out, its row is concluded with that error, and its id is free again once that is stored.
 */
export async function recordIntent(kernel: SessionKernel, call: ActionCall, reservation: Reservation): Promise<Intent> {
  const held = kernel.visibility.isHeldPrivately(call.sessionTab.tab.id);
  const typed = held ? (kindOf(call.action).typed?.(call.action) ?? []) : [];
  for (const text of typed) kernel.secrets.add(text, call.caller.principal.id);
  const entry = held ? withoutText(auditEntryOf(call)) : auditEntryOf(call);
  call.budget.check();
  const stored = kernel.timeline.intend(call.key, entry);
  try {
    const { state } = await call.budget.during('the store', () => inTime(kernel.services.clock, stored));
    // The reservation has looked for an earlier request already, and keeps others out.
    if (state !== 'recorded') throw unknownOutcome();
  } catch (error) {
    reservation.heldUntil(withdrawIntent(kernel, call, entry, stored, error));
    throw error;
  }
  return { entry, private: held };
}

/**
 * Withdraws an intent that may be stored too late: the timeline gets its outcome row, and the id of the action stays
 * unused. Settles when that is stored; never rejects.
 */
async function withdrawIntent(
  { timeline, queue }: SessionKernel,
  call: ActionCall,
  entry: AuditEntry,
  stored: Promise<IntentResult>,
  thrown: unknown,
): Promise<void> {
  const ms = Math.round(call.budget.elapsedMs());
  const outcome = { ...entry, outcome: 'failed', code: asWheelhouseError(thrown).code, ms } as const;
  try {
    const { state } = await stored;
    if (state !== 'recorded') return;
    await queue.surely(() => ({ store: () => timeline.withdraw(call.key, outcome), apply: () => undefined }));
  } catch {
    // The store has no intent, or the session is over.
  }
}

/**
 * Stores the outcome of an action with its reply. Throws OUTCOME_UNKNOWN when a write could not be stored: the error
 * must not invite a repeat.
 */
export async function recordOutcome(
  { timeline, services }: SessionKernel,
  call: ActionCall,
  { entry, private: silent }: Intent,
  reply: Reply,
): Promise<void> {
  const stored = timeline.conclude(call.key, silent ? withoutContent(reply) : reply, {
    ...entry,
    ...(silent ? {} : targetEntryOf(call)),
    ...outcomeOf(reply),
    ms: reply.ms,
    epoch: call.sessionTab.epoch(),
  });
  try {
    await inTime(services.clock, stored, Math.min(STORE_MS, call.budget.remainingMs() + CONCLUDE_MS));
  } catch (cause) {
    if (accessOf(call.action) !== 'write') throw cause;
    const message = 'The action was begun, and its outcome could not be stored.';
    throw new WheelhouseError('OUTCOME_UNKNOWN', message, { cause });
  }
}

/**
 * Answers an action that was refused before it began (unknown tab, no right) and adds it to the timeline, unless its
 * intent and outcome stand there (`withdrawn`).
 */
export function refuse(kernel: SessionKernel, request: ActionRequest, thrown: unknown, withdrawn: boolean): Reply {
  const { caller, action, asWritten = action } = request;
  const error = asWheelhouseError(thrown);
  if (error.code === 'INTERNAL')
    kernel.services.logger.error({ error: thrown, action: asWritten.kind }, 'the path of an action failed');
  if (!withdrawn && !WITHOUT_ROW.has(error.code))
    void kernel.timeline.refused(refusedEntryOf(caller, asWritten, tabNamed(kernel, request), error.code));
  return failureReply(request, error);
}

function tabNamed(kernel: SessionKernel, { caller, action, tabName }: ActionRequest): SessionTab | undefined {
  try {
    return kernel.active.find(caller, action.tab ?? tabName);
  } catch {
    // The missing tab may be the reason for the refusal.
    return undefined;
  }
}

function outcomeOf(reply: Reply): Pick<TimelineEvent, 'outcome' | 'code'> {
  if (!reply.error) return { outcome: 'ok' };
  return { outcome: reply.error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed', code: reply.error.code };
}

/** The reply to a private action as it is stored: that it was answered, and how it ended. */
function withoutContent({ ok, id, kind, tab, startedAt, ms, error }: Reply): Reply {
  const bare = error && { ...error, message: '', details: undefined };
  return { ok, id, kind, tab, url: '', startedAt, ms, warnings: [], ...(bare ? { error: bare } : {}) };
}
