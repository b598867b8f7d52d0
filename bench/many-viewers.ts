import type { BenchFixture } from './bench-fixture';
import { MOVING_PRESS_PAGE } from './lib/pages';
import { members, People } from './lib/people';
import { forMs } from './lib/wait';
import { figure, ratioAtLeast, single, type BenchLine } from './line';
import { LEAST_ROUNDS, must } from './measure';
import { median } from './row';

const VIEWERS = 50;
/** How many of them move their pointers all the time. */
const POINTING = 3;
const ROUND_MS = 1_500;
const WARM_UP_MS = 1_000;
/** An even number: the page is crowded again after them. */
const PRESSES = 20;
const PAUSE_MS = 120;
const MIB = 1024 * 1024;

/** One audience, over all rounds. */
interface Audience {
  readonly people: readonly string[];
  readonly pointing: number;
  /** Pictures per second of the person who gets the fewest, by round. */
  readonly rates: number[];
  /** Milliseconds from input to picture. */
  readonly presses: number[];
  /** CPU time of the server for one viewer and second, by round. Milliseconds. */
  readonly cpu: number[];
  /** Memory of the server at the end of each round, also of the first, MiB. */
  readonly memory: number[];
}

/**
 * A tab that always moves, with fifty viewers of whom the first drives and three move their pointers, beside the driver
 * alone. The server runs in this process, the viewers in another.
 */
export async function manyViewersLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const { session } = await fixture.tab(await fixture.serve(MOVING_PRESS_PAGE));
  const people = new People();
  fixture.onSweep(() => people.close());
  const cookies = await members(fixture, VIEWERS);
  const one = audience(cookies.slice(0, 1), 0);
  const many = audience(cookies, POINTING);
  for (let round = 0; round <= LEAST_ROUNDS || (round <= 5 && performance.now() < endsAt); round += 1) {
    for (const turn of [one, many]) await watched(fixture, people, session, turn);
    // The first round warms up.
    if (round === 0) for (const turn of [one, many]) forget(turn);
  }
  return lines(one, many);
}

function audience(people: readonly string[], pointing: number): Audience {
  return { people, pointing, rates: [], presses: [], cpu: [], memory: [] };
}

function forget({ rates, presses, cpu }: Audience): void {
  for (const samples of [rates, presses, cpu]) samples.length = 0;
}

async function watched({ server }: BenchFixture, people: People, session: string, to: Audience): Promise<void> {
  const { origin } = server;
  await people.order({ do: 'watch', origin, session, people: [...to.people], pointing: to.pointing });
  await forMs(WARM_UP_MS);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const rates = await people.order({ do: 'count', ms: ROUND_MS });
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1_000;
  must(rates.length === to.people.length, 'Not everybody watched.');
  to.rates.push(Math.min(...rates));
  to.cpu.push((user + system) / 1_000 / seconds / to.people.length);
  to.presses.push(...(await people.order({ do: 'press', times: PRESSES, pauseMs: PAUSE_MS })));
  to.memory.push(process.memoryUsage.rss() / MIB);
  await people.order({ do: 'leave' });
}

function lines(one: Audience, many: Audience): BenchLine[] {
  const count = `${one.rates.length} rounds`;
  const sides = (of: 'rates' | 'cpu') => ({
    base: single(median(one[of]), count),
    ours: single(median(many[of]), count),
  });
  // A process seldom gives memory back: that of one viewer is read before the first time of the many.
  const memory = { base: single(one.memory[0] ?? Number.NaN), ours: single(Math.max(...many.memory)) };
  const who = `${VIEWERS} viewers of a moving page, ${POINTING} pointers moving`;
  const rates = sides('rates');
  const each = (memory.ours.median - memory.base.median) / (VIEWERS - 1);
  return [
    {
      what: `${who}: pictures to the one who gets the fewest (baseline of this and the next three: one viewer, who drives)`,
      unit: 'per second',
      ...rates,
      reach: ratioAtLeast(0.9, rates),
    },
    {
      what: `${who}: input to picture of who drives`,
      unit: 'ms',
      base: figure(one.presses),
      ours: figure(many.presses),
    },
    { what: `${who}: CPU time of the server for each viewer and second`, unit: 'ms', ...sides('cpu') },
    { what: `${who}: memory of the server, ${each.toFixed(2)} MiB for each further viewer`, unit: 'MiB', ...memory },
  ];
}
