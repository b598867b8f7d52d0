import { afterAll, describe, expect, it } from 'vitest';
import type { TestServer } from '@/server/testing/server';
import { play, summary } from '../campaign';
import { startCampaignServer } from '../campaign-fixture';
import { CAMPAIGNS } from '../campaigns';

/** Rounds of the campaigns in `npm test`, by the test file that plays them: files of about the same length. */
export const SMALL = {
  leases: { CO3: 1, F22: 1, F23: 1, MODEL: 2, 'MODEL-STORE': 1 },
  pages: { F4: 1, F5: 1, F6: 1, F7: 1, F21: 1, GU1: 1, T14: 1 },
  people: { T9: 1, SE1: 1, T15: 1 },
  servers: { T11: 1, PARKED: 1, AU6: 1 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/** They leave a server, its Chrome or its limits in a state that others would notice. */
const OWN_SERVER: ReadonlySet<string> = new Set(['PARKED', 'AU6', 'MODEL-STORE']);
/** The answered dialogs of a campaign are answered long before it. Milliseconds. */
const DIALOG_PATIENCE_MS = 4_000;
/** A failed run is had again by its seed. */
const seed = Number(process.env['PROOF_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** Registers the campaigns of a test file as tests, on one server, which starts when the first of them needs it. */
export function playSmall(file: keyof typeof SMALL): void {
  const rounds = new Map<string, number>(Object.entries(SMALL[file]));

  describe(`campaigns, seed ${seed}`, () => {
    let server: Promise<TestServer> | undefined;
    afterAll(async () => (await server)?.close());

    for (const campaign of CAMPAIGNS.filter(({ id }) => rounds.has(id))) {
      const without = campaign.smallWithout === undefined ? '' : ` (here without ${campaign.smallWithout})`;
      it(`[${campaign.id}] ${campaign.about}${without}`, async () => {
        const shares = campaign.bare !== true && !OWN_SERVER.has(campaign.id);
        if (shares) server ??= startCampaignServer({ dialogPatienceMs: DIALOG_PATIENCE_MS });
        const tally = await play(campaign, {
          seed,
          rounds: rounds.get(campaign.id) ?? 1,
          small: true,
          ...(shares && server ? { on: await server } : {}),
        });
        process.stdout.write(`seed ${seed}  ${summary(tally)}\n`);

        expect(tally.broken).toEqual([]);
        expect(tally.kept).toBe(rounds.get(campaign.id));
      }, 180_000);
    }
  });
}
