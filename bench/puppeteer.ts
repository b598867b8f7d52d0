import puppeteer, { TargetType, type Page } from 'puppeteer-core';
import type { BenchFixture } from './bench-fixture';

export interface Peer {
  readonly page: Page;
  close(): Promise<void>;
}

/** Puppeteer on the same Chrome, limited to a tab of its own: no other tab may have this address. */
export async function openPuppeteer(fixture: BenchFixture, url: string): Promise<Peer> {
  const tab = await fixture.plain.tab(url);
  const browser = await puppeteer.connect({
    browserWSEndpoint: fixture.wsUrl,
    defaultViewport: null,
    targetFilter: (target) => target.url() === url || target.type() === TargetType.BROWSER,
  });
  const page = await (await browser.waitForTarget((one) => one.url() === url)).page();
  if (!page) throw new Error('Puppeteer shows no page.');
  return {
    page,
    close: async () => {
      await browser.disconnect();
      await fixture.plain.closeTab(tab);
    },
  };
}
