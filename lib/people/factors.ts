import { z } from 'zod';

/** What a person proved when they signed in. */
export const factorSchema = z.enum(['link', 'invitation', 'password', 'password+code', 'passkey', 'oidc']);
export type Factor = z.infer<typeof factorSchema>;

/** What a sign-in proved that a workspace accepts as a second factor. */
export const secondFactorSchema = z.enum(['code', 'passkey', 'oidc']);
export type SecondFactorKind = z.infer<typeof secondFactorSchema>;

/** A passkey verifies its user, and the provider is asked for its own second factor: both count without a password. */
export function secondFactorOf(factor: Factor): SecondFactorKind | undefined {
  if (factor === 'password+code') return 'code';
  return factor === 'passkey' || factor === 'oidc' ? factor : undefined;
}
