import { describe, expect, it } from 'vitest';
import { tree } from '../testing/tree.mjs';
import { testKinds } from './kinds.mjs';

describe('what a test file needs', () => {
  it('is read from what it imports, over however many files; types alone need nothing', () => {
    const root = tree({
      'server/serve.ts': 'export interface Served {}',
      'server/testing/fixture.ts': "import '@/server/serve';",
      'server/doors/door.test.ts': "import '@/server/testing/fixture';",
      'server/doors/view.test.ts': "import type { Served } from '@/server/serve';",
      'lib/sum.test.ts': "import './sum';",
      'lib/sum.ts': '',
      // In parts: vitest finds this line anywhere in a file, and would run this test in jsdom.
      'components/button.test.tsx': ['// @vitest-environment', 'jsdom'].join(' '),
    });
    expect(testKinds(root)).toEqual({
      quick: ['lib/sum.test.ts', 'server/doors/view.test.ts'],
      dom: ['components/button.test.tsx'],
      chrome: ['server/doors/door.test.ts'],
    });
  });
});
