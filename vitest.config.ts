import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { testKinds } from './scripts/runners/kinds.mjs';
import { LongestFirst } from './scripts/runners/sequencer.mjs';
import { findChrome } from './scripts/setup/chrome.mjs';

const root = fileURLToPath(new URL('./', import.meta.url));
const kinds = testKinds(root);
/** Files with a Chrome that run at once. They wait for a third of their time and more, so four fill two cores. */
const CHROME_WORKERS = Number(process.env['WHEELHOUSE_TEST_WORKERS'] ?? 4);
const TEMPORARY = './scripts/runners/temporary.mjs';

/**
 * One project, whose files share its workers.
 * @param options `groupOrder`: projects of one number run together
 */
function project(
  name: string,
  include: readonly string[],
  options: { groupOrder: number; maxWorkers: number; globalSetup?: string; setupFiles?: string },
) {
  const { groupOrder, ...rest } = options;
  return {
    extends: true as const,
    test: { name, include: [...include], sequence: { groupOrder }, isolate: false, ...rest },
  };
}

export default defineConfig({
  resolve: {
    alias: {
      '@': root.replace(/[\\/]$/, ''),
      // One file instead of one for each icon.
      'lucide-react': `${root}node_modules/lucide-react/dist/cjs/lucide-react.js`,
    },
  },
  test: {
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The default of a second is no promise of the product; on a busy machine it passes before a take is stored.
    expect: { poll: { timeout: 20_000 } },
    // In `npm test` only: workers and their Chromes on two cores miss a moment now and then. The ledger of second tries
    // names what needed it.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    env: { WHEELHOUSE_TEST_CHROME: process.env['WHEELHOUSE_TEST_CHROME'] ?? findChrome() ?? '' },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('quick', kinds.quick, { groupOrder: 0, maxWorkers: 2 }),
      project('dom', kinds.dom, { groupOrder: 0, maxWorkers: 2, setupFiles: 'components/testing/patience.ts' }),
      // Files that start a server or a Chrome: those that need nothing of their own share those of their worker.
      project('chrome', kinds.chrome, {
        groupOrder: 1,
        maxWorkers: CHROME_WORKERS,
        globalSetup: TEMPORARY,
      }),
    ],
  },
});
