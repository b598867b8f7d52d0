import fc from 'fast-check';
import type { Campaign } from './campaign';
import type { Ground } from './ground';
import { deed, type Deed } from './model/deeds';
import { serveEffects } from './model/page';
import { Table } from './model/table';

/** Deeds of one run, at most. */
const DEEDS = 40;

/** One deed as a command of fast-check. */
class Move implements fc.AsyncCommand<object, Table> {
  constructor(private readonly deed: Deed) {}

  check(): boolean {
    return true;
  }

  run(_: object, table: Table): Promise<void> {
    return table.play(this.deed);
  }

  toString(): string {
    return Object.values(this.deed).join(' ');
  }
}

/** Plays one random history on a session of its own; throws what does not fit together. */
async function played(ground: Ground, run: string, moves: Iterable<fc.AsyncCommand<object, Table>>): Promise<void> {
  let table: Table | undefined;
  const site = await serveEffects((effect) => table?.effect(effect));
  try {
    table = await Table.open(ground, site, run);
    const real = table;
    await fc.asyncModelRun(() => ({ model: {}, real }), moves);
    const problems = await real.settle();
    if (problems.length > 0) throw new Error(`${problems.join('; ')}\n         after: ${real.ledger.history.join(', ')}`);
  } finally {
    await table?.close();
    site.close();
  }
}

/** T8, CO1-CO4: everything that people and agents may do, in any order, without waiting for one another. */
export const model: Campaign = {
  id: 'MODEL',
  about: `random histories of ${DEEDS} deeds on a real page: one holder, no stale effect, each action once, nothing left held`,
  full: 400,
  round: async (ground, random, index) => {
    const commands = fc.commands([deed.map((one) => new Move(one))], { maxCommands: DEEDS, size: 'max' });
    const seed = random.between(0, 2 ** 30);
    const before = await ground.total('faults_total');
    const result = await fc.check(fc.asyncProperty(commands, (moves) => played(ground, `${index}`, moves)), { seed, numRuns: 1, endOnFailure: true });
    if (!result.failed) return (await ground.total('faults_total')) === before ? undefined : `seed ${seed}: the server counted a fault of its own`;
    return `seed ${seed}: ${String(result.errorInstance)}`;
  },
};
