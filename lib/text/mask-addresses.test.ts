import { describe, expect, it } from 'vitest';
import { maskAddresses } from './mask';

describe('maskAddresses', () => {
  it.each([
    ['page: https://a.test/in?token=abc&next=/home', 'page: https://a.test/in?token=•••&next=/home'],
    ['https://a.test/?access_token=a.b.c#x', 'https://a.test/?access_token=•••#x'],
    ['https://a.test/#id_token=abc&lang=en', 'https://a.test/#id_token=•••&lang=en'],
    ['https://a.test/cb?code=4%2F0A&state=xyz&scope=mail', 'https://a.test/cb?code=•••&state=•••&scope=mail'],
    ['https://a.test/x;jsessionid=8F3?q=1', 'https://a.test/x;jsessionid=•••?q=1'],
    [
      'https://a.test/?PHPSESSID=1&apiKey=2&api-key=3&user%5Bpassword%5D=4',
      'https://a.test/?PHPSESSID=•••&apiKey=•••&api-key=•••&user%5Bpassword%5D=•••',
    ],
    [
      'https://a.test/?next=%2Fin%3Ftoken%3Dabc%26page%3D2&q=1',
      'https://a.test/?next=%2Fin%3Ftoken%3D•••%26page%3D2&q=1',
    ],
    ['https://ada:pass@a.test/?page=2', 'https://•••@a.test/?page=2'],
    ['https://ada:p@ss@a.test/@ada?to=@me', 'https://•••@a.test/@ada?to=@me'],
    ['https://only-a-token@a.test/', 'https://•••@a.test/'],
    ['https://a.test/?next=%2Fcb%23id_token%3Dabc', 'https://a.test/?next=%2Fcb%23id_token%3D•••'],
    ['open “https://a.test/?sig=1” in a new tab', 'open “https://a.test/?sig=•••” in a new tab'],
    ['http://a.test/?X-Amz-Signature=ff&X-Amz-Date=2026', 'http://a.test/?X-Amz-Signature=•••&X-Amz-Date=2026'],
  ])('[SN6] %s is shown as %s', (text, shown) => {
    expect(maskAddresses(text)).toBe(shown);
  });

  it.each([
    'https://a.test/?keyword=monstera&monkey=1&country_code=de&zipcode=1&tokenize',
    'https://a.test/token/key?page=2#top',
    'the key=value pair of a sentence',
    'a.test:8080/@user',
    'https://a.test/?%E4%A=1',
  ])('[SN6] leaves %s as it is', (text) => {
    expect(maskAddresses(text)).toBe(text);
  });
});
