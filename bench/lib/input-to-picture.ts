import type { PageFixture, FixturePage } from '@/server/testing/page-fixture';
import { benchRow, median, percentile, type BenchRow } from '../row';
import { PRESS_PAGE } from './pages';
import { RawCast } from './raw-cast';
import { openRelay } from './relay';
import { HD, ROUNDS } from './rounds';
import type { Viewers } from './viewers';
import { forMs } from './wait';

const PRESSES = 25;
const PAUSE_MS = 150;

/**
 * The time from a press at the viewer to the picture of its effect, both ways through Socket.IO; raw: from the command
 * to Chrome's frame.
 */
export async function inputToPicture(fixture: PageFixture, viewers: Viewers): Promise<BenchRow[]> {
  const page = await fixture.page(PRESS_PAGE, { viewport: HD });
  const raw: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    raw.push(...(await rawPresses(fixture, page)));
    ours.push(...(await ourPresses(fixture, page, viewers)));
  }
  return [
    benchRow('input to picture, median', median(raw), median(ours), 'ms', 'aim: raw + 8 ms'),
    benchRow('input to picture, p95', percentile(raw, 0.95), percentile(ours, 0.95), 'ms', 'aim: raw + 15 ms'),
  ];
}

/** Every series starts from the plain look, so that its first press shows the crowded one. */
async function begin(page: FixturePage): Promise<void> {
  await page.run('crowd.hidden = true');
  await page.painted(2);
}

async function rawPresses(fixture: PageFixture, page: FixturePage): Promise<number[]> {
  await begin(page);
  const cast = await RawCast.start(fixture.wsUrl, page.targetId);
  const samples: number[] = [];
  for (let index = 0; index < PRESSES; index += 1) {
    await forMs(PAUSE_MS * (0.8 + Math.random() * 0.4));
    samples.push(await cast.press(index % 2 === 0));
  }
  await cast.stop();
  return samples;
}

async function ourPresses(fixture: PageFixture, page: FixturePage, viewers: Viewers): Promise<number[]> {
  await begin(page);
  const relay = await openRelay(fixture, page);
  relay.streams.setHolder({ id: 'p_1', name: 'Ada', kind: 'human' });
  await viewers.order({ do: 'open', kind: 'socket.io', port: relay.port, viewers: 1, stalled: 0 });
  const samples = await viewers.order({ do: 'press', times: PRESSES, pauseMs: PAUSE_MS });
  await viewers.order({ do: 'close' });
  await relay.close();
  return samples;
}
