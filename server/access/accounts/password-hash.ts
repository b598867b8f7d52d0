import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/** The cost of a password's hash in the product, as a power of two: 64 MiB of memory and about 0.2 s (T15). */
export const PASSWORD_COST = 16;
/** A stored hash that asks for more is not computed. */
const MOST_COST = 20;
const BLOCK = 8;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/**
 * The stored form of a password: `scrypt$<cost>$<salt>$<hash>`, so that the cost may grow and old hashes still hold.
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, salt, cost);
  return ['scrypt', cost, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether a password is that of a stored hash; compares in constant time. */
export async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  const [, power, salt, text] = /^scrypt\$(\d{1,2})\$([\w-]{1,100})\$([\w-]{43})$/.exec(stored) ?? [];
  const cost = Number(power);
  if (salt === undefined || text === undefined || cost < 1 || cost > MOST_COST) return false;
  const hash = await derived(password, Buffer.from(salt, 'base64url'), cost);
  const known = Buffer.from(text, 'base64url');
  return known.length === hash.length && timingSafeEqual(known, hash);
}

/** NFKC, because keyboards of different systems write the same letter in different forms. */
function derived(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** cost, r: BLOCK, p: 1, maxmem: 2 ** cost * BLOCK * 128 + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
