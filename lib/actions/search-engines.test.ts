import { describe, expect, it } from 'vitest';
import { readEngines, searchUrl } from './search-engines';

describe('search engines', () => {
  it.each([
    ['https://a.test/?q=%s', [['default', 'https://a.test/?q=%s']]],
    [
      'web=https://a.test/%s  wiki=http://b.test/?s=%s&x=1',
      [
        ['web', 'https://a.test/%s'],
        ['wiki', 'http://b.test/?s=%s&x=1'],
      ],
    ],
  ])('[AC1] reads %s', (text, engines) => {
    expect([...(readEngines(text) ?? [])]).toEqual(engines);
  });

  it.each(['', 'a.test/%s', 'https://a.test/', 'javascript:%s', 'https://a.test/%s wiki=no'])(
    '[OP1] refuses %j',
    (text) => {
      expect(readEngines(text)).toBeUndefined();
    },
  );

  it('[AC1] puts the words in, escaped', () => {
    const engines = new Map([
      ['a', 'https://a.test/?q=%s'],
      ['b', 'https://b.test/%s'],
    ]);
    expect([searchUrl(engines, 'C++ & 中文 $&', undefined), searchUrl(engines, 'x', 'b')]).toEqual([
      'https://a.test/?q=C%2B%2B%20%26%20%E4%B8%AD%E6%96%87%20%24%26',
      'https://b.test/x',
    ]);
  });

  it('[AC8] the error says how to switch search on, or lists the engines', () => {
    expect(() => searchUrl(new Map(), 'x', undefined)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED', hint: expect.stringContaining('SEARCH_URL') }),
    );
    expect(() => searchUrl(new Map([['web', 'https://a.test/%s']]), 'x', 'wiki')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED', details: { engines: ['web'] } }),
    );
  });
});
