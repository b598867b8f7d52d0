import type { InputEvent } from '@/lib/protocol/input';
import { PICTURES } from '@/server/session/feature-slots';
import { ask, type Client } from '@/server/testing/socket-client';
import type { Campaign } from './campaign';
import { crowd, orLost } from './crowd';
import type { CampaignFixture } from './campaign-fixture';
import { keyOf } from './keys';
import { byHand, Connected, type Player, type Refused } from './model/players';
import { person, type PersonClient } from './person';
import type { Random } from './random';

const SOCKETS = 200;
/** Number of sockets in the test suite. */
const FEW_SOCKETS = 24;
const PEOPLE = 5;
/** How often a round holds each kind of contest. */
const TIMES = 3;
const WORD = 5;

/** What an agent holds down in the page. */
const HOLDING: readonly InputEvent[] = [
  ...['x', 'y', 'z'].map((letter) => keyOf('keydown', letter)),
  { type: 'down', x: 600, y: 500, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 },
];
/** Less than the server waits for Chrome to release input, milliseconds. */
const RELEASE_MS = 200;

interface Contest {
  readonly fixture: CampaignFixture;
  readonly session: string;
  readonly owner: PersonClient;
  readonly window: Connected;
  readonly people: readonly Player[];
  readonly clients: readonly Client[];
}

/** The result of one participant who takes at once with others. `grab` undefined: it holds the lease. */
interface GrabOutcome {
  readonly grab: Refused | undefined;
  /** The result of its typing: `ok` or a code. */
  readonly typed: string;
}

const word = (letter: string): object => ({
  kind: 'type',
  selector: '#f',
  text: letter.repeat(WORD),
  mode: 'append',
  timeoutMs: 60_000,
});

/** All agents take the lease and type in the same tick, whether or not they get it. */
function grabAll({ clients, session }: Contest): Promise<GrabOutcome[]> {
  return Promise.all(
    clients.map(async (client) => {
      const grabbed = ask(client, 'control', { session, tab: 't1', do: 'take' });
      const acted = ask(client, 'act', { session, tab: 't1', action: word('w') });
      const answers = await orLost(client, Promise.all([grabbed, acted]));
      if ('lost' in answers) return { grab: { code: 'LOST', message: answers.lost }, typed: 'LOST' };
      const [grab, act] = answers;
      return { grab: grab.ok ? undefined : grab.error, typed: (act.ok ? act.data.error : act.error)?.code ?? 'ok' };
    }),
  );
}

function grabPeople({ people }: Contest): Promise<GrabOutcome[]> {
  return Promise.all(
    people.map(async (one) => {
      const [grab, early] = await Promise.all([one.requestLease({ do: 'take' }), one.act(word('p'))]);
      // An action sent before the lease has come may be refused.
      const act = grab || early?.ok ? early : await one.act(word('p'));
      return { grab, typed: act?.error?.code ?? 'ok' };
    }),
  );
}

/** `take ok, type ok: 1; take CONTROL_HELD, type CONTROL_HELD: 199`. */
function codesOf(told: readonly GrabOutcome[]): string {
  const pairs = told.map(({ grab, typed }) => `take ${grab?.code ?? 'ok'}, type ${typed}`);
  return [...new Set(pairs)].map((pair) => `${pair}: ${pairs.filter((other) => other === pair).length}`).join('; ');
}

/** Checks that one holds the lease, and that all others were told by name who holds it, or held it a moment ago. */
function oneOf(
  { fixture }: Contest,
  told: readonly GrabOutcome[],
  names: readonly string[],
  winners: 0 | 1,
): string | undefined {
  const won = told.filter(({ grab }) => grab === undefined);
  const typed = told.filter((one) => one.typed === 'ok');
  const misled = told.filter(
    ({ grab }) => grab && (grab.code !== 'CONTROL_HELD' || !names.some((name) => grab.message.includes(name))),
  );
  fixture.count('grabs', told.length);
  fixture.count('winners', won.length);
  fixture.count('refusals', told.length - won.length);
  if (won.length !== winners || typed.length !== winners || (winners === 1 && won[0]?.typed !== 'ok'))
    return `${won.length} of ${told.length} got the lease and ${typed.length} typed, instead of ${winners}: ${codesOf(told)}`;
  return (
    misled[0] &&
    `${misled.length} of ${told.length} were not told that ${names.join(' or ')} holds the lease, but ${misled[0].grab?.code}: ${misled[0].grab?.message}`
  );
}

async function fieldIs({ fixture, session }: Contest, wanted: RegExp): Promise<string | undefined> {
  const text = await fixture.field(session);
  return wanted.test(text) ? undefined : `the field holds ${JSON.stringify(text)}, not ${String(wanted)}`;
}

async function holder({ fixture, session }: Contest): Promise<string> {
  const lease = fixture.inside(session).leases.lease('t1');
  return lease && 'holder' in lease ? lease.holder.name : 'nobody';
}

/** An agent that types 500 letters one by one, from an empty field. Resolves when some of them may be there. */
async function typing({ fixture, session }: Contest, random: Random): Promise<{ ended: Promise<string> }> {
  await fixture.act(session, {
    kind: 'evaluate',
    fn: '() => { document.querySelector("#f").value = ""; document.querySelector("#f").focus(); }',
  });
  const typed = fixture.act(session, {
    kind: 'type',
    selector: '#f',
    text: 'h'.repeat(500),
    slowly: true,
    timeoutMs: 60_000,
  });
  await fixture.act(session, { kind: 'wait', timeMs: random.between(100, 300) });
  return { ended: typed.then(({ error }) => error?.code ?? 'ok') };
}

/** The lease is free, a moment after a person took it from a typing agent: one agent gets it. */
async function whenFree(contest: Contest, random: Random): Promise<string | undefined> {
  const { ended } = await typing(contest, random);
  await contest.owner.control(contest.session, { do: 'take' });
  const stopped = await ended;
  await contest.owner.control(contest.session, { do: 'release' });
  const told = await grabAll(contest);
  if (stopped !== 'CONTROL_LOST') return `who typed was told ${stopped}`;
  return oneOf(contest, told, [await holder(contest)], 1) ?? fieldIs(contest, new RegExp(`^h*w{${WORD}}$`));
}

/** An agent types, and people and agents take at once: one person gets the lease, and no agent. */
async function fromAgent(contest: Contest, random: Random): Promise<string | undefined> {
  const { ended } = await typing(contest, random);
  const before = await holder(contest);
  const [agents, people] = await Promise.all([grabAll(contest), grabPeople(contest)]);
  const stopped = await ended;
  const winner = await holder(contest);
  if (stopped !== 'CONTROL_LOST') return `who typed was told ${stopped}`;
  return (
    oneOf(contest, people, [winner], 1) ??
    oneOf(contest, agents, [before, winner], 0) ??
    fieldIs(contest, new RegExp(`^h*p{${WORD}}$`))
  );
}

/**
 * How many keys Chrome took according to the answers, and whether one more may have been under way when the lease went:
 * the loser is told that it lost, not how far that key has come.
 */
interface TypedKeys {
  taken: number;
  cut: 0 | 1;
}

/** Presses key after key until told to end. */
function strike({ fixture, session, window }: Contest): { struck: Readonly<TypedKeys>; end: () => Promise<void> } {
  const inside = fixture.inside(session);
  const epoch = inside.control('t1').epoch;
  const struck: TypedKeys = { taken: 0, cut: 0 };
  let over = false;
  const going = (async () => {
    while (!over) {
      const give = (type: 'keydown' | 'keyup'): Promise<boolean> =>
        window.input(epoch, PICTURES.of(inside.activeSessionTab()).geometry, keyOf(type, 'r'));
      const [down] = await Promise.all([give('keydown'), give('keyup')]);
      if (down) struck.taken += 1;
      else struck.cut = 1;
    }
  })();
  const end = async (): Promise<void> => {
    over = true;
    await going;
  };
  return { struck, end };
}

/**
 * A person presses key after key, and no agent gets between; then the person releases the lease while still typing, and
 * one agent gets it.
 */
async function fromPerson(contest: Contest, random: Random): Promise<string | undefined> {
  const { fixture, session, window, owner } = contest;
  await fixture.act(session, {
    kind: 'evaluate',
    fn: '() => { document.querySelector("#f").value = ""; document.querySelector("#f").focus(); }',
  });
  await window.requestLease({ do: 'take' });
  const name = await holder(contest);
  const { struck, end } = strike(contest);
  try {
    const enough = struck.taken + random.between(2, 8);
    while (struck.taken < enough) await fixture.act(session, { kind: 'wait', timeMs: 50 });
    const refused = oneOf(contest, await grabAll(contest), [name], 0);
    if (refused !== undefined) return refused;
    await owner.control(session, { do: 'release' });
    const told = await grabAll(contest);
    await end();
    fixture.count('keys of raw input', struck.taken);
    return (
      oneOf(contest, told, [await holder(contest)], 1) ??
      fieldIs(contest, new RegExp(`^r{${struck.taken},${struck.taken + struck.cut}}w{${WORD}}$`))
    );
  } finally {
    await end();
  }
}

/**
 * An agent has keys and a button down when a person takes the lease: nothing is down any more when the person is told
 * to have it (I6).
 */
async function fromHolding({
  fixture,
  session,
  clients: [agent],
  people: [one],
}: Contest): Promise<string | undefined> {
  if (!agent || !one) return 'nobody came';
  const inside = fixture.inside(session);
  const sessionTab = inside.activeSessionTab();
  const { tab } = sessionTab;
  await ask(agent, 'control', { session, tab: 't1', do: 'take' });
  const aim = { session, tab: 't1', epoch: inside.control('t1').epoch, geometry: PICTURES.of(sessionTab).geometry };
  for (const event of HOLDING) await ask(agent, 'input', { ...aim, event });
  const down = tab.input.held();
  const start = performance.now();
  const refused = await one.requestLease({ do: 'take' });
  const { keys, buttons } = tab.input.held();
  // A page that is too busy to take the releases is not waited for longer.
  const inTime = performance.now() - start < RELEASE_MS;
  fixture.count('held as a lease was taken', down.keys.length + down.buttons.length);
  if (refused || down.keys.length + down.buttons.length < HOLDING.length)
    return `a take was answered ${refused?.code ?? 'ok'}, with ${[...down.keys, ...down.buttons].join(' ')} down before`;
  return inTime && keys.length + buttons.length > 0
    ? `the lease was said to be taken while ${[...keys, ...buttons].join(' ')} was down`
    : undefined;
}

const CONTESTS = [whenFree, fromAgent, fromPerson, fromHolding];

async function letGo({ clients, people, window, session }: Contest): Promise<void> {
  for (const one of [...people, window]) await one.requestLease({ do: 'release' });
  await Promise.all(
    clients.map((client) => orLost(client, ask(client, 'control', { session, tab: 't1', do: 'release' }))),
  );
}

/** One session, with each contest a few times. */
async function round(
  fixture: CampaignFixture,
  random: Random,
  sockets: number,
  times: number,
): Promise<string | undefined> {
  const session = await fixture.session();
  const clients = await crowd(fixture, sockets);
  const owner = fixture.server.running.services.access.owner.id;
  const window = new Connected(
    owner,
    session,
    Connected.to(fixture, { headers: { cookie: fixture.cookie, origin: fixture.server.origin } }),
  );
  const people = Array.from({ length: PEOPLE }, (_, index) =>
    byHand(fixture, session, `person ${index} of ${session}`),
  );
  const contest = { fixture, session, clients, window, people, owner: await person(fixture) };
  try {
    await window.reconnect();
    for (let index = 0; index < times * CONTESTS.length; index += 1) {
      const hold = CONTESTS[index % CONTESTS.length];
      const problem = await hold?.(contest, random);
      if (problem !== undefined) return `${hold?.name}: ${problem}`;
      await letGo(contest);
    }
    return undefined;
  } finally {
    window.drop();
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/**
 * F22: two hundred take in one tick while another types: one gets the lease, the others are told who has it, and the
 * text shows no interleaving.
 */
export const simultaneousTakes: Campaign = {
  id: 'F22',
  about:
    "all sockets grab a free wheel, an agent's, or a person's in one tick, while its holder types: one wins at most, the others are told who, nobody types between, nothing stays down",
  full: 24,
  round: (fixture, random) => round(fixture, random, SOCKETS, TIMES),
  inSmall: (fixture, random) => round(fixture, random, FEW_SOCKETS, 1),
};
