import { describe, expect, it } from 'vitest';
import { placesOf } from './addresses';
import { Redactor } from './redactor';

describe('secrets in addresses', () => {
  const redactor = new Redactor(['snapshot', '271828', 'hunter2zebra', '127.0.0.1']);

  it.each([
    ['https://snapshot.test:271828/a?b#c', 'a plain word or number in the host'],
    ['https://a.test/my-snapshots/snapshot.html', 'a plain word in a part of a path segment'],
    ['https://a.test/?snapshot=1&x=2#snapshot=3', 'a plain word that names a parameter'],
    ['http://127.0.0.1:8080/in', 'a host of numbers'],
    ['about:blank', 'what is no web address'],
  ])('[SN6] %s stays: %s', (url) => {
    expect(redactor.address(url)).toBe(url);
    expect(redactor.sentence(`The page is ${url} now.`)).toBe(`The page is ${url} now.`);
  });

  it.each([
    ['https://a.test/in/snapshot', 'https://a.test/in/•••'],
    ['https://a.test/snapshot/x', 'https://a.test/•••/x'],
    ['https://a.test/?q=snapshot', 'https://a.test/?q=•••'],
    ['https://a.test/?a=1&q=my+snapshot#top', 'https://a.test/?a=1&q=my+•••#top'],
    ['https://a.test/#snapshot', 'https://a.test/#•••'],
    ['https://a.test/%73napshot', 'https://a.test/•••'],
    ['https://snapshot:271828@a.test/', 'https://•••:•••@a.test/'],
    ['https://hunter2zebra.a.test/x-hunter2zebra-y', 'https://•••.a.test/x-•••-y'],
    ['https://a.test/?hunter2zebra=1', 'https://a.test/?•••=1'],
    ['https://a.test/x-c25hcHNob3Q=', 'https://a.test/x-•••Q='],
  ])('[T14] %s leaves as %s', (url, shown) => {
    expect(redactor.address(url)).toBe(shown);
    expect(redactor.sentence(`It is ${url}.`)).toBe(`It is ${shown}.`);
  });

  it('[SN6] parts that an address had before the secret was typed stay in it', () => {
    const places = placesOf('snapshot', ['https://a.test/snapshot?q=snapshot', 'https://b.test/other']);
    const seen = new Redactor(['snapshot'], new Set(places));
    expect(places).toEqual(['snapshot']);
    expect(seen.address('https://a.test/snapshot?q=snapshot')).toBe('https://a.test/snapshot?q=•••');
    const hosts = placesOf('acme-corp', ['https://acme-corp.test/']);
    expect(new Redactor(['acme-corp'], new Set(hosts)).address('https://acme-corp.test/acme-corp')).toBe(
      'https://acme-corp.test/•••',
    );
  });
});
