import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { egressPolicySchema } from './policy';
import { readSites, withCure } from './site-list';

describe('a list of sites as people write it', () => {
  it('[GU1] takes one a line, several on one, comments, blank lines, and each site once', () => {
    const text = ' example.com\r\n\n*.Example.org, 10.0.0.7:8080;[::1]:3000 # the printer\n# none\nexample.com\u200b\n';
    expect(readSites(text)).toEqual({
      sites: ['example.com', '*.example.org', '10.0.0.7:8080', '[::1]:3000'],
      bad: [],
    });
  });

  it.each([
    ['https://Example.com/a?b', 'address', 'example.com'],
    ['https://example.com:8443/', 'address', 'example.com:8443'],
    ['example.com/path', 'address', 'example.com'],
    ['user@example.com', 'address', 'example.com'],
    ['file:///etc/passwd', 'address', undefined],
    ['*', 'star', undefined],
    ['*example.com', 'star', '*.example.com'],
    ['www.*.example.com', 'star', '*.example.com'],
    ['*.*.example.com', 'star', '*.example.com'],
    ['example.com:', 'port', 'example.com'],
    ['example.com:http', 'port', 'example.com'],
    ['example.com:99999999', 'port', 'example.com'],
    ['example.com:70000', 'port', 'example.com'],
    ['about:blank', 'unreadable', undefined],
    ['a'.repeat(10_000), 'long', undefined],
    ['[::1', 'unreadable', undefined],
    ['<b>', 'unreadable', undefined],
  ])('[GU1] names the line of %j, what is wrong with it (%s), and the site that was meant: %s', (entry, why, cure) => {
    const list = readSites(`good.example\n\n${entry}`);
    expect(list.sites).toEqual(['good.example']);
    expect(list.bad).toMatchObject([{ line: 3, why, cure }]);
    expect(list.bad[0]?.text.length).toBeLessThan(120);
  });

  it('[GU1] puts the cure in place of the bad entry, and leaves the rest of the text', () => {
    const text = 'good.example # ours\nok.example, https://bad.example/$& # theirs';
    const [bad] = readSites(text).bad;
    expect(bad && withCure(text, bad)).toBe('good.example # ours\nok.example, bad.example # theirs');
  });

  it('[GU1] what it takes, the server takes', () => {
    const entry = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.string(),
      fc.webUrl(),
      fc.constantFrom('*.a.example', 'b:1', ':'),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), fc.constantFrom('\n', ', ', ' '), (entries, between) => {
        const { sites, bad } = readSites(entries.join(between));
        for (const { cure } of bad) if (cure !== undefined) expect(readSites(cure)).toEqual({ sites: [cure], bad: [] });
        if (sites.length > 0) expect(egressPolicySchema.safeParse({ kind: 'listed', sites }).success).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
