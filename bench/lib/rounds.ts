/** Rounds per figure; the plain script and ours alternate, so that both run under the same conditions. */
export const ROUNDS = 5;

/** Length of one measurement. Milliseconds. */
export const ROUND_MS = 1_200;

/** Warm-up before it: for the first pictures, or while the pacing learns a slower connection. Milliseconds. */
export const WARM_UP_MS = { near: 300, far: 1_500 } as const;

export const HD = { width: 1280, height: 720 } as const;
