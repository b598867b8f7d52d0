import { describe, expect, it } from 'vitest';
import { createBudget, type Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import { SharedWork } from './shared-work';

interface Run {
  readonly budget: Budget;
  readonly patienceMs: number;
  finish(value: string): void;
}

/** Work whose runs the test ends by hand. */
function bench() {
  const runs: Run[] = [];
  let noticed = (): void => undefined;
  const shared = new SharedWork<string>(monotonicClock, (budget, patienceMs) => {
    const work = new Promise<string>((resolve) => {
      runs.push({ budget, patienceMs, finish: resolve });
    });
    noticed();
    return budget.race(work);
  });
  const begun = (count: number): Promise<void> =>
    new Promise((resolve) => {
      noticed = () => {
        if (runs.length >= count) resolve();
      };
      noticed();
    });
  const ask = (timeoutMs = 10_000, budget = createBudget({ timeoutMs, clock: monotonicClock })): Promise<string> =>
    shared.ask(budget, 'the work').finally(() => budget.dispose());
  return { runs, begun, ask, shared };
}

describe('SharedWork', () => {
  it('[SN8] callers of the same moment share one run', async () => {
    const { runs, begun, ask } = bench();
    const asked = [ask(), ask(), ask()];
    await begun(1);
    runs[0]?.finish('one');
    expect([await Promise.all(asked), runs.length]).toEqual([['one', 'one', 'one'], 1]);
  });

  it('[SN8] callers during a run share the next one', async () => {
    const { runs, begun, ask } = bench();
    const first = ask();
    await begun(1);
    const later = [ask(), ask()];
    runs[0]?.finish('one');
    await begun(2);
    runs[1]?.finish('two');
    expect([await first, await Promise.all(later), runs.length]).toEqual(['one', ['two', 'two'], 2]);
  });

  it('[BU3] a caller that gives up leaves the run to the others', async () => {
    const { runs, begun, ask } = bench();
    const patient = ask();
    const hasty = ask(50).catch((error: unknown) => (error instanceof WheelhouseError ? error.code : 'other'));
    await begun(1);
    expect(await hasty).toBe('TIMEOUT');
    runs[0]?.finish('one');
    expect(await patient).toBe('one');
  });

  it('[SN8] a run without callers is ended, and the next one begins at once', async () => {
    const { runs, begun, ask } = bench();
    const hasty = ask(50).catch((error: unknown) => (error instanceof WheelhouseError ? error.code : 'other'));
    await begun(1);
    expect([await hasty, runs[0]?.budget.over]).toEqual(['TIMEOUT', true]);
    const next = ask();
    await begun(2);
    runs[1]?.finish('two');
    expect(await next).toBe('two');
  });

  it('[SN8] a planned run without callers does not affect later ones', async () => {
    const { runs, begun, ask } = bench();
    const first = ask();
    await begun(1);
    const given = ask(50).catch(() => 'given up');
    expect(await given).toBe('given up');
    const last = ask();
    runs[0]?.finish('one');
    await begun(2);
    runs[1]?.finish('two');
    expect([await first, await last]).toEqual(['one', 'two']);
  });

  it('[SN10] a run gets the shortest time that any caller has', async () => {
    const { runs, begun, ask } = bench();
    const asked = [ask(10_000), ask(1_000)];
    await begun(1);
    runs[0]?.finish('one');
    await Promise.all(asked);
    expect((runs[0]?.patienceMs ?? 0) <= 1_000).toBe(true);
  });

  it('[AC8] a failure reaches all callers, and the next run starts afresh', async () => {
    let runs = 0;
    const shared = new SharedWork<number>(monotonicClock, () =>
      Promise.reject(new WheelhouseError('TAB_CRASHED', `run ${(runs += 1)}`)),
    );
    const ask = async (): Promise<string> => {
      const budget = createBudget({ timeoutMs: 5_000, clock: monotonicClock });
      try {
        return String(await shared.ask(budget, 'the work'));
      } catch (error) {
        return error instanceof Error ? error.message : 'other';
      } finally {
        budget.dispose();
      }
    };
    expect([await Promise.all([ask(), ask()]), await ask()]).toEqual([['run 1', 'run 1'], 'run 2']);
  });
});
