import { z } from 'zod';

/**
 * A cookie with everything that makes it the same cookie in another Chrome. Source: Storage.getCookies,
 * Storage.setCookies.
 */
const savedCookieSchema = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  priority: z.enum(['Low', 'Medium', 'High']).optional(),
  sourceScheme: z.enum(['Unset', 'NonSecure', 'Secure']).optional(),
  sourcePort: z.int().optional(),
  partitionKey: z.object({ topLevelSite: z.string(), hasCrossSiteAncestor: z.boolean() }).optional(),
  /** Seconds since 1970; absent for a session cookie. */
  expires: z.number().optional(),
});
export type SavedCookie = z.infer<typeof savedCookieSchema>;

const savedOriginSchema = z.object({ origin: z.string(), entries: z.array(z.tuple([z.string(), z.string()])) });
/** Local storage of one origin. */
export type SavedOrigin = z.infer<typeof savedOriginSchema>;

const savedTabSchema = z.object({
  id: z.string().regex(/^t\d+$/u),
  label: z.string().optional(),
  url: z.string(),
  lastRef: z.int(),
  /** The number of its context, where that is not the ordinary one. */
  context: z.int().min(1).max(100).optional(),
});
/** What is needed to open a tab again. */
export type SavedTab = z.infer<typeof savedTabSchema>;

/** The part of a session that outlives its Chrome (BR5). Session storage, IndexedDB and page memory do not. */
export const savedStateSchema = z.object({
  cookies: z.array(savedCookieSchema),
  origins: z.array(savedOriginSchema),
  tabs: z.array(savedTabSchema),
  /** The state of each context beside the ordinary one, in order. */
  more: z.array(z.object({ cookies: z.array(savedCookieSchema), origins: z.array(savedOriginSchema) })).optional(),
});
export type SavedState = z.infer<typeof savedStateSchema>;

/** Limits of the saved state, characters and origins; the origins visited longest ago are dropped first. */
export const SAVED_LIMITS = { origins: 50, originChars: 2_000_000, chars: 8_000_000 } as const;

function sizeOf({ entries }: SavedOrigin): number {
  return entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}

/** The newest origins that fit into the limits, oldest first. */
export function within(origins: readonly SavedOrigin[]): SavedOrigin[] {
  const kept: SavedOrigin[] = [];
  let chars = 0;
  for (const origin of origins.toReversed()) {
    const size = sizeOf(origin);
    if (size > SAVED_LIMITS.originChars || chars + size > SAVED_LIMITS.chars || kept.length >= SAVED_LIMITS.origins)
      continue;
    chars += size;
    kept.unshift(origin);
  }
  return kept;
}
