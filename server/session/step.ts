import { z } from 'zod';
import { accessOf, kindOf, type Action } from '@/lib/actions/kinds';
import type { Reply, StepResult } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError } from '@/lib/errors/error';
import type { Caller } from './caller';
import type { Session } from './session';
import type { SessionTab } from './session-tab';

/** The reply and the result of an action written as a step. */
export interface StepOutcome {
  readonly reply: Reply;
  readonly result: StepResult;
}

/**
 * How long reading the page before or after a step may take: a page that does not answer must not prevent the step.
 * Milliseconds.
 */
const PAGE_READ_MS = 2_000;
/** Largest share of the remaining budget that one such read may use. */
const LOOK_SHARE = 0.25;

/** The caller's tab before or after a step. `content` is undefined when it cannot be read. */
interface StepView {
  readonly tab: string | null;
  /** Its CDP target; differs when the tab continues in another page. */
  readonly target?: string;
  readonly content: string | undefined;
}

/** Carries out a step through the funnel and returns its result (ST4). `gone` as in `Session.perform`. Never throws. */
export async function step(
  budget: Budget,
  session: Session,
  caller: Caller,
  tab: string,
  action: Action,
  gone?: AbortSignal,
): Promise<StepOutcome> {
  const looks = mayChange(action);
  const before = await see(budget, session, tabOf(session, caller, action.tab ?? tab), looks);
  const reply = await session.perform(caller, tab, action, budget, gone);
  const after = await see(budget, session, tabOf(session, caller, 'active'), looks);
  return {
    reply,
    result: { tab: after.tab, answer: answerOf(reply), changed: looks ? isOther(reply, before, after) : false },
  };
}

/** A read changes nothing, except one that waits: the page may change meanwhile. */
function mayChange(action: Action): boolean {
  return accessOf(action) !== 'read' || kindOf(action).waits === true;
}

/** Returns undefined when there is no such tab; the path of the action then reports it. */
function tabOf(session: Session, caller: Caller, name: string): SessionTab | undefined {
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
  // Whether a privately held page changed must not be revealed.
  const seen = looks && visibility.visibilityEpoch(sessionTab.tab.id) !== undefined;
  const { id, targetId } = sessionTab.tab;
  return { tab: id, target: targetId, content: seen ? await contentOf(budget, sessionTab) : undefined };
}

/** Returns undefined while a dialog is open or the page hangs: the page then cannot be read. */
async function contentOf(budget: Budget, { tab }: SessionTab): Promise<string | undefined> {
  if (tab.dialogs.current || !(tab.health.state === 'ready' || tab.health.state === 'loading')) return undefined;
  try {
    const mostMs = Math.min(PAGE_READ_MS, budget.remainingMs() * LOOK_SHARE);
    return await budget.within(mostMs, (look) => tab.snapshots.contentNow(look));
  } catch {
    // Not readable in time: the result says so, and where it matters the reply says why.
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
