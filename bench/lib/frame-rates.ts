import type { PageFixture, FixturePage } from '@/server/testing/page-fixture';
import { benchRow, median, type BenchRow } from '../row';
import { MOVING_PAGE } from './pages';
import { RawCast } from './raw-cast';
import { openRelay } from './relay';
import { HD, ROUND_MS, ROUNDS, WARM_UP_MS } from './rounds';
import { openSlowWay } from './slow-way';
import type { Viewers } from './viewers';
import { forMs } from './wait';

interface Audience {
  readonly viewers: number;
  /** Number of viewers that never acknowledge a picture. */
  readonly stalled?: number;
  /** Delay of each direction, milliseconds. */
  readonly delayMs?: number;
}

/**
 * Pictures per second that reach a viewer while a person drives. Limit: those that reach a script which acknowledges at
 * once.
 */
export async function frameRates(fixture: PageFixture, viewers: Viewers): Promise<BenchRow[]> {
  const page = await fixture.page(MOVING_PAGE, { viewport: HD });
  const seen = {
    raw: new Array<number>(),
    one: new Array<number>(),
    beside: new Array<number>(),
    ten: new Array<number>(),
    far: new Array<number>(),
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    seen.raw.push(await rawRate(fixture, page));
    seen.one.push(await ourRate(fixture, page, viewers, { viewers: 1 }));
    seen.beside.push(await ourRate(fixture, page, viewers, { viewers: 2, stalled: 1 }));
    seen.ten.push(await ourRate(fixture, page, viewers, { viewers: 11, stalled: 1 }));
    seen.far.push(await ourRate(fixture, page, viewers, { viewers: 1, delayMs: 15 }));
  }
  const [raw, one] = [median(seen.raw), median(seen.one)];
  return [
    benchRow('pictures to 1 viewer', raw, one, 'per second', 'aim: ratio 0.9'),
    benchRow(
      'pictures to each of 10 viewers, an eleventh stalled',
      raw,
      median(seen.ten),
      'per second',
      'aim: ratio 0.9',
    ),
    benchRow('pictures to 1 viewer, round trip of 30 ms', raw, median(seen.far), 'per second'),
    benchRow(
      'pictures to a viewer beside a stalled one',
      one,
      median(seen.beside),
      'per second',
      'compared with ours alone; aim: ratio 0.95',
    ),
  ];
}

async function rawRate(fixture: PageFixture, page: FixturePage): Promise<number> {
  const cast = await RawCast.start(fixture.wsUrl, page.targetId);
  await forMs(WARM_UP_MS.near);
  const before = cast.pictures;
  await forMs(ROUND_MS);
  const rate = ((cast.pictures - before) / ROUND_MS) * 1_000;
  await cast.stop();
  return rate;
}

async function ourRate(fixture: PageFixture, page: FixturePage, viewers: Viewers, audience: Audience): Promise<number> {
  const relay = await openRelay(fixture, page);
  const slow =
    audience.delayMs === undefined ? undefined : await openSlowWay(relay.port, { delayMs: audience.delayMs });
  relay.streams.setHolder({ id: 'p_1', name: 'Ada', kind: 'human' });
  const { stalled = 0 } = audience;
  await viewers.order({
    do: 'open',
    kind: 'socket.io',
    port: slow?.port ?? relay.port,
    viewers: audience.viewers,
    stalled,
  });
  await forMs(slow ? WARM_UP_MS.far : WARM_UP_MS.near);
  const rates = await viewers.order({ do: 'count', ms: ROUND_MS });
  await viewers.order({ do: 'close' });
  slow?.close();
  await relay.close();
  return median(rates.slice(stalled));
}
