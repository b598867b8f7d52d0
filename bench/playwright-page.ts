import { chromium } from '@playwright/test';

export interface PlaywrightPage {
  evaluate(script: string): Promise<unknown>;
  /** Playwright's snapshot for agents, with refs. */
  snapshot(): Promise<string>;
  close(): Promise<void>;
}

/** Playwright attaches to every tab that it can see, so it gets a process of the same Chrome of its own. */
export async function openPlaywright(executablePath: string, url: string): Promise<PlaywrightPage> {
  const browser = await chromium.launch({ executablePath });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(url);
  return {
    evaluate: (script) => page.evaluate(script),
    snapshot: () => page.ariaSnapshot({ mode: 'ai' }),
    close: () => browser.close(),
  };
}
