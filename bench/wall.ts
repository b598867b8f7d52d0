import type { BenchFixture } from './bench-fixture';
import { PRESS_PAGE } from './lib/pages';
import { members, People } from './lib/people';
import { forMs, sharedNow } from './lib/wait';
import { figure, type BenchLine } from './line';
import { LEAST_ROUNDS, must } from './measure';

const PEOPLE = 300;
const CHANGES = 6;
const PAUSE_MS = 300;
/** A picture of the crowded look is larger than this, of the plain one smaller. Bytes of a thumbnail. */
const CROWDED_THUMBNAIL_BYTES = 5_000;

/** Milliseconds from a change until the last person has it. */
interface Wall {
  readonly people: readonly string[];
  readonly names: number[];
  readonly pictures: number[];
}

/** A card changes on the wall of three hundred people, beside the wall of one. */
export async function wallLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const { session, observer } = await fixture.tab(await fixture.serve(PRESS_PAGE));
  const people = new People();
  fixture.onSweep(() => people.close());
  const cookies = await members(fixture, PEOPLE);
  const one: Wall = { people: cookies.slice(0, 1), names: [], pictures: [] };
  const many: Wall = { people: cookies, names: [], pictures: [] };
  const show = (crowded: boolean): Promise<unknown> => observer.value(`crowd.hidden = ${String(!crowded)}`);
  const { origin } = fixture.server;
  for (let round = 0; round < LEAST_ROUNDS && (round === 0 || performance.now() < endsAt); round += 1) {
    for (const wall of [one, many]) {
      await show(false);
      await people.order({ do: 'wall', origin, session, people: [...wall.people] });
      for (let change = 0; change < CHANGES; change += 1) {
        await forMs(PAUSE_MS);
        wall.names.push(await renamed(fixture, people, session, `Card ${round} ${change} ${wall.people.length}`));
        await forMs(PAUSE_MS);
        wall.pictures.push(await changed(people, show, change % 2 === 0));
      }
      await people.order({ do: 'leave' });
    }
  }
  const who = `${PEOPLE} people on the wall`;
  return [
    {
      what: `${who}: a session is renamed, until the last has it (baseline of this and the next: one person)`,
      unit: 'ms',
      base: figure(one.names),
      ours: figure(many.names),
    },
    {
      what: `${who}: the picture of a card changes, until the last has it (two pictures a second)`,
      unit: 'ms',
      base: figure(one.pictures),
      ours: figure(many.pictures),
    },
  ];
}

async function renamed(fixture: BenchFixture, people: People, session: string, name: string): Promise<number> {
  await people.order({ do: 'expect', name });
  const startedAt = sharedNow();
  const { status } = await fixture.server.api('PATCH', `/api/v1/sessions/${session}`, { name });
  must(status === 200, `The session was not renamed: ${status}.`);
  return (await lastOf(people)) - startedAt;
}

async function changed(
  people: People,
  show: (crowded: boolean) => Promise<unknown>,
  crowded: boolean,
): Promise<number> {
  const look = crowded ? { largerThan: CROWDED_THUMBNAIL_BYTES } : { smallerThan: CROWDED_THUMBNAIL_BYTES };
  await people.order({ do: 'expect look', ...look });
  const startedAt = sharedNow();
  await show(crowded);
  return (await lastOf(people)) - startedAt;
}

async function lastOf(people: People): Promise<number> {
  return Math.max(...(await people.order({ do: 'seen' })));
}
