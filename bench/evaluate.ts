import { call, type BenchFixture } from './bench-fixture';
import { figure, ratioAtMost, type BenchLine } from './line';
import { interleave, must, timed, Contender } from './measure';
import { openPuppeteer } from './puppeteer';

const PAGE = '<!doctype html><meta charset="utf-8"><title>Evaluate</title><p>Nothing to see.</p>';
const SCRIPT = '1 + 1';
/** Calls something, so that it runs with a user gesture, as puppeteer runs every script. */
const CALL = '() => Math.max(1, 2)';
const ROUNDS = { warmUp: 30, times: 300 } as const;

/** The round trip of the smallest script: raw, by our engine, by our HTTP door, and by puppeteer on the same Chrome. */
export async function evaluateLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const url = await fixture.serve(PAGE);
  const { session, tab } = await fixture.tab(url);
  const plain = await fixture.plain.tab(url);
  const peer = await openPuppeteer(fixture, `${url}puppeteer`);
  const raw = new Contender(() =>
    timed(async () =>
      isTwo((await plain.send('Runtime.evaluate', { expression: SCRIPT, returnByValue: true })).result.value),
    ),
  );
  const engine = new Contender(() =>
    timed(async () => isTwo(await call((budget) => tab.evaluator.run(budget, { fn: SCRIPT, args: [] })))),
  );
  const acting = new Contender(() =>
    timed(async () => isTwo(await call((budget) => tab.evaluator.run(budget, { fn: CALL, args: [] })))),
  );
  const peerActing = new Contender(() => timed(async () => isTwo(await peer.evaluate(`(${CALL})()`))));
  const http = new Contender(() =>
    timed(async () => isTwo((await fixture.server.act(session, { kind: 'evaluate', fn: SCRIPT })).value)),
  );
  const emptyHttp = new Contender(() => timed(() => fixture.server.api('GET', '/healthz')));
  const other = new Contender(() => timed(async () => isTwo(await peer.evaluate(SCRIPT))));
  await interleave([raw, engine, other, acting, peerActing, http, emptyHttp], { ...ROUNDS, endsAt });
  return lines({ raw, engine, http, emptyHttp, other, acting, peerActing });
}

function lines(
  ways: Record<'raw' | 'engine' | 'http' | 'emptyHttp' | 'other' | 'acting' | 'peerActing', Contender>,
): BenchLine[] {
  const base = figure(ways.raw.samples);
  const engine = { base, ours: figure(ways.engine.samples) };
  const beside = { base: figure(ways.other.samples), ours: engine.ours };
  const acting = { base: figure(ways.peerActing.samples), ours: figure(ways.acting.samples) };
  const actingRaw = { base, ours: acting.ours };
  const http = { base, ours: figure(ways.http.samples) };
  const empty = figure(ways.emptyHttp.samples).median.toFixed(1);
  return [
    { what: 'evaluate `1 + 1`, inside the server', unit: 'ms', ...engine, reach: ratioAtMost(1.3, engine) },
    {
      what: 'the same against puppeteer’s `page.evaluate`',
      unit: 'ms',
      ...beside,
      reach: { text: 'below 1', met: beside.ours.median < beside.base.median },
    },
    {
      what: 'evaluate a function that calls something, inside the server, against puppeteer',
      unit: 'ms',
      ...acting,
      reach: { text: 'below 1', met: acting.ours.median < acting.base.median },
    },
    { what: 'the same against raw without such a sign', unit: 'ms', ...actingRaw, reach: ratioAtMost(1.3, actingRaw) },
    {
      what: `evaluate \`1 + 1\` by HTTP, with control and timeline (an empty HTTP answer: ${empty} ms)`,
      unit: 'ms',
      ...http,
    },
  ];
}

function isTwo(value: unknown): void {
  must(value === 2, `1 + 1 came back as ${String(value)}.`);
}
