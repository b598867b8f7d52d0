import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits in base64url, for sign-in tokens, cookies and keys. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of `randomToken`; other text needs no database lookup. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The stored form of a token: SHA-256 in hex. Enough for 256 random bits; passwords need scrypt instead. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two hashes in constant time (T15). */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
