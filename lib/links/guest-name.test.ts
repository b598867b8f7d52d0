import { describe, expect, it } from 'vitest';
import { guestName, guestNameSchema, isGuestId } from './guest-name';

const picks = (name: string): string | undefined => guestNameSchema.safeParse(name).data;

describe('the name of a guest', () => {
  it('[AU4] is clean, short, and always says that it is a guest', () => {
    expect(guestName(picks(' Mia\u202e\n ') ?? '')).toBe('Guest: Mia');
    expect([picks(''), picks('\u200b'), picks('x'.repeat(41))]).toEqual([undefined, undefined, undefined]);
  });

  it.each(['Owner', 'OWNER', 'the owner', 'Оwner', '0wner', 'O w n e r', 'Wheelhouse', 'VVheelhouse'])(
    '[AU4] is not %s',
    (name) => {
      expect(picks(name)).toBeUndefined();
    },
  );

  it('[AU4] tells a guest by the id, not by the name', () => {
    expect(['g_1', 'p_g_1', 'k_1/g_1', 'system'].map(isGuestId)).toEqual([true, false, false, false]);
  });
});
