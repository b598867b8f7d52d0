import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '@/server/testing/server';
import { play, summary } from './campaign';
import { startCampaignServer } from './campaign-fixture';
import { CAMPAIGNS } from './campaigns';
import { HANGS } from './hangs';
import { Random } from './random';

/** The campaigns of `npm run proof`, small. A failed run is had again by its seed. */
const SMALL: Readonly<Record<string, number>> = {
  F1: 2,
  F3: 3,
  F4: HANGS.length,
  F5: 3,
  F6: 1,
  F7: 2,
  F11: 1,
  F21: 2,
  F22: 1,
  F23: 2,
  F25: 1,
  FLOODS: 1,
  PARKED: 1,
  F31: 1,
  CO3: 2,
  T11: 1,
  R7: 1,
  AU6: 1,
  T14: 2,
  GU1: 2,
  MODEL: 3,
  'MODEL-STORE': 2,
};
/** They leave a server, its Chrome or its limits in a state that others would notice. */
const OWN_SERVER: ReadonlySet<string> = new Set(['FLOODS', 'PARKED', 'AU6', 'MODEL-STORE']);
/** The answered dialogs of a campaign are answered long before it. Milliseconds. */
const DIALOG_PATIENCE_MS = 4_000;
const seed = Number(process.env['PROOF_SEED'] ?? Math.floor(Math.random() * 1_000_000));

describe(`campaigns, seed ${seed}`, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startCampaignServer({ dialogPatienceMs: DIALOG_PATIENCE_MS });
  });
  afterAll(() => server.close());

  for (const campaign of CAMPAIGNS) {
    it(`[${campaign.id}] ${campaign.about}`, async () => {
      const own = OWN_SERVER.has(campaign.id);
      const tally = await play(campaign, {
        seed,
        rounds: SMALL[campaign.id] ?? 1,
        small: true,
        ...(own ? {} : { on: server }),
      });
      process.stdout.write(`seed ${seed}  ${summary(tally)}\n`);

      expect(tally.broken).toEqual([]);
      expect(tally.kept).toBe(SMALL[campaign.id]);
    }, 180_000);
  }
});

describe('Random', () => {
  it('gives the same numbers for the same seed, others for another', () => {
    const numbers = (from: number): number[] => {
      const random = new Random(from);
      return Array.from({ length: 20 }, () => random.between(1, 6));
    };

    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(8)).not.toEqual(numbers(7));
    expect(new Set(numbers(7))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});
