import { describe, expect, it } from 'vitest';
import { egressPolicySchema, isWithin, lists, type EgressPolicy } from './policy';

describe('the sites of a policy', () => {
  const listed = (...sites: string[]) => egressPolicySchema.parse({ kind: 'listed', sites });

  it.each([
    ['example.com', 'example.com', 443, true],
    ['Example.COM.', 'EXAMPLE.com.', 80, true],
    ['example.com', 'www.example.com', 443, false],
    ['example.com', 'evilexample.com', 443, false],
    ['*.example.com', 'a.b.example.com', 443, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'evilexample.com', 443, false],
    ['example.com:8443', 'example.com', 8443, true],
    ['example.com:8443', 'example.com', 443, false],
    ['127.1:3000', '127.0.0.1', 3000, true],
    ['[::1]:3000', '[::1]', 3000, true],
    ['bücher.example', 'xn--bcher-kva.example', 443, true],
  ] as const)('[GU1] %s lists %s at port %i: %s', (site, host, port, is) => {
    expect(lists(listed(site), host, port)).toBe(is);
  });

  it.each([
    '',
    '*',
    '*.',
    'https://example.com',
    'example.com/path',
    'a b',
    'user@example.com',
    '*.*.example.com',
    'x:99999999',
  ])('[GU1] %j is no site', (site) =>
    expect(egressPolicySchema.safeParse({ kind: 'listed', sites: [site] }).success).toBe(false),
  );

  const open: EgressPolicy = { kind: 'open' };
  const local: EgressPolicy = { kind: 'local' };
  it.each([
    [undefined, undefined, true],
    [open, undefined, true],
    [listed('a.test'), local, true],
    [undefined, local, true],
    [undefined, open, false],
    [local, open, false],
    [open, open, true],
    [listed('127.0.0.1'), open, false],
    [undefined, listed('a.test'), false],
    [local, listed('a.test'), false],
    [open, listed('a.test'), false],
    [listed('a.test'), listed('b.test', 'A.test'), true],
    [listed('a.test', 'c.test'), listed('a.test', 'b.test'), false],
    [listed('a.test:1'), listed('a.test'), true],
    [listed('a.test'), listed('a.test:1'), false],
    [listed('a.test:1'), listed('a.test:2'), false],
    [listed('x.a.test', '*.x.a.test', '*.a.test'), listed('*.a.test'), true],
    [listed('a.test'), listed('*.a.test'), false],
    [listed('*.a.test'), listed('a.test'), false],
    [listed('*.test'), listed('*.a.test'), false],
    [listed('evila.test'), listed('*.a.test'), false],
  ])('[GU1] %j is within %j: %s', (next, now, is) => expect(isWithin(next, now)).toBe(is));

  it('[GU1] a policy without a list lists every host', () => {
    expect(lists({ kind: 'open' }, 'example.com', 443) && lists({ kind: 'local' }, '127.0.0.1', 80)).toBe(true);
  });
});
