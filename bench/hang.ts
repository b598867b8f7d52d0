import type { BenchFixture, OurTab } from './bench-fixture';
import { forMs } from './lib/wait';
import { atMost, figure, type BenchLine } from './line';
import { LEAST_ROUNDS, must, partOf } from './measure';
import type { PlainTab } from './plain-script';

const LOOP = '() => { while (true) {} }';
const HANGS: readonly (readonly [name: string, fn: string])[] = [
  ['synchronous loop', LOOP],
  ['promise that never settles', '() => new Promise(() => {})'],
  [
    'flood of microtasks',
    '() => { const again = () => Promise.resolve().then(again); again(); return new Promise(() => {}); }',
  ],
  ['regex backtracking', '() => /^(a+)+$/.test("a".repeat(40) + "b")'],
  ['timer that loops', '() => { setTimeout(() => { while (true) {} }, 0); return new Promise(() => {}); }'],
];
const PAGE = `<!doctype html><meta charset="utf-8"><title>Hang</title><body style="margin:0"><button id="b" style="width:120px;height:40px" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button>`;

/** The script's own deadline, milliseconds. */
const DEADLINE_MS = 200;
/** How long the plain script is waited for after the deadline, milliseconds. */
const GIVE_UP_MS = 500;
/** Time after the deadline in which a page that cannot be clicked counts as not freed, milliseconds. */
const CLICK_PATIENCE_MS = 5_000;
const ROUNDS = 10;
/** A plain script mostly waits in vain, so it runs only once in so many rounds. */
const PLAIN_EVERY = 4;
/** The targets (BU3), milliseconds after the deadline. */
const REACH = { answered: 100, freed: 250 } as const;

/** Milliseconds after the deadline; Infinity: not within the waiting time. */
interface HangRecovery {
  readonly answered: number;
  readonly freed: number;
  readonly clicked: number;
  /** Clicks that were refused because the tab was still shown as hung. */
  readonly refused: number;
}

/** The recovery from a script that does not end, by HTTP; raw: `Runtime.evaluate` with Chrome's own `timeout`. */
export async function hangLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const url = await fixture.serve(PAGE);
  const ours = await fixture.tab(url);
  await ourHang(fixture, ours, LOOP);
  const lines: BenchLine[] = [];
  const all = { plain: new Array<HangRecovery>(), ours: new Array<HangRecovery>() };
  for (const [index, [name, fn]] of HANGS.entries()) {
    const seen = { plain: new Array<HangRecovery>(), ours: new Array<HangRecovery>() };
    const mineEndsAt = partOf(endsAt, 1 / (HANGS.length - index));
    for (let round = 0; round < ROUNDS && (round < LEAST_ROUNDS || performance.now() < mineEndsAt); round += 1) {
      if (round % PLAIN_EVERY === 0) seen.plain.push(await plainHang(fixture, url, fn));
      seen.ours.push(await ourHang(fixture, ours, fn));
    }
    lines.push(
      lineOf(`hang, ${name}: caller answered after its deadline`, seen, 'answered', REACH.answered),
      lineOf(`hang, ${name}: page free after the deadline`, seen, 'freed', REACH.freed),
    );
    all.plain.push(...seen.plain);
    all.ours.push(...seen.ours);
  }
  const late = all.ours.filter(({ refused }) => refused > 0).length;
  return [
    ...lines,
    lineOf(
      `hang, all five: next click done after the deadline (at the first try in ${all.ours.length - late} of ${all.ours.length})`,
      all,
      'clicked',
    ),
  ];
}

function lineOf(
  what: string,
  seen: { plain: readonly HangRecovery[]; ours: readonly HangRecovery[] },
  part: keyof HangRecovery,
  limit?: number,
): BenchLine {
  const ours = figure(seen.ours.map((one) => one[part]));
  const line = { what, unit: 'ms', base: figure(seen.plain.map((one) => one[part])), ours };
  return limit === undefined ? line : { ...line, reach: atMost(limit, ours, `p95 at most ${limit} ms`) };
}

async function ourHang(fixture: BenchFixture, { session, observer }: OurTab, fn: string): Promise<HangRecovery> {
  await observer.value('window.clicks = 0');
  const deadline = performance.now() + DEADLINE_MS;
  const since = (): number => performance.now() - deadline;
  const freed = answersAfter(observer, deadline);
  const reply = await fixture.server.act(session, { kind: 'evaluate', fn, timeoutMs: DEADLINE_MS });
  const answered = since();
  must(reply.error?.code === 'TIMEOUT', `The script ended with ${reply.error?.code ?? 'a value'}.`);
  const refused = await clickUntilDone(fixture, session, deadline);
  const clicked = since();
  must((await observer.value('window.clicks')) === 1, 'The page did not see the click.');
  return { answered, clicked, refused, freed: await freed };
}

/**
 * Clicks at once, and again while the tab is shown as hung, as the error's `retry` allows. Returns the number of
 * refusals.
 */
async function clickUntilDone(fixture: BenchFixture, session: string, deadline: number): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    const { error } = await fixture.server.act(session, { kind: 'click', selector: '#b' });
    if (!error) return refused;
    must(
      error.code === 'TAB_UNRESPONSIVE' && performance.now() < deadline + CLICK_PATIENCE_MS,
      `The next click failed: ${error.code}, ${error.message}`,
    );
  }
}

/** Uses a new tab each time, since it may be lost afterwards. */
async function plainHang(fixture: BenchFixture, url: string, fn: string): Promise<HangRecovery> {
  const tab = await fixture.plain.tab(url);
  const observer = await fixture.plain.attach(tab.targetId);
  const deadline = performance.now() + DEADLINE_MS;
  const gaveUp = forMs(DEADLINE_MS + GIVE_UP_MS);
  const within = (work: Promise<unknown>): Promise<number> =>
    Promise.race([work.then(() => performance.now() - deadline), gaveUp.then(() => Infinity)]);
  const evaluated = Promise.allSettled([
    tab.send('Runtime.evaluate', { expression: `(${fn})()`, awaitPromise: true, timeout: DEADLINE_MS }),
  ]);
  const [answered, freed] = await Promise.all([within(evaluated), within(answersAfter(observer, deadline))]);
  const clicked = freed === Infinity ? Infinity : await clickAfter(tab, observer, deadline);
  await observer.send('Runtime.terminateExecution');
  await fixture.plain.closeTab(tab);
  return { answered, freed, clicked, refused: 0 };
}

async function clickAfter(tab: PlainTab, observer: PlainTab, deadline: number): Promise<number> {
  await tab.click(60, 20);
  const clicked = performance.now() - deadline;
  must((await observer.value('window.clicks')) === 1, 'The page did not see the click of the plain script.');
  return clicked;
}

/**
 * Asks the page for a sign of life at the deadline; a session that was attached before gets it as soon as the main
 * thread is free.
 */
async function answersAfter(observer: PlainTab, deadline: number): Promise<number> {
  await forMs(Math.max(0, deadline - performance.now()));
  await Promise.allSettled([observer.send('Runtime.evaluate', { expression: '0' })]);
  return performance.now() - deadline;
}
