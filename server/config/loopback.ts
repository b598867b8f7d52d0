/**
 * Is this bind address or URL host name one that only this computer can reach? Takes `localhost`, 127/8 and `::1`, with
 * or without brackets.
 */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(bare);
}
