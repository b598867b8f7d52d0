/** One way of doing a thing, with what it took each time, milliseconds. */
export class Way {
  readonly samples: number[] = [];

  /** `once` does it once and gives the milliseconds that count; preparations are its own business. */
  constructor(readonly once: (round: number) => Promise<number>) {}
}

export interface Plan {
  /** Rounds before the first that counts. */
  readonly warmUp: number;
  readonly times: number;
  /** When so many milliseconds are over, no further round begins. */
  readonly atMostMs: number;
}

/** Fewer say nothing, whatever the time. */
const LEAST_ROUNDS = 3;

/** Takes the ways by turns, another one first in each round, so that all see the same machine. */
export async function interleave(ways: readonly Way[], plan: Plan): Promise<void> {
  const endsAt = performance.now() + plan.atMostMs;
  for (let round = 0; round < plan.warmUp; round += 1) {
    for (const way of ways) await way.once(round);
  }
  for (let round = 0; round < plan.times; round += 1) {
    if (round >= LEAST_ROUNDS && performance.now() > endsAt) return;
    for (let turn = 0; turn < ways.length; turn += 1) {
      const way = ways[(turn + round) % ways.length];
      way?.samples.push(await way.once(plan.warmUp + round));
    }
  }
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A figure of something that went wrong is worse than none. */
export function must(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint);
}
