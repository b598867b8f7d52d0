import { Stage } from '@/server/testing/stage';
import { frameRates } from './lib/frame-rates';
import { inputToPicture } from './lib/input-to-picture';
import { relayCost } from './lib/relay-cost';
import { Viewers } from './lib/viewers';
import type { BenchRow } from './row';

/**
 * Frames per second, input to picture and the cost of a viewer, through a real Socket.IO server on loopback, beside
 * plain scripts (quality.md section 0).
 */
export async function frameBench(): Promise<BenchRow[]> {
  const [stage, viewers] = [await Stage.open(), new Viewers()];
  try {
    return [
      ...(await frameRates(stage, viewers)),
      ...(await inputToPicture(stage, viewers)),
      ...(await relayCost(stage, viewers)),
    ];
  } finally {
    viewers.close();
    await stage.close();
  }
}
