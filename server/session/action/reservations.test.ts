import { describe, expect, it } from 'vitest';
import { parseAction } from '@/lib/actions/parse';
import type { Reply } from '@/lib/actions/reply';
import { Deferred } from '@/lib/async/deferred';
import { createBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { WheelhouseError } from '@/lib/errors/error';
import { everywhere } from '@/lib/rights/grants';
import { disturbedStore } from '@/server/testing/disturbed-store';
import { raise } from '@/server/testing/queue';
import { quietLogger, tempSession, tempStore } from '@/server/testing/temp-store';
import { SessionLedger } from '../ledger';
import { Timeline } from '../timeline';
import type { ActionRequest } from './call';
import { ActionReservations, fingerprintOf, type Reservation } from './reservations';

/** Claims of a session whose store answers a look for an earlier request when the test says so. */
async function reservations() {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  const clock = new FakeClock();
  const looks: Deferred[] = [];
  const slow = disturbedStore(store, async (what, reach) => {
    if (what === 'journal.recall') {
      const look = new Deferred();
      looks.push(look);
      await look.promise;
    }
    return reach();
  });
  const ledger = new SessionLedger(slow, workspace, session, quietLogger);
  const timeline = new Timeline(ledger, undefined, raise, { epochOf: () => undefined });
  const made = new ActionReservations(clock, timeline);
  const reservation = (text: string, gone?: AbortSignal): Reservation => {
    const request = requestOf(clock, workspace, text, gone);
    const { action, tabName, id } = request;
    return made.of(request, { participant: 'p1', action: id, fingerprint: fingerprintOf(action, tabName) });
  };
  return { clock, looks, timeline, made, reservation };
}

function requestOf(clock: FakeClock, workspace: string, text: string, gone?: AbortSignal): ActionRequest {
  const action = parseAction({ kind: 'type', selector: '#field', text, id: 'twice' });
  const credential = { kind: 'cookie', id: 'ada' } as const;
  const principal = {
    kind: 'human',
    id: 'p1',
    name: 'Ada',
    person: 'p1',
    workspace,
    rights: everywhere(['drive']),
    rev: 0,
    expiresAt: undefined,
    credential,
  } as const;
  return {
    caller: { principal, door: 'ui' },
    tabName: 't1',
    action,
    budget: createBudget({ timeoutMs: 60_000, clock }),
    id: 'twice',
    startedAt: new Date(0).toISOString(),
    epoch: undefined,
    gone,
  };
}

const reply: Reply = {
  ok: true,
  id: 'twice',
  kind: 'type',
  tab: 't1',
  url: '',
  startedAt: new Date(0).toISOString(),
  ms: 1,
  warnings: [],
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: unknown) => Object(error).code,
  );

describe('two requests with one id', () => {
  it('[CO10] at the same moment: the second waits for the first, and does not ask the store', async () => {
    const { looks, reservation } = await reservations();
    const [first, second] = [reservation('a'), reservation('a')];
    const waits = [first.take(), second.take()];
    await turn();
    const asked = looks.length;
    looks[0]?.resolve();
    const isFirst = (await waits[0]) === undefined;
    first.started();
    first.answered(reply);

    expect([asked, isFirst, await waits[1], looks.length]).toEqual([1, true, reply, 1]);
  });

  it('[CO10] the second takes the place of a first that was refused before it began', async () => {
    const { looks, reservation } = await reservations();
    const [first, second, third] = [reservation('a'), reservation('a'), reservation('b')];
    const waits = [first.take(), second.take(), codeOf(third.take())];
    await turn();
    looks[0]?.resolve();
    await waits[0];
    first.failed(new Error('no such tab'));
    await turn();
    looks[1]?.resolve();
    const isNowFirst = (await waits[1]) === undefined;
    second.started();

    expect([looks.length, isNowFirst, await waits[2]]).toEqual([2, true, 'CONFLICT']);
    second.answered(reply);
  });

  it('[T9][CO10] the second ends with the credential of both, and does not begin in place of the first', async () => {
    const { looks, made, reservation } = await reservations();
    const [first, second] = [reservation('a'), reservation('a')];
    const waits = [first.take(), codeOf(second.take())];
    await turn();
    looks[0]?.resolve();
    await waits[0];
    made.credentialEnded({ kind: 'cookie', id: 'ada' });
    first.failed(first.request.budget.reason());

    expect(await waits[1]).toBe('UNAUTHENTICATED');
    expect(looks.length).toBe(1);
  });

  it('[T9][CO10] the second ends when both lose the right to it', async () => {
    const { looks, made, reservation } = await reservations();
    const [first, second] = [reservation('a'), reservation('a')];
    const waits = [first.take(), codeOf(second.take())];
    await turn();
    looks[0]?.resolve();
    await waits[0];
    made.rightsChanged(() => {
      throw new WheelhouseError('FORBIDDEN', 'Not any more.');
    });
    first.failed(first.request.budget.reason());

    expect(await waits[1]).toBe('FORBIDDEN');
    expect(looks.length).toBe(1);
  });

  it('[CO10] the second gets the error of a first whose outcome could not be stored', async () => {
    const { looks, reservation } = await reservations();
    const [first, second] = [reservation('a'), reservation('a')];
    const waits = [first.take(), codeOf(second.take())];
    await turn();
    looks[0]?.resolve();
    await waits[0];
    first.started();
    first.failed(Object.assign(new Error('not stored'), { code: 'OUTCOME_UNKNOWN' }));

    expect(await waits[1]).toBe('OUTCOME_UNKNOWN');
  });

  it('[CO10][F16] the second waits until the intent of a first that was stored too late is withdrawn', async () => {
    const { looks, reservation } = await reservations();
    const [first, second] = [reservation('a'), reservation('a')];
    const began = first.take();
    await turn();
    looks[0]?.resolve();
    await began;
    const withdrawn = new Deferred();
    first.heldUntil(withdrawn.promise);
    first.failed(new Error('the store is busy'));
    const waits = second.take();
    await turn();
    const early = looks.length;
    withdrawn.resolve();
    await turn();
    looks[1]?.resolve();

    expect([early, await waits, looks.length]).toEqual([1, undefined, 2]);
    second.failed(new Error('the test is over'));
  });

  it('[OP3] a stopping server waits for actions that began, and not for those that did not', async () => {
    const { looks, made, reservation } = await reservations();
    const first = reservation('a');
    const began = first.take();
    await turn();
    looks[0]?.resolve();
    await began;
    await made.idle();
    first.started();
    let idle = false;
    const waits = made.idle().then(() => (idle = true));
    await turn();
    const early = idle;
    first.answered(reply);

    expect([early, await waits]).toEqual([false, true]);
  });
});
