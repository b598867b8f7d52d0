import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findChrome } from './scripts/setup/chrome.mjs';

const root = fileURLToPath(new URL('./', import.meta.url));

export default defineConfig({
  resolve: { alias: { '@': root.replace(/[\\/]$/, '') } },
  test: {
    include: ['e2e/real/*.test.ts', '{app,bench,bin,components,e2e,lib,scripts,server}/**/*.test.{ts,tsx,mjs}'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // In `npm test` only: two workers and their Chromes on two cores miss a moment now and then. The report marks what needed it.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    env: { WHEELHOUSE_TEST_CHROME: process.env['WHEELHOUSE_TEST_CHROME'] ?? findChrome() ?? '' },
  },
});
