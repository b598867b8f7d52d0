import { z } from 'zod';
import type { Grant } from '@/lib/rights/grants';

/** What a share link can give (AU4); `watch` is always part of it. */
const LINK_GRANTS = ['watch', 'drive', 'files', 'clipboard'] as const;
export const linkGrantSchema = z.enum(LINK_GRANTS);
export type LinkGrant = z.infer<typeof linkGrantSchema>;

const MINUTE_S = 60;
/** Seconds. */
export const LINK_LIFE = { normal: 60 * MINUTE_S, least: MINUTE_S, most: 7 * 86_400 } as const;
/** Most viewers that a link may be limited to. */
const MOST_VIEWERS = 100;

/** What the maker of a link asks for. `expiresIn`: seconds until its connections end. */
export const linkTermsFields = {
  grants: z.array(linkGrantSchema).max(LINK_GRANTS.length),
  expiresIn: z.int().min(LINK_LIFE.least).max(LINK_LIFE.most),
  maxViewers: z.int().min(1).max(MOST_VIEWERS),
  password: z.string().min(4).max(128),
} as const;

/**
 * The grants of a link in their fixed order. Undefined where they make no sense together: only the holder of the wheel
 * copies and pastes, so `clipboard` needs `drive`.
 */
export function linkGrants(wanted: readonly LinkGrant[]): readonly LinkGrant[] | undefined {
  const all = new Set<LinkGrant>(['watch', ...wanted]);
  if (all.has('clipboard') && !all.has('drive')) return undefined;
  return LINK_GRANTS.filter((grant) => all.has(grant));
}

/** A grant that a link would give and its maker lacks. */
export function linkGrantBeyond(grants: readonly LinkGrant[], maker: ReadonlySet<Grant>): LinkGrant | undefined {
  return grants.find((grant) => !maker.has(grant));
}

/**
 * The end of a link that begins now. A key's link does not outlive the key, nor the key that changed it last. Wall
 * clock, milliseconds.
 */
export function linkEndsAt(
  now: number,
  seconds: number = LINK_LIFE.normal,
  ...keysEndAt: readonly (number | undefined)[]
): number {
  return Math.min(now + seconds * 1_000, ...keysEndAt.map((end) => end ?? Number.POSITIVE_INFINITY));
}

/** Why a link opens no more; what its guests are told. */
export const linkEndSchema = z.enum(['revoked', 'expired', 'session', 'maker']);
export type LinkEnd = z.infer<typeof linkEndSchema>;

/** Why a guest is not let in; `details.reason` of the refusal. */
export const linkRefusalSchema = z.enum([...linkEndSchema.options, 'unknown', 'passcode', 'changed', 'full']);
export type LinkRefusal = z.infer<typeof linkRefusalSchema>;

/** What a link gives its guest at this moment; `tab` null: the whole session. */
export const linkOfferSchema = z.object({
  id: z.string(),
  session: z.string(),
  tab: z.string().nullable(),
  grants: z.array(z.string()),
  expiresAt: z.string(),
  /** The name of the person who shares it, or whose key does. */
  by: z.string(),
});
export type LinkOffer = z.infer<typeof linkOfferSchema>;
