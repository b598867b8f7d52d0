import { describe, expect, it } from 'vitest';
import { hostOf, placeOf, readAddress } from './address';

describe('readAddress', () => {
  it.each([
    ['shop.example', 'https://shop.example/'],
    ['  shop.example/a?b=1 ', 'https://shop.example/a?b=1'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1:7400/x', 'http://127.0.0.1:7400/x'],
    ['[::1]:8080', 'http://[::1]:8080/'],
    ['shop.example:8443/x', 'https://shop.example:8443/x'],
    ['HTTP://Shop.Example', 'http://shop.example/'],
    ['about:blank', 'about:blank'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
  ])('completes %s', (typed, url) => {
    expect(readAddress(typed)).toEqual({ ok: true, url });
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'chrome://settings',
    'view-source:https://x.example',
    'about:config',
  ])('[GU1] refuses %s', (typed) => {
    expect(readAddress(typed)).toEqual({ ok: false, why: 'scheme' });
  });

  it.each(['', '   ', 'two words', 'https://', 'http://[::1'])('does not read "%s"', (typed) => {
    expect(readAddress(typed)).toEqual({ ok: false, why: 'unreadable' });
  });
});

describe('hostOf', () => {
  it('shows the host with its port and without www', () => {
    expect(hostOf('https://www.shop.example:8443/a')).toBe('shop.example:8443');
  });

  it('is empty for pages without one', () => {
    expect([hostOf('about:blank'), hostOf(''), hostOf('nonsense'), hostOf('chrome-error://chromewebdata/')]).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });
});

describe('placeOf', () => {
  it('shows host and path', () => {
    expect(placeOf('https://www.shop.example/cart?x=1#top')).toBe('shop.example/cart');
    expect(placeOf('http://127.0.0.1:7400/')).toBe('127.0.0.1:7400');
    expect(placeOf('chrome-error://chromewebdata/')).toBe('chrome-error://chromewebdata/');
  });

  it('has nothing to show of an empty page', () => {
    expect([placeOf('about:blank'), placeOf('')]).toEqual([undefined, undefined]);
  });
});
