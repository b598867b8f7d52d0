import { io } from 'socket.io-client';
import { frameMetaSchema, streamStatusSchema } from '@/lib/protocol/views';
import { launchTestChrome } from '@/server/testing/chrome';
import { PageFixture, type FixturePage } from '@/server/testing/page-fixture';
import { MOVING_PAGE } from './lib/pages';
import { openRelay } from './lib/relay';
import { HD } from './lib/rounds';
import { openSlowWay } from './lib/slow-way';
import { forMs } from './lib/wait';
import { atMost, figure, single, type BenchLine } from './line';
import { must } from './measure';
import { median } from './row';

const ROUNDS = 3;
/** 1 Mbit/s, and 200 ms there and back. */
const LINK = { bytesPerMs: 125, delayMs: 100 } as const;
/** The lower quality comes within this time, milliseconds, or never. */
const PATIENCE_MS = 10_000;
/**
 * For the pictures of the old quality that are on their way, and for the pacing to learn. Less than until a better one
 * is tried.
 */
const SETTLING_MS = 2_500;
const COUNTED_MS = 6_000;
/** After a stall, no picture may be older (FR2). */
const OLDEST_MS = 1_000;

/** What a viewer had of a moving page. */
interface Watched {
  /** Milliseconds until it was told of a lower quality. */
  readonly toldMs: number;
  /** Age of each picture when it was painted, milliseconds. */
  readonly ages: readonly number[];
  readonly perSecond: number;
}

/** A viewer on a phone's link whose quality is `auto`, beside one on such a link with the best quality by choice. */
export async function phoneLines(): Promise<BenchLine[]> {
  const fixture = await PageFixture.open(launchTestChrome());
  try {
    const page = await fixture.page(MOVING_PAGE, { viewport: HD });
    const pinned: Watched[] = [];
    const auto: Watched[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      pinned.push(await watch(fixture, page, 'high'));
      auto.push(await watch(fixture, page, 'auto'));
    }
    return lines(pinned, auto);
  } finally {
    await fixture.close();
  }
}

function lines(pinned: readonly Watched[], auto: readonly Watched[]): BenchLine[] {
  const ages = { base: figure(pinned.flatMap((one) => one.ages)), ours: figure(auto.flatMap((one) => one.ages)) };
  const rate = (of: readonly Watched[]) => single(median(of.map((one) => one.perSecond)), `${ROUNDS} rounds`);
  const who = 'viewer on a link of 1 Mbit/s and 200 ms, a moving page';
  return [
    {
      what: `${who}: age of a picture when it is painted (baseline of this and the next two: quality pinned high)`,
      unit: 'ms',
      ...ages,
      reach: atMost(OLDEST_MS, ages.ours, `p95 at most ${OLDEST_MS} ms`),
    },
    { what: `${who}: pictures`, unit: 'per second', base: rate(pinned), ours: rate(auto) },
    {
      what: `${who}: until it is told of the lower quality`,
      unit: 'ms',
      base: figure(pinned.map(({ toldMs }) => toldMs)),
      ours: figure(auto.map(({ toldMs }) => toldMs)),
    },
  ];
}

async function watch(fixture: PageFixture, page: FixturePage, tier: 'high' | 'auto'): Promise<Watched> {
  const takenAt = new Map<number, number>();
  const relay = await openRelay(fixture, page, ({ seq, ageMs }) => takenAt.set(seq, performance.now() - ageMs));
  const way = await openSlowWay(relay.port, LINK);
  const socket = io(`http://127.0.0.1:${way.port}`, { transports: ['websocket'], forceNew: true, reconnection: false });
  let painted: { at: number; ageMs: number }[] = [];
  socket.on('frame', (sent: unknown, _picture: unknown, paint: () => void) => {
    const { seq } = frameMetaSchema.parse(sent);
    const at = performance.now();
    painted.push({ at, ageMs: at - (takenAt.get(seq) ?? Number.NaN) });
    paint();
  });
  try {
    const told = new Promise<void>((resolve) =>
      socket.on('stream.status', (sent: unknown) => {
        if (streamStatusSchema.parse(sent).because === 'link') resolve();
      }),
    );
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const openedAt = performance.now();
    socket.emit('stream.open', { tier });
    const isTold =
      tier === 'auto' && (await Promise.race([told.then(() => true), forMs(PATIENCE_MS).then(() => false)]));
    const toldMs = isTold ? performance.now() - openedAt : Number.POSITIVE_INFINITY;
    must(tier !== 'auto' || isTold, 'The viewer was not told of a lower quality.');
    await forMs(SETTLING_MS);
    painted = [];
    await forMs(COUNTED_MS);
    return {
      toldMs,
      ages: painted.map(({ ageMs }) => ageMs),
      perSecond: painted.length / (COUNTED_MS / 1_000),
    };
  } finally {
    socket.disconnect();
    way.close();
    await relay.close();
  }
}
