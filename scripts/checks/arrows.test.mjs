import { describe, expect, it } from 'vitest';
import { tree } from '../testing/tree.mjs';
import { arrowProblems } from './arrows.mjs';

const PACKAGE = JSON.stringify({ devDependencies: { jsdom: '1', 'devtools-protocol': '1' } });
const problems = (files) => arrowProblems(tree({ 'package.json': PACKAGE, ...files }));

const ALLOWED = {
  'lib/a/a.ts': "import { z } from 'zod'; import type { B } from '@/lib/b/b'; export const a = z; export type A = B;",
  'lib/b/b.ts': 'export type B = 1;',
  'server/cdp/lane.ts':
    "import ws from 'ws'; import type { Protocol } from 'devtools-protocol'; import { a } from '@/lib/a/a'; import { log } from '../telemetry/log';",
  'server/telemetry/log.ts': "import 'node:fs';",
  'server/browser/find.ts': "import puppeteer from 'puppeteer-core'; export * from '@/server/cdp/lane';",
  'server/browser/find.test.ts':
    "import { serve } from '@/server/serve'; import jsdom from 'jsdom'; import { stage } from '@/server/testing/page-fixture';",
  'server/testing/page-fixture.ts': "import { serve } from '@/server/serve';",
  'server/serve.ts': "import { find } from '@/server/browser/find';",
  'server/features/list.ts': "import { stuck } from './stuck/stuck';",
  'server/features/stuck/stuck.ts': "import { look } from './look';",
  'server/main.ts': "import { serve } from './serve';",
  'components/wall.tsx':
    "import { useState } from 'react'; import { a } from '@/lib/a/a'; import './wall.css'; export const Wall = () => <p>{String(a)}</p>;",
  'app/page.tsx': "import { Wall } from '@/components/wall'; export default Wall;",
};

const REFUSED = [
  [
    'server/session/a.ts',
    "import { FEATURES } from '@/server/features/list';",
    'imports server/features/list: server/session may import only',
  ],
  [
    'server/features/stuck/a.ts',
    "import { ears } from '../ears/ears';",
    'imports server/features/ears/ears: features meet by hooks, events and slots of the session',
  ],
  ['lib/a.ts', "import { x } from '@/server/cdp/x';", 'imports server/cdp/x: lib may import only lib'],
  ['lib/a.ts', "import type { X } from '../components/x';", 'imports components/x: lib may import only lib'],
  ['lib/a.ts', "import { join } from 'node:path';", 'imports node:path: lib must run in a browser: no Node modules'],
  ['lib/a.ts', "import { clsx } from 'clsx';", 'imports clsx: lib may import only these packages: zod'],
  [
    'components/a.ts',
    "import type { Tab } from '@/server/browser/tab';",
    'imports server/browser/tab: components may import only components, lib',
  ],
  [
    'app/page.tsx',
    "export default import('@/server/serve');",
    'imports server/serve: app may import only app, lib, components',
  ],
  ['bin/agent.ts', "import { x } from '@/server/doors/x';", 'imports server/doors/x: bin may import only bin, lib'],
  [
    'server/cdp/a.ts',
    "import { tab } from '@/server/browser/tab';",
    'imports server/browser/tab: server/cdp may import only server/cdp, lib, server/config, server/telemetry',
  ],
  [
    'server/cdp/a.ts',
    "import puppeteer from 'puppeteer-core';",
    'imports puppeteer-core: puppeteer-core belongs to server/browser',
  ],
  ['server/session/a.ts', "export { Kysely } from 'kysely';", 'imports kysely: kysely belongs to server/store'],
  [
    'server/access/a.ts',
    "import { Server } from 'socket.io';",
    'imports socket.io: socket.io belongs to server/doors, server/main',
  ],
  ['server/browser/a.ts', "import { Launcher } from 'chrome-launcher/dist/x';", undefined],
  [
    'server/demo/a.ts',
    "import { Launcher } from 'chrome-launcher/dist/x';",
    'imports chrome-launcher/dist/x: chrome-launcher belongs to server/browser',
  ],
  [
    'server/store/a.ts',
    "import jsdom from 'jsdom';",
    'imports jsdom: jsdom is a development package: only its types may be imported',
  ],
  [
    'server/store/a.ts',
    "import { temp } from '@/server/testing/temp';",
    'imports server/testing/temp: product code does not import tests or their helpers',
  ],
  [
    'server/store/a.ts',
    "import { x } from '@/e2e/x';",
    'imports e2e/x: product code does not import tests or their helpers',
  ],
  [
    'server/cellar/a.ts',
    "import 'node:fs';",
    'imports node:fs: server/cellar is not in the table of scripts/checks/layers.mjs',
  ],
];

describe('import arrows', () => {
  it('lets through what the table allows, and tests of the server everything', () => {
    expect(problems(ALLOWED)).toEqual([]);
  });

  it.each(REFUSED)('%s with %s', (file, source, problem) => {
    expect(problems({ [file]: source })).toEqual(
      problem === undefined ? [] : [expect.stringContaining(`${file}:1 ${problem}`)],
    );
  });

  it('names the line', () => {
    expect(problems({ 'lib/a.ts': "\n// a comment: import 'ws'\nimport 'ws';" })).toEqual([
      'lib/a.ts:3 imports ws: lib may import only these packages: zod',
    ]);
  });

  it('finds a cycle, also one of types only and through an index', () => {
    const cycle = {
      'lib/a/index.ts': "import type { B } from '@/lib/b';",
      'lib/b.ts': "export * from './c';",
      'lib/c.ts': "import { a } from '@/lib/a';",
    };
    expect(problems(cycle)).toEqual(['cycle: lib/a/index.ts -> lib/b.ts -> lib/c.ts -> lib/a/index.ts']);
  });
});
