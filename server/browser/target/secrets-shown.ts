import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import type { TabFrames } from '../frames/tab-frames';
import type { IsolatedWorlds } from './isolated-worlds';
import type { SecretsInDocument } from './page/secrets';
import { injectedCall } from './world';

/** Whether a picture of a tab shows something secret, for those who watch it and for its holder. */
export interface SecretsShown {
  /** A secret field has the focus, or shows what it holds. */
  readonly toOthers: boolean;
  /** A secret field shows what somebody else put into it. */
  readonly toHolder: boolean;
}

const documentSchema: z.ZodType<SecretsInDocument> = z.object({
  focused: z.boolean(),
  inFrame: z.boolean(),
  clear: z.boolean(),
  foreign: z.boolean(),
});

/**
 * Looks for secrets in all frames of a tab, those of other sites included. Throws when one does not answer.
 *
 * @param holder a number that changes with the holder of the wheel
 */
export async function secretsShown(
  budget: Budget,
  { frames, worlds }: { readonly frames: Pick<TabFrames, 'list' | 'of'>; readonly worlds: IsolatedWorlds },
  holder: number,
): Promise<SecretsShown> {
  const look = async ({ frameId }: { readonly frameId: string }): Promise<SecretsInDocument | undefined> => {
    try {
      return await worlds.use(budget, frameId, (world) =>
        world.call(budget, documentSchema, injectedCall('secrets', 'look', { value: holder })),
      );
    } catch (error) {
      if (frames.of(frameId)) throw error;
      // It went away, and its fields with it.
      return undefined;
    }
  };
  const all = frames.list();
  const found = await Promise.all(all.map(look));
  const inFrame = found.some((one) => one?.inFrame === true);
  return {
    // The document of a frame keeps its focused element when the focus leaves the frame.
    toOthers: found.some(
      (one, at) => one?.clear === true || (one?.focused === true && (inFrame || all[at]?.parentFrameId === undefined)),
    ),
    toHolder: found.some((one) => one?.foreign === true),
  };
}
