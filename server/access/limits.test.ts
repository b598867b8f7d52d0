import { describe, expect, it } from 'vitest';
import { addressKey } from './address-key';
import { NORMAL_LIMITS } from '@/server/config/limits';
import { CAPS, countCall, createLimits, RateLimit } from './limits';
import type { Principal } from './principal';
import { Slots } from './slots';

/** How many of `tries` calls at one moment get through. */
async function passed(limit: RateLimit, tries: number): Promise<number> {
  const waits = await Promise.all(Array.from({ length: tries }, () => limit.take('127.0.0.1')));
  return waits.filter((wait) => wait === 0).length;
}

describe('caps', () => {
  const capped = [
    ['handshakesPerAddress', 30],
    ['handshakesPerCredential', 30],
    ['signInPerAddress', 30],
    ['wrongKeysPerAddress', 30],
    ['events', 60],
    ['pointerMoves', 60],
    ['commandsPerLease', 20],
    ['snapshotsPerViewer', 12],
    ['popups', 5],
  ] as const;

  it.each(capped)('[AU6] %s lets %i through at once and refuses the next', async (name, cap) => {
    expect(await passed(createLimits()[name], cap + 1)).toBe(cap);
  });

  it('[AU4][BR7] calls of the guests of one link count together, however many browsers open it', async () => {
    const limits = createLimits({ ...NORMAL_LIMITS, requests: 10 });
    const call = (guest: number, link: string) =>
      countCall(limits, { id: `g_${guest}`, credential: { kind: 'link', id: `g_${guest}` }, link: { id: link } });
    const results = await Promise.allSettled(Array.from({ length: 31 }, (_, guest) => call(guest, 'sh_1')));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    await expect(call(31, 'sh_2')).resolves.toBeUndefined();
  });

  it('[AU6] a refusal gives the time to wait', async () => {
    const limit = new RateLimit('tries', { rate: [1, 60] });
    await limit.demand('a');
    await expect(limit.demand('a')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^Too many tries\. Try again in \d+ s\.$/),
      details: { retryInMs: expect.any(Number) },
    });
    await limit.demand('b');
  });

  it.each([
    [CAPS.evaluatesPerTab, createLimits().evaluatesPerTab],
    [CAPS.evaluatesPerSession, createLimits().evaluatesPerSession],
  ])('[AU6] at most %i open at once', (cap, slots) => {
    const taken = Array.from({ length: cap + 1 }, () => slots.take('p_1'));
    expect(taken.filter((give) => give !== undefined)).toHaveLength(cap);
    expect(slots.take('p_2')).toBeDefined();
  });

  it.each([
    ['sockets-name', (n: number) => ['k_1/ann', 'k_1', n] as const],
    ['sockets', (n: number) => [`k_1/${n}`, 'k_1', n] as const],
    ['sockets-server', (n: number) => [`k_${n}/ann`, `k_${n}`, n] as const],
  ] as const)('[BR7] %s: as many connections as the cap, the next is refused with numbers and cure', (setting, who) => {
    const caps = { ...NORMAL_LIMITS, 'sockets-name': 8, sockets: 64, 'sockets-server': 400 };
    const { sockets } = createLimits(caps);
    const asking = (n: number): Pick<Principal, 'id' | 'credential'> => ({
      id: who(n)[0],
      credential: { kind: 'key', id: who(n)[1] },
    });
    const gives = Array.from({ length: caps[setting] }, (_, n) => sockets.take(asking(n)));
    expect(() => sockets.take(asking(caps[setting]))).toThrow(
      expect.objectContaining({
        code: 'QUOTA',
        message: expect.stringContaining(`${caps[setting]} of ${caps[setting]}`),
        hint: expect.stringContaining(`LIMITS=${setting}=${caps[setting] * 2}`),
        details: { used: caps[setting], limit: caps[setting], setting },
      }),
    );
    gives[0]?.();
    sockets.take(asking(0));
  });

  it('[AU6] a place given back twice is free once', () => {
    const slots = new Slots(1);
    const give = slots.take('a');
    give?.();
    slots.take('a');
    give?.();
    expect(slots.inUse('a')).toBe(1);
    expect(slots.take('a')).toBeUndefined();
  });
});

describe('the client that an address counts as', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:7f00:1', '127.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
  ])('[T15] %s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
