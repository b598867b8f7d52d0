import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SPELLINGS } from '@/server/testing/spellings';
import {
  canonical,
  endpointKey,
  isAddress,
  isLocalName,
  ruleAgainst,
  ruleAgainstName,
  type PrivateRanges,
  type AlwaysDenied,
} from './address';
import { targetOfTunnel, targetOfUrl } from './target';

const OPEN: PrivateRanges = { privateRanges: 'allowed' };
const SHUT: PrivateRanges = { privateRanges: 'denied' };
const FLOOR: AlwaysDenied = {
  ownPorts: new Set([7400]),
  debugPorts: new Set([9222]),
  debugEndpoints: new Set([endpointKey('10.9.8.7', 9333)]),
  ownAddresses: new Set([canonical('192.168.7.7'), canonical('2a01:db9::7')]),
};

/** As the proxy would: the WHATWG parser spells the host, local names are loopback. */
function addressesOf(spelling: string): readonly string[] {
  const host = targetOfUrl(`http://${spelling}:9222/`)?.host ?? '';
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isLocalName(host)) return ['127.0.0.1', '::1'];
  return isAddress(bare) ? [bare] : [];
}

const HERE = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::ffff:0:127.0.0.1',
  'fe80::5efe:127.0.0.1',
  '192.168.7.7',
  '::ffff:192.168.7.7',
  '2a01:db9::7',
];
const METADATA = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:254',
  '::5efe:169.254.169.254',
];
const PRIVATE = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.1.1',
  'fe80::1',
  'fc00::1',
  'fec0::1',
  '::5efe:127.0.0.1',
  '2001:db9::200:5efe:10.0.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '240.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001:0:1::',
  '127.0.0.1',
  '::1',
  '0.0.0.0',
];

describe('where a page may go', () => {
  it.each(HERE)(
    '[GU1] %s is this machine: its debugging ports and our own are closed under every policy, its other ports are not',
    (address) => {
      expect([
        ruleAgainst(address, 9222, FLOOR, OPEN),
        ruleAgainst(address, 7400, FLOOR, OPEN),
        ruleAgainst(address, 3000, FLOOR, OPEN),
      ]).toEqual(['debug-port', 'own-port', undefined]);
    },
  );

  it.each(METADATA)('[GU1] %s hands out credentials: closed on every port under every policy', (address) => {
    expect([ruleAgainst(address, 80, FLOOR, OPEN), ruleAgainst(address, 1, FLOOR, SHUT)]).toEqual([
      'metadata',
      'metadata',
    ]);
  });

  it.each(PRIVATE)('[GU1 T2] %s is closed where private ranges are', (address) => {
    expect([ruleAgainst(address, 80, FLOOR, SHUT), ruleAgainst(address, 80, FLOOR, OPEN)]).toEqual([
      'private',
      undefined,
    ]);
  });

  it('[GU1] a debugging port of another machine is closed there only', () => {
    expect([
      ruleAgainst('10.9.8.7', 9333, FLOOR, OPEN),
      ruleAgainst('::ffff:10.9.8.7', 9333, FLOOR, OPEN),
      ruleAgainst('10.9.8.8', 9333, FLOOR, OPEN),
      ruleAgainst('93.184.216.34', 9222, FLOOR, SHUT),
    ]).toEqual(['debug-port', 'debug-port', undefined, undefined]);
  });

  it.each(SPELLINGS)('[T2] http://%s:9222 is this machine, however it is spelled', (spelling) => {
    const lan = { ...FLOOR, ownAddresses: new Set([...FLOOR.ownAddresses, ...addressesOf(spelling).map(canonical)]) };
    const rules = addressesOf(spelling).map((address) => ruleAgainst(address, 9222, lan, OPEN));
    expect(rules.length > 0 && rules.every((rule) => rule === 'debug-port')).toBe(true);
  });

  it.each([
    ['metadata.google.internal', 'metadata', 'metadata'],
    ['METADATA.google.internal.', 'metadata', 'metadata'],
    ['printer.local', undefined, 'private'],
    ['localhost.', undefined, 'private'],
    ['a.LOCALHOST', undefined, 'private'],
    ['vault.internal', undefined, 'private'],
    ['example.com', undefined, undefined],
    ['notlocalhost', undefined, undefined],
  ])('[GU1] the name %s', (name, open, shut) => {
    expect([ruleAgainstName(name, OPEN), ruleAgainstName(name, SHUT)]).toEqual([open, shut]);
  });

  it('[GU1] every IPv4 address of loopback in every IPv6 form is this machine', () => {
    fc.assert(
      fc.property(
        fc.nat(255),
        fc.nat(255),
        fc.nat(255),
        fc.constantFrom('::ffff:', '::ffff:0:', '64:ff9b::', '::', 'fe80::5efe:'),
        (b, c, d, prefix) => {
          expect(ruleAgainst(`${prefix}127.${b}.${c}.${d}`, 9222, FLOOR, OPEN)).toBe('debug-port');
        },
      ),
    );
  });

  it('[GU1] CONNECT accepts only a host with a port', () => {
    expect(['a.test:443', '[::1]:80', '0x7f.1:9222'].map((text) => targetOfTunnel(text)?.authority)).toEqual([
      'a.test:443',
      '[::1]',
      '127.0.0.1:9222',
    ]);
    expect(
      ['a.test', 'a.test:0', 'u@a.test:1', 'a.test:1/x', 'a.test:99999', '', undefined, 'http://a.test:1'].map(
        targetOfTunnel,
      ),
    ).toEqual(Array(8).fill(undefined));
    expect(['/x', 'https://a.test/', 'ftp://a.test/', 'file:///etc/passwd', '*', undefined].map(targetOfUrl)).toEqual(
      Array(6).fill(undefined),
    );
  });
});
