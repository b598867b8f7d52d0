import { describe, expect, it } from 'vitest';
import { returnAddress } from './return-address';

describe('returnAddress', () => {
  it('[AU2] a sign-in leads back to the address that was asked for', () => {
    expect(returnAddress('/sessions/s_1?panel=people#top')).toBe('/sessions/s_1?panel=people#top');
    expect(returnAddress('/account?first')).toBe('/account?first');
  });

  it.each([
    ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example/', 'javascript:alert(1)'],
    ...['/\t/evil.example', '/\n/evil.example', '/./\\evil.example', '/..//evil.example', '/.//evil.example', ''],
    ...['evil.example', ' //evil.example', '/sign-in?to=/sign-in', '/api/v1/sign-in/oidc', null, undefined],
  ])('[AU2] a sign-in never leads to another site or into a circle: %j', (to) => {
    const address = returnAddress(to);
    expect(address).toBe('/');
    expect(new URL(address, 'http://ours.example').origin).toBe('http://ours.example');
  });
});
