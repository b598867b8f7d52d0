import { spawnSync } from 'node:child_process';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { parseAction } from '@/lib/actions/parse';
import { attachSnippet, curlSnippet, nodeSnippet, startSnippet } from './snippets';

const facts = { origin: 'http://127.0.0.1:7400', key: 'wh_secret' };

describe('snippets', () => {
  it.each([
    ['curl', curlSnippet(facts)],
    ['start', startSnippet(facts)],
    ['attach', attachSnippet(facts, 'http://127.0.0.1:9222')],
  ])('[ui: wall] %s is a shell script that holds the address and the key', (_, code) => {
    expect(spawnSync('sh', ['-n'], { input: code }).status).toBe(0);
    expect(code).toContain('http://127.0.0.1:7400');
    expect(code).toContain('wh_secret');
  });

  it('[ui: wall] Node is a module that holds the address and the key', () => {
    const code = nodeSnippet(facts);
    expect(transformSync(code, { loader: 'js', format: 'esm', target: 'node20' }).warnings).toEqual([]);
    expect(code).toContain("'http://127.0.0.1:7400/api/v1'");
    expect(code).toContain("'Bearer wh_secret'");
  });

  it('[AC1] what they send is in the action vocabulary', () => {
    const sent = [...curlSnippet(facts).matchAll(/-d '(\{"kind".*?\})'/gu)].map(
      ([, json = '']) => parseAction(JSON.parse(json)).kind,
    );
    expect(sent).toEqual(['click']);
  });
});
