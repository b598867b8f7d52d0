import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, dataHeaders, pageHeaders } from './page-headers';

const page = { nonce: 'bm9uY2U=', development: false, secure: false };

/** The policy as directive -> sources. */
function directives(policy: string): Map<string, string[]> {
  return new Map(
    policy.split('; ').map((part) => {
      const [name = '', ...sources] = part.split(' ');
      return [name, sources];
    }),
  );
}

describe('headers of a page', () => {
  it('[AU6][T12] scripts run by nonce only, and everything not named is shut', () => {
    expect(Object.fromEntries(directives(contentSecurityPolicy(page)))).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'nonce-bm9uY2U='", "'strict-dynamic'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'blob:', 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'media-src': ["'self'", 'blob:'],
      'worker-src': ["'self'", 'blob:'],
      'manifest-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  });

  it('[AU6] development differs by unsafe-eval alone', () => {
    const [production, development] = [false, true].map((flag) =>
      contentSecurityPolicy({ ...page, development: flag }),
    );
    expect(development?.replace(" 'unsafe-eval'", '')).toBe(production);
    expect(development).not.toBe(production);
  });

  it('[T25] a page is neither framed nor opened into, and sends no address along', () => {
    expect(pageHeaders(page)).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Permissions-Policy': expect.stringContaining('camera=()'),
    });
  });

  it('[T1] only TLS asks for TLS from now on', () => {
    expect(pageHeaders(page)).not.toHaveProperty('Strict-Transport-Security');
    expect(pageHeaders({ ...page, secure: true })).toHaveProperty('Strict-Transport-Security');
  });

  it('[T13] data cannot run scripts, is not sniffed and not cached', () => {
    expect(dataHeaders({ secure: false })).toMatchObject({
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
  });
});
