import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, base64url: sign-in tokens, cookies and keys. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be one that `randomToken` made: nothing else is worth a look into the database. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** What is kept of a token: SHA-256 in hex. Enough for 256 random bits; passwords need scrypt instead (1.7). */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two hashes in constant time (T15). */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
