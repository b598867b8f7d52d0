import { defineConfig } from '@playwright/test';
import type { Each } from './e2e/support/product';
import { findChrome } from './scripts/setup/chrome.mjs';

/** The stories talk to loopback only; Chrome must not look for updates or sync either. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/**
 * The first three save renderers that show nothing, and a third of the processor time of a page: of each context for the
 * suggestions of an address bar (docs/chrome-facts.md, Identity), and one in reserve. Of several `--disable-features`
 * Chrome takes the last, so the others repeat Playwright's.
 */
const OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
  ...['AimEnabled', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying'],
  ...['OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
];

const asRoot = process.getuid?.() === 0;
const executablePath = process.env['WHEELHOUSE_TEST_CHROME'] ?? findChrome();
// The stories start servers, and each of those a Chrome of its own: they read the same variable.
if (executablePath !== undefined) process.env['WHEELHOUSE_TEST_CHROME'] = executablePath;

export default defineConfig<Each>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  workers: 1,
  // As vitest does: a second try, in a new worker with a new product. What needed it is listed as flaky.
  retries: process.env['CI'] === 'true' ? 1 : 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    combination: process.env['WHEELHOUSE_LOOK'] ?? '',
    video: 'off',
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      args: [...QUIET, `--disable-features=${OFF.join(',')}`, ...(asRoot ? ['--no-sandbox'] : [])],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  projects: [{ name: 'chromium' }],
});
