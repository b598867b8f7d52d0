import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { qualityOf } from '@/lib/stream/quality';
import type { Tier } from '@/lib/stream/tiers';
import { PageFixture, type FixturePage } from '@/server/testing/page-fixture';
import { quietLogger } from '@/server/testing/temp-store';
import { ViewerClient } from '@/server/testing/viewer-client';
import { TabStreams } from './tab-streams';

const STILL = '<body style="margin:0;background:#fff"><h1>At rest</h1></body>';

let fixture: PageFixture;
beforeAll(async () => {
  fixture = await PageFixture.open();
});
afterAll(() => fixture.close());

/** The streams of a page that is watched and still, with the number of sessions requested for pictures, and the log. */
async function watched(page: FixturePage) {
  const seen = { attached: 0, logged: 0, fails: (): Promise<void> => Promise.resolve() };
  const streams = new TabStreams({
    tabId: 't1',
    clock: monotonicClock,
    logger: { ...quietLogger, info: () => void (seen.logged += 1) },
    counters: { frame: () => undefined },
    attach: async () => {
      seen.attached += 1;
      await seen.fails();
      return fixture.pictures.attach(page.targetId);
    },
    detach: (session) => fixture.pictures.detach(session),
    secrets: { look: () => Promise.reject(new Error('no guests here')), painted: () => Promise.resolve() },
  });
  onTestFinished(() => streams.dispose());
  const watch = (tier: Tier): ViewerClient => {
    const watcher = new ViewerClient();
    const { send, status } = watcher;
    streams.open({ stream: tier, quality: qualityOf(tier), gate: () => undefined, send, status });
    return watcher;
  };
  const watcher = watch('standard');
  await watcher.next(({ sort }) => sort === 'still');
  return { streams, seen, watch, watcher };
}

it('[BR5][FR5] of a Chrome that is gone make no further attempt, also for later viewers; viewers are told why', async () => {
  const page = await fixture.page(STILL);
  const { streams, seen, watch, watcher } = await watched(page);
  const before = seen.attached;
  streams.end('Chrome is gone.');
  const late = [watch('standard'), watch('thumbnail')];
  streams.startAfresh();
  streams.healthChanged({ state: 'crashed', reason: 'The page crashed.' });
  streams.healthChanged({ state: 'ready', reason: '' });
  await page.painted(3);

  expect(seen.attached).toBe(before);
  expect([watcher, ...late].map(({ state }) => state)).toEqual(['lost', 'lost', 'lost']);
  expect([watcher, ...late].map(({ statuses }) => statuses.some(({ reason }) => reason === 'Chrome is gone.'))).toEqual(
    [true, true, true],
  );
});

it('[FR5] a picture from before a capture ended is not used while the next one has none, and the end is logged once', async () => {
  const page = await fixture.page(STILL);
  const { streams, seen } = await watched(page);
  const [shown, before] = [streams.atHand(), seen.attached];
  seen.fails = () =>
    seen.attached < before + 3
      ? Promise.reject(new Error('Not attached to an active page'))
      : new Promise(() => undefined);
  void page.session.sendMayFail('Page.crash');
  await expect.poll(() => seen.attached, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 3);

  expect([shown?.sort, streams.atHand(), seen.logged]).toEqual(['still', undefined, 1]);
});
