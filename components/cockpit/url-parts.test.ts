import { describe, expect, it } from 'vitest';
import { urlParts } from './url-parts';

describe('urlParts', () => {
  it('sets the host apart from everything that a page can choose', () => {
    expect(urlParts('https://shop.example/checkout?step=2#x')).toEqual({
      safety: 'secure',
      scheme: '',
      host: 'shop.example',
      rest: '/checkout?step=2#x',
    });
    expect(urlParts('https://bank.example@evil.example/')).toEqual({
      safety: 'secure',
      scheme: '',
      host: 'evil.example',
      rest: '',
    });
    expect(urlParts('https://аррӏе.com/').host).toMatch(/^xn--/);
  });

  it('warns of http beyond this machine only', () => {
    expect(urlParts('http://shop.example/')).toMatchObject({ safety: 'insecure', scheme: 'http://' });
    for (const host of ['localhost:7401', '127.0.0.1:9', '[::1]:80', 'a.localhost'])
      expect(urlParts(`http://${host}/x`).safety).toBe('local');
    expect(urlParts('http://127.0.0.1.evil.example/').safety).toBe('insecure');
  });

  it('shows the rest as it is', () => {
    expect(urlParts('about:blank')).toEqual({ safety: 'none', scheme: '', host: '', rest: 'about:blank' });
    expect(urlParts('')).toEqual({ safety: 'none', scheme: '', host: '', rest: '' });
  });
});
