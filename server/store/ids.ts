import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijkmnpqrstuvwxyz';

/**
 * A random public id such as `s_7k2m…`: 14 letters, about 71 bits, safe in URLs and file names. Never used as a secret.
 */
export function newId(prefix: 'w' | 'p' | 'k' | 'l' | 'b' | 's' | 'a' | 'v' | 'i' | 'e' | 'sh' | 'g' | 'c'): string {
  let id = '';
  while (id.length < 14) {
    for (const byte of randomBytes(24)) {
      // 34 * 7 = 238: bytes above are dropped so that every letter is equally likely.
      if (byte < 238 && id.length < 14) id += ALPHABET.charAt(byte % 34);
    }
  }
  return `${prefix}_${id}`;
}
