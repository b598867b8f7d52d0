import { isIPv4, isIPv6 } from 'node:net';

/**
 * The part of an address that a limiter counts: the whole IPv4 address, or the first 64 bits of an IPv6 one (T15).
 * Mapped IPv4 counts as IPv4.
 */
export function addressKey(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return 'unknown';
  // URL normalizes IPv6 addresses and writes an embedded IPv4 tail as two hex groups.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const groups = expand(canonical);
  const mapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  return mapped ? ipv4Of(groups[6] ?? '0', groups[7] ?? '0') : `${groups.slice(0, 4).join(':')}::/64`;
}

function expand(canonical: string): string[] {
  const [left = '', right] = canonical.split('::');
  const head = left === '' ? [] : left.split(':');
  if (right === undefined) return head;
  const tail = right === '' ? [] : right.split(':');
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

function ipv4Of(high: string, low: string): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** Where somebody comes from, roughly, for people to read: the first three parts of the address. */
export function coarseAddress(address: string): string {
  const key = addressKey(address);
  if (isIPv4(key)) return `${key.split('.').slice(0, 3).join('.')}.x`;
  return key === 'unknown' ? '' : `${key.split(':').slice(0, 3).join(':')}::/48`;
}
