import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disturb } from '@/server/testing/disturbed-store';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import { modelStep, type ModelStep } from './model/steps';
import { serveEffects } from './model/page';
import { Table } from './model/table';

/** Number of steps of one history. */
const STEPS = { minLength: 30, maxLength: 60, size: 'max' } as const;

/** Plays one random history on a session of its own; throws on any mismatch. */
async function played(fixture: CampaignFixture, run: string, steps: readonly ModelStep[]): Promise<void> {
  let table: Table | undefined;
  const site = await serveEffects((told) => table?.told(told));
  try {
    table = await Table.open(fixture, site, run);
    for (const one of steps) await table.play(one);
    const problems = await table.settle();
    fixture.count('deeds', table.ledger.history.length);
    fixture.count('effects', table.ledger.effects);
    fixture.count('changes of hands', table.ledger.changes);
    fixture.count('clicks broken by hand', table.ledger.broken);
    if (problems.length > 0)
      throw new Error(`${problems.join('; ')}\n         after: ${table.ledger.history.join(', ')}`);
  } finally {
    await table?.close();
    site.close();
  }
}

/**
 * Delays answers by up to 60 ms, before or after the real store has done its work, so that sessions get theirs out of
 * turn.
 */
const late: Disturb = async (_, reach) => {
  await pause(Math.random() * 30);
  const answer = await reach();
  await pause(Math.random() * 30);
  return answer;
};

/** T8, CO1-CO4: everything that people and agents may do, in any order, without waiting for one another. */
export const model: Campaign = {
  id: 'MODEL',
  about: `random histories of ${STEPS.minLength} to ${STEPS.maxLength} steps on a real page: one holder, no stale effect, each action once, nothing left held`,
  full: 400,
  round: async (fixture, random, index) => {
    const seed = random.between(0, 2 ** 30);
    const before = await fixture.total('faults_total');
    const result = await fc.check(
      fc.asyncProperty(fc.array(modelStep, STEPS), (steps) => played(fixture, `${index}`, steps)),
      { seed, numRuns: 1, endOnFailure: true },
    );
    if (!result.failed)
      return (await fixture.total('faults_total')) === before
        ? undefined
        : `seed ${seed}: the server counted a fault of its own`;
    return `seed ${seed}: ${String(result.errorInstance)}`;
  },
};

/** The same with a store that answers late: nothing counts before it is stored, and no participant writes meanwhile. */
export const modelOnSlowStore: Campaign = {
  ...model,
  id: 'MODEL-STORE',
  about: `${model.about}; the store answers late`,
  full: 100,
  disturb: late,
};
