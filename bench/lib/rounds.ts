/** Every figure is taken from so many rounds, the plain script and ours by turns, so that both see the same machine. */
export const ROUNDS = 5;

/** One measurement. Milliseconds. */
export const ROUND_MS = 1_200;

/** Before it: the first pictures, or a longer way that is still being learned. Milliseconds. */
export const WARM_UP_MS = { near: 300, far: 1_500 } as const;

export const HD = { width: 1280, height: 720 } as const;
