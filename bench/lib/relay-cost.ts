import type { PageFixture, FixturePage } from '@/server/testing/page-fixture';
import { benchRow, median, type BenchRow } from '../row';
import { MOVING_PAGE } from './pages';
import { RawCast } from './raw-cast';
import { openRelay } from './relay';
import { HD, ROUNDS } from './rounds';
import type { Viewers } from './viewers';
import { WebSocketServer, type WebSocket } from 'ws';

/** The work of one relaying period. */
interface Work {
  /** CPU time of this process, which runs only the server's side. Milliseconds. */
  readonly cpuMs: number;
  readonly captured: number;
  /** Number of pictures that all viewers together received. */
  readonly delivered: number;
}

const MANY = 10;

/**
 * Longer than the rounds of rates: a short round measures mostly what the arrival of ten viewers costs once.
 * Milliseconds.
 */
const COST_ROUND_MS = 2_500;

/**
 * CPU time of the server for one picture to one more viewer: the difference between two loads separates the cost of
 * captures from that of deliveries.
 */
export async function relayCost(fixture: PageFixture, viewers: Viewers): Promise<BenchRow[]> {
  const page = await fixture.page(MOVING_PAGE, { viewport: HD });
  const raw: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const turns = [
      perDelivery(await rawWork(fixture, page, viewers, 1), await rawWork(fixture, page, viewers, MANY)),
      perDelivery(await ourWork(fixture, page, viewers, 1), await ourWork(fixture, page, viewers, MANY)),
    ] as const;
    // The first round warms up: in the first seconds of a process a picture costs twice as much.
    if (round === 0) continue;
    raw.push(turns[0]);
    ours.push(turns[1]);
  }
  return [
    benchRow(
      'relay CPU for one picture to one viewer',
      median(raw),
      median(ours),
      'ms',
      'compared with plain ws; aim: ratio 2.2',
    ),
  ];
}

function perDelivery(few: Work, many: Work): number {
  const perCapture = (work: Work): number => work.cpuMs / work.captured;
  const fanOut = (work: Work): number => work.delivered / work.captured;
  return (perCapture(many) - perCapture(few)) / (fanOut(many) - fanOut(few));
}

async function ourWork(fixture: PageFixture, page: FixturePage, viewers: Viewers, count: number): Promise<Work> {
  const relay = await openRelay(fixture, page);
  relay.streams.setHolder({ id: 'p_1', name: 'Ada', kind: 'human' });
  await viewers.order({ do: 'open', kind: 'socket.io', port: relay.port, viewers: count, stalled: 0 });
  const work = await measure(viewers, () => relay.captured());
  await viewers.order({ do: 'close' });
  await relay.close();
  return work;
}

async function rawWork(fixture: PageFixture, page: FixturePage, viewers: Viewers, count: number): Promise<Work> {
  const cast = await RawCast.start(fixture.wsUrl, page.targetId);
  const relay = await openRawRelay(cast);
  await viewers.order({ do: 'open', kind: 'ws', port: relay.port, viewers: count, stalled: 0 });
  const work = await measure(viewers, () => cast.pictures);
  await viewers.order({ do: 'close' });
  relay.close();
  await cast.stop();
  return work;
}

async function measure(viewers: Viewers, captured: () => number): Promise<Work> {
  const [cpu, before] = [process.cpuUsage(), captured()];
  const rates = await viewers.order({ do: 'count', ms: COST_ROUND_MS });
  const { user, system } = process.cpuUsage(cpu);
  const delivered = rates.reduce((sum, rate) => sum + rate, 0) * (COST_ROUND_MS / 1_000);
  return { cpuMs: (user + system) / 1_000, captured: captured() - before, delivered };
}

/**
 * The baseline of relaying: sends every picture to every plain WebSocket after a line of JSON, and gets one message
 * back.
 */
async function openRawRelay(cast: RawCast): Promise<{ port: number; close: () => void }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const unacknowledged = new Map<WebSocket, number>();
  server.on('connection', (socket) => {
    unacknowledged.set(socket, 0);
    socket.on('message', () => unacknowledged.set(socket, 0));
    socket.on('close', () => unacknowledged.delete(socket));
  });
  let seq = 0;
  cast.onPicture((picture) => {
    const meta = JSON.stringify({ seq: (seq += 1), width: 1280, height: 720, scrollX: 0, scrollY: 0 });
    for (const [socket, waiting] of unacknowledged) {
      if (waiting > 0) continue;
      unacknowledged.set(socket, waiting + 1);
      socket.send(meta);
      socket.send(picture);
    }
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
