import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { WheelhouseError } from '@/lib/errors/error';

/**
 * Addresses that the server itself never calls, whatever was configured: they hand out
 * credentials of the machine. Private and loopback addresses are the operator's choice.
 */
const METADATA = new BlockList();
METADATA.addSubnet('169.254.0.0', 16, 'ipv4');
METADATA.addAddress('100.100.100.200', 'ipv4');
METADATA.addAddress('168.63.129.16', 'ipv4');
METADATA.addAddress('192.0.0.192', 'ipv4');
METADATA.addAddress('fd00:ec2::254', 'ipv6');
METADATA.addSubnet('fe80::', 10, 'ipv6');

/** Throws NAV_BLOCKED for an address of `METADATA`, also one that is an IPv4 address in IPv6. */
export function checkAddress(address: string): void {
  if (!METADATA.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return;
  throw new WheelhouseError(
    'NAV_BLOCKED',
    `The address ${address} belongs to the machine's own metadata and is never called.`,
  );
}

/**
 * Resolves once and returns exactly the checked addresses, so that no second look-up can give another one (rebinding).
 */
export const checkedLookup: LookupFunction = (hostname, options, answer) => {
  systemLookup(hostname, { ...options, all: true }, (failure, addresses) => {
    const refused = failure ?? refusal(addresses.map(({ address }) => address));
    const [first] = addresses ?? [];
    if (refused || !first) answer(refused ?? new Error(`No address for ${hostname}.`), []);
    else if (options.all) answer(null, addresses);
    else answer(null, first.address, first.family);
  });
};

function refusal(addresses: readonly string[]): Error | undefined {
  try {
    for (const address of addresses) checkAddress(address);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
