import { handBackLines } from './hand-back';
import type { BenchFixture, OurTab } from './bench-fixture';
import { atMost, figure, type BenchLine } from './line';
import { interleave, must, partOf, timed, Contender } from './measure';
import type { PlainTab } from './plain-script';
import { flightsOn, flightTab, isSilent, LOOP, serveSite, STUCK, type Flight } from './takeover-flights';

const ROUNDS = { warmUp: 1, times: 15 } as const;
/** CO3 promises 500 ms; this is the target for 95 of 100. */
const AIM_MS = 250;

/**
 * The time from a person's `take` until the person has the lease, by HTTP; all writes of the agent are over then. The
 * answer of the take comes later: it reports which of the agent's scripts were stopped, and has a row of its own.
 */
export async function takeoverLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const site = await serveSite();
  const flights = flightsOn(site.url);
  const [ours, plain] = [await flightTab(fixture, site.url), await fixture.plain.tab(site.url)];
  await plain.value('field.focus()');
  const key = new Contender(() => timed(() => pressKey(plain)));
  const sentinel = await fixture.plain.attach(plain.targetId);
  const terminate = new Contender(() => endLoop(plain, sentinel));
  const answers = new Contender(() => Promise.resolve(0));
  const takeIn = (flight: Flight) => async (): Promise<number> => {
    const { passedMs, answeredMs } = await takeFrom(fixture, ours, flight);
    answers.samples.push(answeredMs);
    return passedMs;
  };
  const moving = flights.map((flight) => new Contender(takeIn(flight)));
  const held = STUCK.map((flight) => new Contender(takeIn(flight)));
  await interleave([key, ...moving], { ...ROUNDS, endsAt: partOf(endsAt, 0.6) });
  await interleave([terminate, ...held], { ...ROUNDS, endsAt: partOf(endsAt, 0.7) });
  const handedBack = await handBackLines(fixture, site.url, endsAt);
  site.close();
  return [
    ...flights.map(({ what }, index) =>
      lineOf(`take-over while the agent ${what} (baseline: one raw key, down and up)`, key, moving[index] ?? key),
    ),
    ...STUCK.map(({ what }, index) =>
      lineOf(
        `take-over while the agent${what} (baseline: raw terminateExecution)`,
        terminate,
        held[index] ?? terminate,
      ),
    ),
    lineOf('take-over, whatever it was doing: answered, with what was stopped in the page', key, answers),
    ...handedBack,
  ];
}

function lineOf(what: string, base: Contender, ours: Contender): BenchLine {
  const taken = figure(ours.samples);
  return {
    what,
    unit: 'ms',
    base: figure(base.samples),
    ours: taken,
    reach: atMost(AIM_MS, taken, `p95 at most ${AIM_MS} ms, whatever it was doing`),
  };
}

/** Milliseconds from a take until the lease has passed, and until the answer. */
interface Taken {
  readonly passedMs: number;
  readonly answeredMs: number;
}

/** Takes the lease from an agent, whose call must end with CONTROL_LOST; releases it afterwards. */
async function takeFrom(fixture: BenchFixture, ours: OurTab, { action, begun, before }: Flight): Promise<Taken> {
  const { session, observer } = ours;
  await observer.value('document.forms[0].reset(), field.value = "", field.focus()');
  if (before) await fixture.server.act(session, before);
  if (before) await isSilent(observer);
  const agent = fixture.server.act(session, action);
  await begunOrRefused(begun(ours), agent);
  const waits = fixture.mayAct(session);
  await fixture.server.api('GET', '/healthz');
  const startedAt = performance.now();
  const since = (): number => performance.now() - startedAt;
  const [passedMs, answeredMs] = await Promise.all([waits.then(since), fixture.control(session, 'take').then(since)]);
  const { error } = await agent;
  must(error?.code === 'CONTROL_LOST', `The agent lost the lease and was told ${error?.code ?? 'nothing'}.`);
  await fixture.control(session, 'release');
  return { passedMs, answeredMs };
}

/** Waits until the agent's action has begun. Throws when it was answered instead: it would never be seen to begin. */
async function begunOrRefused(begun: Promise<void>, agent: Promise<{ error?: { code: string } }>): Promise<void> {
  const reply = await Promise.race([begun.then(() => undefined), agent]);
  must(reply === undefined, `The agent's action ended before the take: ${JSON.stringify(reply)}.`);
}

async function pressKey(tab: PlainTab): Promise<void> {
  const key = { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88 } as const;
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', text: 'x', ...key });
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

/** The time that Chrome itself needs to end a loop, by a session that was attached before. */
async function endLoop(tab: PlainTab, sentinel: PlainTab): Promise<number> {
  const loop = Promise.allSettled([tab.send('Runtime.evaluate', { expression: LOOP })]);
  await isSilent(sentinel);
  const ms = await timed(() => sentinel.send('Runtime.terminateExecution'));
  await loop;
  return ms;
}
