import { chromium } from '@playwright/test';
import type { BenchFixture } from './bench-fixture';

export interface PlaywrightPage {
  evaluate(script: string): Promise<unknown>;
  /** Playwright's snapshot for agents, with refs. */
  snapshot(): Promise<string>;
}

/**
 * Playwright attaches to every tab that it can see, so it gets a process of the same Chrome of its own, which ends with
 * the group.
 */
export async function openPlaywright(fixture: BenchFixture, url: string): Promise<PlaywrightPage> {
  const browser = await chromium.launch({ executablePath: fixture.chromePath });
  fixture.onSweep(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(url);
  return {
    evaluate: (script) => page.evaluate(script),
    snapshot: () => page.ariaSnapshot({ mode: 'ai' }),
  };
}
