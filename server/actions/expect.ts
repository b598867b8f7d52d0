import type { Action } from '@/lib/actions/kinds';
import type { Expect } from '@/lib/actions/shared';
import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import { dialogError } from '@/server/browser/dialogs';
import type { ActionContext } from './context';
import { LOOK_AGAIN_MS, waitFor } from './wait';

/**
 * An expected change may come a little after the page has settled; the wait for it is at most this long, whatever the
 * budget. Milliseconds.
 */
const EXPECTED_WITHIN_MS = 5_000;
/** Reserved of the budget for describing the actual state, and for the answer. Milliseconds. */
const RESERVE_MS = 600;
/** Characters of the page's actual state in the error. */
const MOST_SEEN = 2_000;

/** One thing that must become true. */
interface Expectation {
  /** As an error names it. */
  readonly what: string;
  come(budget: Budget): Promise<void>;
}

/**
 * The post-condition of an action (AC6, `expect`). Call it before the action, and the function it returns after the
 * page has settled. That returns TIMEOUT with the actual state when an expected change did not come, and DIALOG_OPEN
 * when a dialog prevents the check. The action itself has been carried out in both cases.
 */
export async function expectation(
  context: ActionContext,
  action: Action,
): Promise<() => Promise<WheelhouseError | undefined>> {
  const { expect } = action;
  if (expect === undefined) return async () => undefined;
  const before = expect.changed === undefined ? '' : await context.tab.snapshots.contentNow(context.budget);
  return () => verify(context, action.kind, hopesOf(context, expect, before));
}

async function verify(
  context: ActionContext,
  kind: string,
  hopes: readonly Expectation[],
): Promise<WheelhouseError | undefined> {
  const { budget, tab } = context;
  if (tab.dialogs.current) return dialogError(tab.dialogs.current);
  const patience = budget.child(EXPECTED_WITHIN_MS, { reserveMs: Math.min(RESERVE_MS, budget.remainingMs() / 2) });
  try {
    const ends = await Promise.allSettled(
      hopes.map((hope) => patience.during(`expected: ${hope.what}`, () => hope.come(patience))),
    );
    budget.check();
    const missed = hopes.filter((_, index) => isMissed(ends[index]));
    return missed.length > 0 ? await notSo(context, kind, missed) : undefined;
  } finally {
    patience.dispose();
  }
}

/** A mistake in the expectation itself is not the page's fault, and fails with its own error. */
function isMissed(end: PromiseSettledResult<void> | undefined): boolean {
  if (end?.status !== 'rejected') return false;
  const error = asWheelhouseError(end.reason);
  if (error.code === 'TIMEOUT' || error.code === 'NODE_GONE') return true;
  throw error;
}

async function notSo(
  { tab, budget }: ActionContext,
  kind: string,
  missed: readonly Expectation[],
): Promise<WheelhouseError> {
  const expected = missed.map(({ what }) => what);
  const page = await budget
    .race(tab.snapshots.take(budget, { preset: 'efficient', maxChars: MOST_SEEN }))
    .catch(() => undefined);
  const seen = { url: tab.page.url, title: tab.title, ...(page ? { revision: page.revision, page: page.text } : {}) };
  return new WheelhouseError(
    'TIMEOUT',
    `The action (${kind}) was carried out, but what was expected did not come: ${expected.join('; ')}.`,
    {
      hint: 'It is done: look at details.seen before doing it again.',
      details: { done: true, expected, seen, log: budget.log.slice(-10) },
    },
  );
}

function hopesOf(
  context: ActionContext,
  { url, text, textGone, target, changed }: Expect,
  before: string,
): Expectation[] {
  const hopes: Expectation[] = [];
  const wait = (what: string, condition: Parameters<typeof waitFor>[1]): void =>
    void hopes.push({ what, come: (budget) => waitFor({ ...context, budget }, condition) });
  if (url !== undefined) wait(`the address ${url}`, { url });
  if (text !== undefined) wait(`the text ${JSON.stringify(text)}`, { text });
  if (textGone !== undefined) wait(`no text ${JSON.stringify(textGone)}`, { textGone });
  if (target?.ref !== undefined)
    wait(`${target.ref} ${target.state ?? 'visible'}`, { ref: target.ref, state: target.state });
  if (target?.selector !== undefined)
    wait(`${target.selector} ${target.state ?? 'visible'}`, { selector: target.selector, state: target.state });
  if (target?.role !== undefined)
    wait(
      `${target.role}${target.name === undefined ? '' : ` ${JSON.stringify(target.name)}`} ${target.state ?? 'visible'}`,
      { role: target.role, name: target.name, nth: target.nth, state: target.state },
    );
  if (changed !== undefined)
    hopes.push({
      what: changed ? 'a change of the page' : 'no change of the page',
      come: (budget) => forChange(context, budget, before, changed),
    });
  return hopes;
}

async function forChange(context: ActionContext, budget: Budget, before: string, changed: boolean): Promise<void> {
  for (;;) {
    const same = (await context.tab.snapshots.contentNow(budget)) === before;
    if (same !== changed) return;
    if (!changed) throw new WheelhouseError('TIMEOUT', 'The page has changed.');
    await budget.pause(LOOK_AGAIN_MS);
  }
}
