import { TIERS, type Tier } from './tiers';

/** How large a viewer shows the picture: CSS pixels of its own window, and device pixels for each. */
export interface ShownSize {
  readonly width: number;
  readonly dpr: number;
}

/** The tier that a viewer asked for; `auto`: as good as its link and its size allow (FR6). */
export type TierChoice = Tier | 'auto';

/**
 * Why a viewer has its tier: its connection carries no better one, a better one would not be seen at its size, or it
 * asked for this one.
 */
export type TierReason = 'link' | 'size' | 'chosen';

/** What decides the tier of one stream. Times in milliseconds of one monotonic clock. */
export interface Quality {
  readonly choice: TierChoice;
  readonly size: ShownSize | undefined;
  readonly link: Link;
}

/** What the pictures that a viewer painted in some time tell of its link. */
export interface Look {
  /** The end of that time. */
  readonly at: number;
  /** Mean and least time from sending a picture to painted. */
  readonly roundTripMs: number;
  readonly quickestMs: number;
  /** How much longer it took than without a queue. */
  readonly queueMs: number;
  /** It painted less than half of the wanted pictures, and had no credit for more for most of the time. */
  readonly starved: boolean;
}

/** What is known of a link. `carries` is a place in `LADDER`. */
interface Link {
  readonly carries: number;
  /** Since when every look was slow; undefined after a good one. */
  readonly slowSince: number | undefined;
  /** When pictures were last late, or the tier last changed. */
  readonly lateAt: number;
  /** After this long without a late picture a better tier is tried. */
  readonly waitMs: number;
  /** When a better tier was last tried. */
  readonly triedAt: number;
  /** No step down before this time. */
  readonly keptUntil: number;
  /** A step down has to show that smaller pictures arrive sooner. */
  readonly trial: { readonly since: number; readonly beforeMs: number; readonly quickestMs: number } | undefined;
  /** A picture that takes so long is late because the viewer is far away: smaller pictures take as long. */
  readonly farMs: number;
}

/** The tiers of `auto`, poorest first. */
const LADDER = ['low', 'standard', 'high'] as const satisfies readonly Tier[];
const STANDARD = LADDER.indexOf('standard');
const HIGH = LADDER.indexOf('high');

const LATE_MS = 500;
const QUEUE_MS = 400;
const DOWN_AFTER_MS = 2_000;
const TRIAL_MS = 2_000;
/** A step down helped if pictures take less than this share of the time before. */
const HELPED_SHARE = 0.75;
const FAR_SLACK = 1.5;
const UP_AFTER = { firstMs: 10_000, mostMs: 80_000 } as const;
/** A better tier that has to be left within this time counts as failed, and the next try comes later. */
const PROVED_AFTER_MS = 60_000;

/** The quality of a new stream. */
export function qualityOf(choice: TierChoice, size?: ShownSize): Quality {
  return {
    choice,
    size,
    link: {
      carries: HIGH,
      slowSince: undefined,
      lateAt: Number.NEGATIVE_INFINITY,
      waitMs: UP_AFTER.firstMs,
      triedAt: Number.NEGATIVE_INFINITY,
      keptUntil: Number.NEGATIVE_INFINITY,
      trial: undefined,
      farMs: 0,
    },
  };
}

/** The same link with another choice or size. Without a size, the size stays. */
export function chosen(quality: Quality, choice: TierChoice, size: ShownSize | undefined): Quality {
  return { ...quality, choice, size: size ?? quality.size };
}

/** The tier for a page of this width, CSS pixels. */
export function tierOf(quality: Quality, pageWidth: number): { readonly tier: Tier; readonly because: TierReason } {
  if (quality.choice !== 'auto') return { tier: quality.choice, because: 'chosen' };
  const { carries } = quality.link;
  const needs = neededBy(quality.size, pageWidth);
  return { tier: LADDER[Math.min(carries, needs)] ?? 'standard', because: carries < needs ? 'link' : 'size' };
}

/** The quality after a look at the link. Goes one tier down where pictures have been late for two seconds. */
export function afterLook(quality: Quality, look: Look, pageWidth: number): Quality {
  if (quality.choice !== 'auto') return quality;
  const tried = afterTrial(quality.link, look);
  const far = look.quickestMs <= FAR_SLACK * tried.farMs;
  const late = look.queueMs > QUEUE_MS || (look.roundTripMs > LATE_MS && !far);
  const link = { ...tried, lateAt: late ? look.at : tried.lateAt };
  if (!late && (!look.starved || far)) return { ...quality, link: { ...link, slowSince: undefined } };
  const slowSince = link.slowSince ?? look.at;
  const tier = Math.min(link.carries, neededBy(quality.size, pageWidth));
  const stays =
    tier === 0 || link.trial !== undefined || look.at < link.keptUntil || look.at - slowSince < DOWN_AFTER_MS;
  return { ...quality, link: stays ? { ...link, slowSince } : steppedDown(link, tier, look) };
}

/** When `afterCalm` may change something; undefined while the link does not limit the tier. */
export function calmAt(quality: Quality, pageWidth: number): number | undefined {
  const { link, choice } = quality;
  if (choice !== 'auto' || link.carries >= neededBy(quality.size, pageWidth)) return undefined;
  return link.lateAt + link.waitMs;
}

/** The quality after some time, also without pictures: one tier up if none was late for long enough. */
export function afterCalm(quality: Quality, now: number, pageWidth: number): Quality {
  const at = calmAt(quality, pageWidth);
  if (at === undefined || now < at) return quality;
  return { ...quality, link: steppedUp(quality.link, now) };
}

/** Below a picture of 1 280 pixels only a slow link goes: text in a small picture should be sharp, too. */
function neededBy(size: ShownSize | undefined, pageWidth: number): number {
  const { maxWidth } = TIERS.standard;
  return size && Math.min(size.width * size.dpr, pageWidth) > maxWidth ? HIGH : STANDARD;
}

function steppedDown(link: Link, from: number, { at, quickestMs }: Look): Link {
  const failed = at - link.triedAt < Math.max(PROVED_AFTER_MS, 2 * link.waitMs);
  return {
    ...link,
    carries: from - 1,
    slowSince: undefined,
    lateAt: at,
    waitMs: failed ? longer(link.waitMs) : UP_AFTER.firstMs,
    trial: { since: at, beforeMs: quickestMs, quickestMs: Number.POSITIVE_INFINITY },
  };
}

function steppedUp(link: Link, now: number): Link {
  return { ...link, carries: link.carries + 1, slowSince: undefined, lateAt: now, triedAt: now, trial: undefined };
}

/** Takes a step down back if smaller pictures arrive no sooner: the viewer is far away, its link is not narrow. */
function afterTrial(link: Link, look: Look): Link {
  const { trial } = link;
  if (!trial) return link;
  const quickestMs = Math.min(trial.quickestMs, look.quickestMs);
  if (quickestMs < HELPED_SHARE * trial.beforeMs) return { ...link, trial: undefined };
  if (look.at - trial.since < TRIAL_MS) return { ...link, trial: { ...trial, quickestMs } };
  const waitMs = longer(link.waitMs);
  return {
    ...steppedUp(link, look.at),
    waitMs,
    keptUntil: look.at + waitMs,
    farMs: Math.max(link.farMs, trial.beforeMs),
  };
}

function longer(waitMs: number): number {
  return Math.min(2 * waitMs, UP_AFTER.mostMs);
}
