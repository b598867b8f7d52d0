import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskHeader, maskText, maskAddresses } from './mask';

describe("maskAddresses of a page's requests", () => {
  it.each([
    ['https://shop.test/cart?item=3', 'https://shop.test/cart?item=3'],
    ['https://shop.test/?token=abc&page=2', 'https://shop.test/?token=•••&page=2'],
    ['https://shop.test/cb#access_token=abc&state=x', 'https://shop.test/cb#access_token=•••&state=•••'],
    ['https://shop.test/?apiKey=a&API_KEY=b&monkey=c', 'https://shop.test/?apiKey=•••&API_KEY=•••&monkey=c'],
    ['https://lin:geheim@shop.test/', 'https://•••@shop.test/'],
    ['https://bucket.test/f?X-Amz-Signature=00ff', 'https://bucket.test/f?X-Amz-Signature=•••'],
  ])('[PS1] %s is kept as %s', (url, kept) => {
    expect(maskAddresses(url)).toBe(kept);
  });
});

describe('maskHeader', () => {
  it.each([
    ['Cookie', 'a=1; b=2', 'a=•••; b=•••'],
    ['set-cookie', 'sid=s3cret; Path=/; HttpOnly; SameSite=Lax\nt=1', 'sid=•••; Path=/; HttpOnly; SameSite=Lax\nt=•••'],
    ['cookie', 'bare', '•••'],
    ['Authorization', 'Bearer abc', '•••'],
    ['X-Api-Key', 'abc', '•••'],
    ['location', '/next?code=abc', '/next?code=•••'],
    ['accept', 'text/html', 'text/html'],
  ])('[PS1] %s: %j is kept as %j', (name, value, kept) => {
    expect(maskHeader(name, value)).toBe(kept);
  });

  it('[PS1] leaves no cookie value', () => {
    const value = fc
      .string({ unit: fc.constantFrom('a', 'b', '=', ' ', '"'), minLength: 1, maxLength: 8 })
      .map((text) => `canary${text}`);
    fc.assert(
      fc.property(
        value,
        fc.constantFrom('cookie', 'set-cookie'),
        (text, name) => !maskHeader(name, `sid=${text}; other=${text}`).includes('canary'),
      ),
    );
  });
});

it("[PS1] running text loses addresses' secrets and credentials", () => {
  expect(maskText('GET https://a.test/?token=abc failed, sent Authorization: Bearer abcdefgh12')).toBe(
    'GET https://a.test/?token=••• failed, sent Authorization: Bearer •••',
  );
});
