/** Sizes and rates of captures (FR1). One capture per tab and tier, however many viewers. */
export interface TierSpec {
  /** Widest picture in pixels; undefined sends the page at its own size. */
  readonly maxWidth: number | undefined;
  /** JPEG quality in motion, 0 to 100. */
  readonly quality: number;
  /** JPEG quality of the sharp picture that follows when motion stops (FR3). */
  readonly stillQuality: number;
  /** Pictures per second for a viewer who does not drive. */
  readonly watchFps: number;
  /** Pictures per second while a person drives. */
  readonly driveFps: number;
  /** When no picture came for this long, motion has stopped and a sharp picture is taken. Milliseconds. */
  readonly quietMs: number;
  /**
   * The same while a person drives. It is longer, because a sharp picture delays the picture of a key pressed meanwhile
   * (85 instead of 30 ms).
   */
  readonly driveQuietMs: number;
}

export const TIERS = {
  thumbnail: {
    maxWidth: 480,
    quality: 50,
    stillQuality: 75,
    watchFps: 2,
    driveFps: 2,
    quietMs: 400,
    driveQuietMs: 600,
  },
  /** Of links that do not carry `standard` (FR6). */
  low: {
    maxWidth: 640,
    quality: 40,
    stillQuality: 75,
    watchFps: 30,
    driveFps: 60,
    quietMs: 200,
    driveQuietMs: 500,
  },
  standard: {
    maxWidth: 1280,
    quality: 60,
    stillQuality: 90,
    watchFps: 30,
    driveFps: 60,
    quietMs: 200,
    driveQuietMs: 500,
  },
  high: {
    maxWidth: undefined,
    quality: 80,
    stillQuality: 92,
    watchFps: 30,
    driveFps: 60,
    quietMs: 200,
    driveQuietMs: 500,
  },
} as const satisfies Record<string, TierSpec>;

export type Tier = keyof typeof TIERS;

export const TIER_NAMES = ['thumbnail', 'low', 'standard', 'high'] as const satisfies readonly Tier[];

/**
 * From this rate on pictures are not paced: Chrome sends at most about 60 a second (docs/chrome-facts.md, Pictures).
 */
export const UNPACED_FPS = 60;
