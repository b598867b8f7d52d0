import { z } from 'zod';
import { accessOf, kindOf, type Action } from '@/lib/actions/kinds';
import type { Reply, StepResult } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError } from '@/lib/errors/error';
import type { Caller } from './caller';
import type { Session } from './session';
import type { SessionTab } from './session-tab';

/** An action that was written as a step, with what came of it. */
export interface StepOutcome {
  readonly reply: Reply;
  readonly result: StepResult;
}

/**
 * A look at the page before or after a step takes so long at most: a page that does not answer must not keep the step
 * from being done. Milliseconds.
 */
const LOOK_MS = 2_000;
/** And no more than this share of what is left for the call. */
const LOOK_SHARE = 0.25;

/** What the caller has before it. `content` is undefined where it cannot be seen. */
interface StepView {
  readonly tab: string | null;
  /** Its page: a tab may go on with another one. */
  readonly target?: string;
  readonly content: string | undefined;
}

/**
 * Carries out a step through the funnel, and tells what came of it as an object (ST4). `gone`: as of `Session.perform`.
 * Never throws.
 */
export async function step(
  budget: Budget,
  session: Session,
  caller: Caller,
  tab: string,
  action: Action,
  gone?: AbortSignal,
): Promise<StepOutcome> {
  const looks = mayChange(action);
  const before = await see(budget, session, seatOf(session, caller, action.tab ?? tab), looks);
  const reply = await session.perform(caller, tab, action, budget, gone);
  const after = await see(budget, session, seatOf(session, caller, 'active'), looks);
  return {
    reply,
    result: { tab: after.tab, answer: answerOf(reply), changed: looks ? isOther(reply, before, after) : false },
  };
}

/** Reading changes nothing; a page may change while it is waited for. */
function mayChange(action: Action): boolean {
  return accessOf(action) !== 'read' || kindOf(action).waits === true;
}

/** Undefined when there is no such tab: then the funnel says so. */
function seatOf(session: Session, caller: Caller, name: string): SessionTab | undefined {
  try {
    return session.findTab(caller, name);
  } catch (error) {
    if (asWheelhouseError(error).status >= 500) throw error;
    return undefined;
  }
}

async function see(
  budget: Budget,
  { visibility }: Session,
  sessionTab: SessionTab | undefined,
  looks: boolean,
): Promise<StepView> {
  if (!sessionTab) return { tab: null, content: undefined };
  // Whether a private page changed is nobody's to know.
  const seen = looks && visibility.visibilityEpoch(sessionTab.tab.id) !== undefined;
  const { id, targetId } = sessionTab.tab;
  return { tab: id, target: targetId, content: seen ? await contentOf(budget, sessionTab) : undefined };
}

/** While a dialog is open, or the page hangs, nothing of it can be read. */
async function contentOf(budget: Budget, { tab }: SessionTab): Promise<string | undefined> {
  if (tab.dialogs.current || !(tab.health.state === 'ready' || tab.health.state === 'loading')) return undefined;
  try {
    const mostMs = Math.min(LOOK_MS, budget.remainingMs() * LOOK_SHARE);
    return await budget.within(mostMs, (look) => tab.snapshots.contentNow(look));
  } catch {
    // Not to be seen in time: the result says so, and the reply says why where it matters.
    return undefined;
  }
}

function isOther({ navigated, newTabs = [], dialogs = [] }: Reply, before: StepView, after: StepView): boolean | null {
  if (navigated === true || newTabs.length > 0 || dialogs.length > 0 || before.target !== after.target) return true;
  return before.content === undefined || after.content === undefined ? null : before.content !== after.content;
}

const stopped = z.object({ kind: z.literal('stop'), value: z.object({ answer: z.string() }) });

function answerOf(reply: Reply): string | null {
  const read = stopped.safeParse(reply);
  return read.success ? read.data.value.answer : null;
}
