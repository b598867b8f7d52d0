import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tree } from '../testing/tree.mjs';
import { buildState, clearStamp, sourceHash, writeStamp } from './build-state.mjs';

const SOURCES = {
  'server/main.ts': 'main',
  'lib/a/a.ts': 'a',
  'lib/a/a.test.ts': 'test',
  'package-lock.json': '{}',
  'next.config.mjs': 'config',
  'vitest.config.ts': 'tests',
};

function built() {
  const root = tree({ ...SOURCES, '.next/BUILD_ID': 'one', 'dist/server.mjs': 'bundle' });
  writeStamp(root, sourceHash(root));
  return root;
}

/** @returns the state after one file of a whole build was written anew */
function afterWriting(path, content) {
  const root = built();
  writeFileSync(join(root, path), content);
  return buildState(root);
}

describe('[OP1] the build', () => {
  it('is missing in a fresh clone', () => {
    expect(buildState(tree(SOURCES))).toBe('missing');
  });

  it('is fresh once its stamp is written', () => {
    expect(buildState(built())).toBe('fresh');
  });

  it.each(['server/main.ts', 'lib/a/a.ts', 'lib/a/new.ts', 'package-lock.json', 'next.config.mjs', 'proxy.ts'])(
    'is stale when %s changes',
    (path) => {
      expect(afterWriting(path, 'changed')).toBe('stale');
    },
  );

  it.each(['lib/a/a.test.ts', 'lib/a/b.test.ts', 'vitest.config.ts', 'next-env.d.ts'])(
    'stays fresh when %s changes',
    (path) => {
      expect(afterWriting(path, 'changed')).toBe('fresh');
    },
  );

  it.each(['.next/BUILD_ID', 'dist/server.mjs', 'dist/build.json', '.next', 'dist'])('is broken without %s', (path) => {
    const root = built();
    rmSync(join(root, path), { recursive: true });
    expect(buildState(root)).toBe('broken');
  });

  it('is broken when .next was built by something else', () => {
    expect(afterWriting('.next/BUILD_ID', 'two')).toBe('broken');
  });

  it('is broken when its stamp is half a file', () => {
    expect(afterWriting('dist/build.json', '{"hash"')).toBe('broken');
  });

  it('is broken from its beginning until its end', () => {
    const root = built();
    clearStamp(root);
    expect(buildState(root)).toBe('broken');
  });

  it('is stale when a source changed while it was being built', () => {
    const root = built();
    const hash = sourceHash(root);
    writeFileSync(join(root, 'lib/a/a.ts'), 'changed meanwhile');
    writeStamp(root, hash);
    expect(buildState(root)).toBe('stale');
  });
});
