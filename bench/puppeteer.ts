import puppeteer, { TargetType, type Page } from 'puppeteer-core';
import type { BenchFixture } from './bench-fixture';

/**
 * A page of puppeteer on the same Chrome, limited to a tab of its own: no other tab may have this address. It is closed
 * with the group.
 */
export async function openPuppeteer(fixture: BenchFixture, url: string): Promise<Page> {
  await fixture.plain.tab(url);
  const browser = await puppeteer.connect({
    browserWSEndpoint: fixture.wsUrl,
    defaultViewport: null,
    targetFilter: (target) => target.url() === url || target.type() === TargetType.BROWSER,
  });
  fixture.onSweep(() => browser.disconnect());
  const page = await (await browser.waitForTarget((one) => one.url() === url)).page();
  if (!page) throw new Error('Puppeteer shows no page.');
  return page;
}
