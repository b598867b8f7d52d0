import { launchTestChrome } from '@/server/testing/chrome';
import { PageFixture } from '@/server/testing/page-fixture';
import { frameRates } from './lib/frame-rates';
import { inputToPicture } from './lib/input-to-picture';
import { relayCost } from './lib/relay-cost';
import { Viewers } from './lib/viewers';
import type { BenchRow } from './row';

/**
 * Frames per second, input to picture and the cost of a viewer, through a real Socket.IO server on loopback, beside
 * plain scripts.
 */
export async function frameBench(): Promise<BenchRow[]> {
  const [fixture, viewers] = [await PageFixture.open(launchTestChrome()), new Viewers()];
  try {
    return [
      ...(await frameRates(fixture, viewers)),
      ...(await inputToPicture(fixture, viewers)),
      ...(await relayCost(fixture, viewers)),
    ];
  } finally {
    viewers.close();
    await fixture.close();
  }
}
