import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Why the proxy denies a page's request. `unlisted`: not among the sites of its workspace or session. `no-session`: it
 * came from no context of ours.
 */
export type DenialRule = 'own-port' | 'debug-port' | 'metadata' | 'private' | 'unlisted' | 'no-session';

/** Whether private addresses are open. */
export interface PrivateRanges {
  readonly privateRanges: 'allowed' | 'denied';
}

/** What every policy denies. */
export interface AlwaysDenied {
  /** This server's ports on this machine: HTTP and proxies. */
  readonly ownPorts: ReadonlySet<number>;
  /** Debugging ports on this machine. */
  readonly debugPorts: ReadonlySet<number>;
  /** Debugging ports on other machines, as written by `endpointKey`. */
  readonly debugEndpoints: ReadonlySet<string>;
  /** The addresses of this machine's interfaces, as written by `canonical`. */
  readonly ownAddresses: ReadonlySet<string>;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that serve the machine's credentials (AWS, ECS, EKS, GCP, Azure, Alibaba, Oracle). */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.169.253',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd00:ec2::253',
    'fd20:ce::254',
  ].map(canonical),
);
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.oraclecloud.com',
  'instance-data',
  'instance-data.ec2.internal',
]);
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal)$/;

/** The canonical spelling of an address; IPv4 in IPv6 becomes IPv4. Throws for text that is no address. */
export function canonical(address: string): string {
  return ipaddr.process(bare(address)).toNormalizedString();
}

export function isAddress(host: string): boolean {
  return isIP(bare(host)) !== 0;
}

export function endpointKey(address: string, port: number): string {
  return `${canonical(address)} ${port}`;
}

/** The host without brackets and trailing dot, in lower case. */
export function plainHost(host: string): string {
  return bare(host).replace(/\.$/, '').toLowerCase();
}

/** `localhost` and its subdomains are this machine, whatever a name service answers. */
export function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost$/.test(plainHost(host));
}

/** The rule that denies a name, checked before it is resolved. */
export function ruleAgainstName(host: string, policy: PrivateRanges): DenialRule | undefined {
  const name = plainHost(host);
  if (METADATA_NAMES.has(name)) return 'metadata';
  return policy.privateRanges === 'denied' && PRIVATE_NAME.test(name) ? 'private' : undefined;
}

/** The rule that denies an address and port; undefined: allowed. Pure, so that tests can list spellings (T2). */
export function ruleAgainst(
  address: string,
  port: number,
  floor: AlwaysDenied,
  policy: PrivateRanges,
): DenialRule | undefined {
  const faces = facesOf(ipaddr.process(bare(address)));
  if (faces.some((face) => METADATA_ADDRESSES.has(face.toNormalizedString()))) return 'metadata';
  const here = faces.some((face) => isThisMachine(face, floor));
  if (here && floor.debugPorts.has(port)) return 'debug-port';
  if (here && floor.ownPorts.has(port)) return 'own-port';
  if (faces.some((face) => floor.debugEndpoints.has(`${face.toNormalizedString()} ${port}`))) return 'debug-port';
  return policy.privateRanges === 'denied' && !faces.every(isPublic) ? 'private' : undefined;
}

/** Whether an address is loopback, unspecified (systems treat it as loopback), or an interface of this machine. */
export function isOwnAddress(address: string, ownAddresses: ReadonlySet<string>): boolean {
  return facesOf(ipaddr.process(bare(address))).some((face) => isThisMachine(face, { ownAddresses }));
}

function isThisMachine(face: Address, { ownAddresses }: Pick<AlwaysDenied, 'ownAddresses'>): boolean {
  const range = face.range();
  return range === 'loopback' || range === 'unspecified' || ownAddresses.has(face.toNormalizedString());
}

/** Removes brackets and the zone of link-local mDNS addresses. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
}

/**
 * ipaddr.js classes ISATAP and Azure's platform address as unicast; METADATA_ADDRESSES covers the
 * second.
 */
function isPublic(face: Address): boolean {
  return face.range() === 'unicast' && !(face instanceof ipaddr.IPv6 && isIsatap(face));
}

/** The address and every IPv4 address that a tunnel or translator would derive from it. */
function facesOf(address: Address): Address[] {
  return address instanceof ipaddr.IPv6 ? [address, ...embedded(address)] : [address];
}

function embedded(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const { parts } = address;
  const at = (index: number, flip = 0): ipaddr.IPv4 => {
    const [high = 0, low = 0] = [parts[index], parts[index + 1]].map((part = 0) => part ^ flip);
    return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
  };
  const range = address.range();
  if (range === '6to4') return [at(1)];
  if (range === 'teredo') return [at(2), at(6, 0xffff)];
  const inLast = range === 'rfc6052' || range === 'rfc6145' || isIsatap(address) || isCompatible(parts);
  return inLast ? [at(6)] : [];
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

/** IPv4-compatible `::a.b.c.d`, except `::` and `::1`. */
function isCompatible(parts: readonly number[]): boolean {
  return parts.slice(0, 6).every((part) => part === 0) && (parts[6] !== 0 || (parts[7] ?? 0) > 1);
}
