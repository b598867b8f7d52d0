/** One way of doing a thing, with its samples in milliseconds. */
export class Contender {
  readonly samples: number[] = [];

  /** `once` does it once and returns the milliseconds that count, without preparations. */
  constructor(readonly once: (round: number) => Promise<number>) {}
}

export interface Plan {
  /** Rounds before the first that counts; fewer when they take a quarter of the time. */
  readonly warmUp: number;
  readonly times: number;
  /** No round begins after this, by `performance.now()`. */
  readonly endsAt: number;
}

/** Fewest rounds of a figure, whatever time they take. */
export const LEAST_ROUNDS = 3;

/** Runs the ways in turn, starting with another one in each round, so that all run under the same conditions. */
export async function interleave(ways: readonly Contender[], plan: Plan): Promise<void> {
  const warmBy = partOf(plan.endsAt, 0.25);
  for (let round = 0; round < plan.warmUp && (round === 0 || performance.now() < warmBy); round += 1) {
    for (const way of ways) await way.once(round);
  }
  for (let round = 0; round < plan.times; round += 1) {
    if (round >= LEAST_ROUNDS && performance.now() > plan.endsAt) return;
    for (let turn = 0; turn < ways.length; turn += 1) {
      const way = ways[(turn + round) % ways.length];
      way?.samples.push(await way.once(round));
    }
  }
}

/** The time at which a share (0 to 1) of the time left until `endsAt` is over. */
export function partOf(endsAt: number, share: number): number {
  const now = performance.now();
  return now + Math.max(0, endsAt - now) * share;
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Throws when a measured call went wrong: its figure would be misleading. */
export function must(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint);
}
