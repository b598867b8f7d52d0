import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LINK_LIFE, linkEndsAt, linkGrantBeyond, linkGrants, linkTermsFields } from './link-terms';

describe('what a link gives', () => {
  it('[AU4] is at least to watch, each grant once, in a fixed order', () => {
    expect(linkGrants([])).toEqual(['watch']);
    expect(linkGrants(['clipboard', 'files', 'drive', 'drive'])).toEqual(['watch', 'drive', 'files', 'clipboard']);
  });

  it('[T20] is the clipboard only with the wheel', () => {
    expect(linkGrants(['clipboard'])).toBeUndefined();
    expect(linkGrants(['watch', 'files', 'clipboard'])).toBeUndefined();
  });

  it('[AU4] is never more than its maker has', () => {
    expect(linkGrantBeyond(['watch', 'drive', 'files'], new Set(['watch', 'drive', 'share']))).toBe('files');
    expect(linkGrantBeyond(['watch', 'drive'], new Set(['watch', 'drive', 'share']))).toBeUndefined();
  });
});

describe('how long a link lasts', () => {
  it('[AU4] is an hour unless its maker says otherwise, and never past the end of the key that made it', () => {
    expect([linkEndsAt(0), linkEndsAt(0, 60), linkEndsAt(0, 60, 5_000)]).toEqual([3_600_000, 60_000, 5_000]);
  });

  it('[AU4] is a minute at least and seven days at most', () => {
    const fits = (expiresIn: number): boolean => linkTermsFields.expiresIn.safeParse(expiresIn).success;
    expect([59, LINK_LIFE.least, 7 * 86_400, 7 * 86_400 + 1, 60.5].map(fits)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('[AU4] the fields of a request have bounds', () => {
    const terms = z.strictObject(linkTermsFields).partial();
    const bad = [
      { grants: ['evaluate'] },
      { grants: ['share'] },
      { maxViewers: 0 },
      { maxViewers: 101 },
      { password: '123' },
    ];
    expect(bad.filter((one) => terms.safeParse(one).success)).toEqual([]);
    expect(terms.safeParse({ grants: [], maxViewers: 1, password: '1234' }).success).toBe(true);
  });
});
