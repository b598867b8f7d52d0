import { Stage, type StagedPage } from '@/server/testing/stage';
import { MOVING_PAGE, PRESS_PAGE } from './lib/pages';
import { RawCast } from './lib/raw-cast';
import { openRawRelay } from './lib/raw-relay';
import { openRelay } from './lib/relay';
import { openSlowWay } from './lib/slow-way';
import { Viewers } from './lib/viewers';
import { forMs } from './lib/wait';
import { benchRow, median, percentile, type BenchRow } from './row';

const HD = { width: 1280, height: 720 };
/** Each figure is the median of so many rounds, raw and ours by turns, so that both see the same machine. */
const ROUNDS = 3;
const ROUND_MS = 2_500;
const PRESSES = 60;
const PRESS_PAUSE_MS = 150;

interface Bench {
  readonly stage: Stage;
  readonly viewers: Viewers;
}

/** Frames per second, their cost and input to picture, through a real Socket.IO server on loopback, beside plain scripts (quality.md section 0). */
export async function frameBench(): Promise<BenchRow[]> {
  const bench = { stage: await Stage.open(), viewers: new Viewers() };
  try {
    return [...(await rateRows(bench)), ...(await relayRows(bench)), ...(await pressRows(bench))];
  } finally {
    bench.viewers.close();
    await bench.stage.close();
  }
}

async function rateRows(bench: Bench): Promise<BenchRow[]> {
  const page = await bench.stage.page(MOVING_PAGE, { viewport: HD });
  const rates = { raw: new Array<number>(), one: new Array<number>(), ten: new Array<number>(), beside: new Array<number>(), far: new Array<number>() };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.raw.push(await rawRate(bench, page));
    rates.one.push(median(await ourRates(bench, page, { viewers: 1 })));
    rates.beside.push(median((await ourRates(bench, page, { viewers: 2, stalled: 1 })).slice(1)));
    rates.ten.push(median((await ourRates(bench, page, { viewers: 11, stalled: 1 })).slice(1)));
    rates.far.push(median(await ourRates(bench, page, { viewers: 1, delayMs: 15 })));
  }
  const raw = median(rates.raw);
  return [
    benchRow('frames/s, 1 viewer', raw, median(rates.one), 'frames/s'),
    benchRow('frames/s, 10 viewers beside a stalled one', raw, median(rates.ten), 'frames/s'),
    benchRow('frames/s, 1 viewer with a round trip of 30 ms', raw, median(rates.far), 'frames/s'),
    benchRow('frames/s beside a stalled viewer', median(rates.one), median(rates.beside), 'frames/s', 'raw: ours, alone'),
  ];
}

async function rawRate({ stage }: Bench, page: StagedPage): Promise<number> {
  const cast = await RawCast.start(stage.wsUrl, page.targetId);
  await forMs(300);
  const rate = await cast.rate(ROUND_MS);
  await cast.stop();
  return rate;
}

/** A person drives: nothing is paced. */
async function ourRates({ stage, viewers }: Bench, page: StagedPage, way: { viewers: number; stalled?: number; delayMs?: number }): Promise<number[]> {
  const relay = await openRelay(stage, page);
  const slow = way.delayMs === undefined ? undefined : await openSlowWay(relay.port, way.delayMs);
  relay.streams.setDriver(true);
  await viewers.order({ do: 'open', kind: 'socket.io', port: slow?.port ?? relay.port, viewers: way.viewers, stalled: way.stalled ?? 0 });
  // A longer way is learned in the first second.
  await forMs(way.delayMs === undefined ? 300 : 1_200);
  const rates = await viewers.order({ do: 'count', ms: ROUND_MS });
  await viewers.order({ do: 'close' });
  slow?.close();
  await relay.close();
  return rates;
}

/** What one more viewer costs this process for each picture: (ten viewers - one) / nine. */
async function relayRows(bench: Bench): Promise<BenchRow[]> {
  const page = await bench.stage.page(MOVING_PAGE, { viewport: HD });
  const raw: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    raw.push(await perViewer((viewers) => rawCost(bench, page, viewers)));
    ours.push(await perViewer((viewers) => ourCost(bench, page, viewers)));
  }
  return [benchRow('relay CPU per viewer and picture', median(raw), median(ours), 'ms', 'raw: plain ws, same pictures')];
}

async function perViewer(cost: (viewers: number) => Promise<number>): Promise<number> {
  const [one, ten] = [await cost(1), await cost(10)];
  return (ten - one) / 9;
}

/** CPU milliseconds of this process per captured picture while `viewers` look. */
async function ourCost({ stage, viewers }: Bench, page: StagedPage, count: number): Promise<number> {
  const relay = await openRelay(stage, page);
  relay.streams.setDriver(true);
  await viewers.order({ do: 'open', kind: 'socket.io', port: relay.port, viewers: count, stalled: 0 });
  const cost = await costOf(() => viewers.order({ do: 'count', ms: ROUND_MS }));
  await viewers.order({ do: 'close' });
  await relay.close();
  return cost;
}

async function rawCost({ stage, viewers }: Bench, page: StagedPage, count: number): Promise<number> {
  const cast = await RawCast.start(stage.wsUrl, page.targetId);
  const relay = await openRawRelay(cast);
  await viewers.order({ do: 'open', kind: 'ws', port: relay.port, viewers: count, stalled: 0 });
  const cost = await costOf(() => viewers.order({ do: 'count', ms: ROUND_MS }));
  await viewers.order({ do: 'close' });
  relay.close();
  await cast.stop();
  return cost;
}

async function costOf(work: () => Promise<number[]>): Promise<number> {
  const before = process.cpuUsage();
  const rates = await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (median(rates) * (ROUND_MS / 1_000));
}

async function pressRows(bench: Bench): Promise<BenchRow[]> {
  const page = await bench.stage.page(PRESS_PAGE, { viewport: HD });
  const raw: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    raw.push(...(await rawPresses(bench, page)));
    ours.push(...(await ourPresses(bench, page)));
  }
  return [
    benchRow('input to picture, median', median(raw), median(ours), 'ms', `aim: raw + 8 ms`),
    benchRow('input to picture, p95', percentile(raw, 0.95), percentile(ours, 0.95), 'ms', `aim: raw + 15 ms`),
  ];
}

async function rawPresses({ stage }: Bench, page: StagedPage): Promise<number[]> {
  const cast = await RawCast.start(stage.wsUrl, page.targetId);
  const samples: number[] = [];
  for (let index = 0; index < PRESSES; index += 1) {
    await forMs(PRESS_PAUSE_MS * (0.8 + Math.random() * 0.4));
    samples.push(await cast.press(index % 2 === 0));
  }
  await cast.stop();
  return samples;
}

async function ourPresses({ stage, viewers }: Bench, page: StagedPage): Promise<number[]> {
  const relay = await openRelay(stage, page);
  relay.streams.setDriver(true);
  await viewers.order({ do: 'open', kind: 'socket.io', port: relay.port, viewers: 1, stalled: 0 });
  const samples = await viewers.order({ do: 'press', times: PRESSES, pauseMs: PRESS_PAUSE_MS });
  await viewers.order({ do: 'close' });
  await relay.close();
  return samples;
}
