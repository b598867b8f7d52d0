import { describe, expect, it } from 'vitest';
import { hashPassword, isPasswordOf } from './password-hash';

const COST = 4;

describe('hashes of passwords', () => {
  it('[T14] a hash has its own salt and cost, and holds for its password alone', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse', COST), hashPassword('correct horse', COST)]);

    expect(one).toMatch(/^scrypt\$4\$[\w-]{22}\$[\w-]{43}$/);
    expect(two).not.toBe(one);
    expect(await isPasswordOf(one, 'correct horse')).toBe(true);
    expect(await isPasswordOf(one, 'correct horsf')).toBe(false);
    expect(await isPasswordOf(await hashPassword('correct horse', 5), 'correct horse')).toBe(true);
  });

  it('[T15] one password typed on two systems is the same', async () => {
    expect(await isPasswordOf(await hashPassword('pa\u0308sswort', COST), 'p\u00e4sswort')).toBe(true);
  });

  it.each(['', 'x', 'scrypt$99$AAAA$' + 'A'.repeat(43), 'scrypt$0$AAAA$' + 'A'.repeat(43), 'scrypt$4$AAAA$A'])(
    '[T15] a stored text that is no hash of ours, %j, is the hash of nothing',
    async (stored) => {
      expect(await isPasswordOf(stored, 'x')).toBe(false);
    },
  );
});
