import { CampaignFixture } from './campaign-fixture';
import { Random } from './random';
import type { Disturb } from '@/server/testing/disturbed-store';

/** One promise of quality.md section 2, tried again and again at random moments. */
export interface Campaign {
  /** Number of the fault: `F4`. */
  readonly id: string;
  readonly about: string;
  /** Rounds of the full run; a small one makes fewer of them. */
  readonly full: number;
  /** It starts servers of its own. */
  readonly bare?: boolean;
  /** What happens to calls of the server's store. */
  readonly disturb?: Disturb;
  /** One round. Gives what broke the promise, or nothing. Whatever it throws breaks it too. */
  round(fixture: CampaignFixture, random: Random, index: number): Promise<string | undefined>;
  /** The round that `npm test` plays, where a full one takes minutes. */
  inSmall?(fixture: CampaignFixture, random: Random, index: number): Promise<string | undefined>;
}

export interface Tally {
  readonly campaign: Campaign;
  readonly rounds: number;
  readonly kept: number;
  /** What was done and seen: `['actions', 40]`. */
  readonly counts: readonly (readonly [what: string, times: number])[];
  /** What was measured, milliseconds: `['attached again', [812, 790]]`. */
  readonly times: readonly (readonly [what: string, ms: readonly number[]])[];
  /** What broke, with the number of the round. */
  readonly broken: readonly string[];
}

export interface CampaignLimits {
  readonly seed: number;
  readonly rounds: number;
  /** No further round begins after this; monotonic milliseconds. */
  readonly until?: number;
  /** Played by `npm test`. */
  readonly small?: boolean;
}

/**
 * Plays a campaign on a ground of its own. The same seed makes the same rounds; Chrome's own timing is never the same.
 */
export async function play(
  campaign: Campaign,
  { seed, rounds, until = Number.POSITIVE_INFINITY, small = false }: CampaignLimits,
): Promise<Tally> {
  const random = new Random(seed);
  const round = (small ? campaign.inSmall : undefined) ?? campaign.round;
  const fixture = await CampaignFixture.open(campaign.bare ?? false, campaign.disturb);
  const broken: string[] = [];
  let played = 0;
  try {
    for (; played < rounds && performance.now() < until; played += 1) {
      const problem = await round(fixture, random, played).catch((error: unknown) => `threw ${String(error)}`);
      if (problem !== undefined) broken.push(`round ${played + 1}: ${problem}`);
    }
  } finally {
    await fixture.close();
  }
  return {
    campaign,
    rounds: played,
    kept: played - broken.length,
    counts: [...fixture.counts],
    times: [...fixture.times],
    broken,
  };
}

/** One line, or a few when promises were broken. */
export function summary({ campaign, rounds, kept, counts, times, broken }: Tally): string {
  const counted = counts.map(([what, times]) => `${times} ${what}`).join(', ');
  return [
    `${campaign.id.padEnd(5)} ${`${kept}/${rounds}`.padStart(9)}  ${campaign.about}${counted && ` [${counted}]`}`,
    ...times.map(measured),
    ...broken.map((problem) => `       ${problem}`),
  ].join('\n');
}

function measured([what, ms]: Tally['times'][number]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number): string => `${((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1_000).toFixed(2)} s`;
  return `       ${what}: p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}, of ${ms.length}`;
}
