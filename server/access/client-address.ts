import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * The address that a request comes from, for limits and records (T15, T26). Each of the operator's own proxies (`hops`)
 * adds the address of its client at the end of X-Forwarded-For; entries before those can be forged and are not read.
 * Every other forwarding header is ignored. Without proxies, or when the entry is no address, it is the address of the
 * connection itself.
 */
export function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, hops: number): string {
  const connected = request.socket.remoteAddress ?? '';
  if (hops === 0) return connected;
  const entries = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  return plainAddress(entries.at(-hops) ?? entries[0] ?? '') ?? connected;
}

/** Some proxies write the port, too: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function plainAddress(entry: string): string | undefined {
  const text = entry.trim();
  if (isIP(text) !== 0) return text;
  const address = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? '';
  return isIP(address) === 0 ? undefined : address;
}
