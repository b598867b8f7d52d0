import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type DemoApiClient, type Handoff } from '@/bin/demo/client';
import { dayAfter, goalOf, type Goal } from '@/bin/demo/goals';
import { readPage } from '@/bin/demo/page';
import { nextStep } from '@/bin/demo/plan';
import { afterTry, type DemoMemory, type DemoStep } from '@/bin/demo/step';

/** Runs the demo agent: reads the page, decides, acts, round after round, and recovers from failures. */

export interface DemoRun {
  readonly client: DemoApiClient;
  readonly session: string;
  /** Address of the shop, without a slash at the end. */
  readonly shop: string;
  readonly rounds: number;
  /** Gives the pause before the next action, milliseconds. */
  readonly pace: () => number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Hand-backs reported already, by their time: the reply after a wait carries the same one again. */
  readonly reported: Set<string>;
}

/** Thrown when the session was ended by somebody else. */
export class SessionEnded extends Error {}

const LEASE_CODES: ReadonlySet<string> = new Set(['CONTROL_LOST', 'CONTROL_HELD']);
const ENDED_SCRIPT_CODES: ReadonlySet<string> = new Set(['EVAL_TERMINATED', 'TIMEOUT']);
const FATAL_CODES: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);
/** Failures in a row after which the agent returns to the shop, and after which it stops. */
const FAILURES_TO_GO_HOME = 4;
const FAILURES_TO_STOP = 12;
const REST_AFTER_FAILURE_MS = 1_000;

/**
 * Shops `rounds` times, then releases the lease. Throws ApiError when the server refuses, SessionEnded when the session
 * is gone.
 */
export async function shopRounds(run: DemoRun): Promise<void> {
  const oldOrders = new Set<string>();
  for (let round = 0; round < run.rounds; round += 1) {
    const goal = goalOf(round);
    run.say(`Round ${round + 1} of ${run.rounds}: ${goal.product} for ${goal.buyer.name}.`);
    const order = await shopOnce(run, goal, oldOrders);
    if (order !== undefined) oldOrders.add(order);
    run.say(order === undefined ? 'This round did not work out.' : `Ordered. The number is ${order}.`);
  }
  await run.client
    .release(run.session)
    .catch((thrown: unknown) => run.say(`Could not release the wheel: ${messageOf(thrown)}`));
}

/** Runs one round: resolves to the number of the order, or undefined when the agent gave up. */
async function shopOnce(run: DemoRun, goal: Goal, oldOrders: ReadonlySet<string>): Promise<string | undefined> {
  let memory: DemoMemory = { shop: run.shop, day: dayAfter(new Date(), 5), tries: new Map(), oldOrders };
  let failures = 0;
  for (;;) {
    await sleep(run.pace(), undefined, { signal: run.signal });
    const outcome = await attempt(run, goal, memory);
    if (outcome.kind === 'done') return outcome.order;
    if (outcome.kind === 'give-up') {
      run.say(`Giving up: ${outcome.why}.`);
      return undefined;
    }
    memory = outcome.memory;
    failures = outcome.failed ? failures + 1 : 0;
    await recover(run, failures);
  }
}

type Outcome =
  | Exclude<DemoStep, { kind: 'act' }>
  | { readonly kind: 'went-on'; readonly memory: DemoMemory; readonly failed: boolean };

/** Reads the page and does the one step that the plan chooses. */
async function attempt(run: DemoRun, goal: Goal, memory: DemoMemory): Promise<Outcome> {
  let now = memory;
  try {
    const page = readPage(await run.client.snapshot(run.session));
    const step = nextStep(page, goal, memory);
    if (step.kind !== 'act') return step;
    run.say(`${page.path} (${page.controls.length} refs): ${step.say}.`);
    now = afterTry(memory, step.key);
    const { handoff } = await run.client.act(run.session, { ...step.action, note: step.say });
    if (handoff) tellHandBack(run, handoff);
    return { kind: 'went-on', memory: now, failed: false };
  } catch (thrown) {
    return { kind: 'went-on', ...(await afterFailure(run, thrown, memory, now)) };
  }
}

interface Continued {
  readonly memory: DemoMemory;
  readonly failed: boolean;
}

/** Handles a failed call by its code. `before` and `after`: the memory without and with the failed step. */
async function afterFailure(run: DemoRun, thrown: unknown, before: DemoMemory, after: DemoMemory): Promise<Continued> {
  run.signal.throwIfAborted();
  if (!(thrown instanceof ApiError) || FATAL_CODES.has(thrown.code)) throw thrown;
  const hung = (after.tries.get('hang') ?? 0) > (before.tries.get('hang') ?? 0);
  if (hung && ENDED_SCRIPT_CODES.has(thrown.code)) {
    run.say(`The script was ended for me (${thrown.code}); the page goes on.`);
    return { memory: after, failed: false };
  }
  run.say(`${thrown.code}: ${thrown.message}`);
  if (thrown.code === 'NOT_FOUND') throw new SessionEnded(thrown.message, { cause: thrown });
  if (LEASE_CODES.has(thrown.code)) {
    await waitForLease(run);
    return { memory: hung ? after : before, failed: false };
  }
  if (thrown.code === 'TAB_NOT_FOUND') await helped(run, run.client.openTab(run.session, `${run.shop}/`));
  if (thrown.code === 'DIALOG_OPEN')
    await helped(
      run,
      run.client.act(run.session, {
        kind: 'dialog',
        do: 'answer',
        accept: false,
        note: 'Closing a dialog that was left open',
      }),
    );
  return { memory: after, failed: true };
}

/** Waits until this agent may act, however long a person drives, and reports their note. */
async function waitForLease(run: DemoRun): Promise<void> {
  run.say('A person has the wheel. I wait.');
  for (;;) {
    try {
      const handoff = await run.client.waitForLease(run.session);
      if (handoff) tellHandBack(run, handoff);
      else run.say('I may drive again.');
      return;
    } catch (thrown) {
      run.signal.throwIfAborted();
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.code !== 'TIMEOUT' && thrown.code !== 'CONTROL_HELD')
        throw thrown.code === 'NOT_FOUND' ? new SessionEnded(thrown.message, { cause: thrown }) : thrown;
      await sleep(REST_AFTER_FAILURE_MS, undefined, { signal: run.signal });
    }
  }
}

/** Handles failures in a row: first waits, then returns to the shop, then stops. */
async function recover(run: DemoRun, failures: number): Promise<void> {
  if (failures === 0) return;
  if (failures >= FAILURES_TO_STOP) throw new ApiError('INTERNAL', 'Nothing has worked for a while, so I stop.');
  await sleep(REST_AFTER_FAILURE_MS, undefined, { signal: run.signal });
  if (failures % FAILURES_TO_GO_HOME === 0) {
    run.say('Leaving this page and starting from the shop.');
    await helped(
      run,
      run.client.act(run.session, { kind: 'navigate', url: `${run.shop}/`, note: 'Starting again from the shop' }),
    );
  }
}

/** Awaits a remedy; when it fails, the next snapshot shows the page as it is. */
async function helped(run: DemoRun, remedy: Promise<unknown>): Promise<void> {
  await remedy.catch((thrown: unknown) => {
    run.signal.throwIfAborted();
    run.say(`That did not help: ${messageOf(thrown)}`);
  });
}

function tellHandBack(run: DemoRun, { by, note, returnedAt }: Handoff): void {
  if (returnedAt !== undefined && run.reported.has(returnedAt)) return;
  if (returnedAt !== undefined) run.reported.add(returnedAt);
  const who = by === undefined ? 'The wheel is mine again' : `${by} handed the wheel back`;
  run.say(note === undefined || note === '' ? `${who}.` : `${who}, with a note: "${note}"`);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
