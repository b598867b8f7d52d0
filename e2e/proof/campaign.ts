import type { Disturb } from '@/server/testing/disturbed-store';
import type { TestServer } from '@/server/testing/server';
import { CampaignFixture, startCampaignServer } from './campaign-fixture';
import { Random } from './random';

/** One promise for a fault (docs/SPEC.md, Faults), tried repeatedly at random moments. */
export interface Campaign {
  /** Id of the fault or rule: `F4`. */
  readonly id: string;
  readonly about: string;
  /** What the round for `npm test` leaves out of that. */
  readonly smallWithout?: string;
  /** Rounds of the full run; a small run makes fewer. */
  readonly full: number;
  /** Whether it starts its own servers. */
  readonly bare?: boolean;
  /** Disturbs calls of the server's store. */
  readonly disturb?: Disturb;
  /** Plays one round. Returns what broke the promise, or undefined; an exception breaks it too. */
  round(fixture: CampaignFixture, random: Random, index: number): Promise<string | undefined>;
  /** The round for `npm test`, where a full one takes minutes. */
  inSmall?(fixture: CampaignFixture, random: Random, index: number): Promise<string | undefined>;
}

export interface Tally {
  readonly campaign: Campaign;
  readonly rounds: number;
  readonly kept: number;
  /** Counted events: `['actions', 40]`. */
  readonly counts: readonly (readonly [what: string, times: number])[];
  /** Measured times, milliseconds: `['attached again', [812, 790]]`. */
  readonly times: readonly (readonly [what: string, ms: readonly number[]])[];
  /** The broken promises, each with the number of its round. */
  readonly broken: readonly string[];
}

export interface CampaignLimits {
  readonly seed: number;
  readonly rounds: number;
  /** No round begins after this; monotonic milliseconds. */
  readonly until?: number;
  /** Whether `npm test` plays it. */
  readonly small?: boolean;
  /** A server that runs already, for several campaigns; one of its own when absent. */
  readonly on?: TestServer;
}

/**
 * Plays a campaign on a fixture of its own. The same seed makes the same rounds, but Chrome's timing always differs.
 */
export async function play(
  campaign: Campaign,
  { seed, rounds, until = Number.POSITIVE_INFINITY, small = false, on }: CampaignLimits,
): Promise<Tally> {
  const random = new Random(seed);
  const round = (small ? campaign.inSmall : undefined) ?? campaign.round;
  const server = campaign.bare ? undefined : (on ?? (await startCampaignServer({ disturb: campaign.disturb })));
  const fixture = await CampaignFixture.open(server);
  const broken: string[] = [];
  let played = 0;
  try {
    for (; played < rounds && performance.now() < until; played += 1) {
      const problem = await round(fixture, random, played).catch((error: unknown) => `threw ${String(error)}`);
      if (problem !== undefined) broken.push(`round ${played + 1}: ${problem}`);
    }
  } finally {
    fixture.close();
    if (!on) await server?.close();
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

/** One line, or more when promises were broken. */
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
