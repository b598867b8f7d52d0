import { afterAll, beforeAll, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { launchTestChrome } from '@/server/testing/chrome';
import { PageFixture } from '@/server/testing/page-fixture';
import { ChromeWatchdog } from './chrome-watchdog';

let fixture: PageFixture;
beforeAll(async () => void (fixture = await PageFixture.open(launchTestChrome())));
afterAll(() => fixture.close());

/** A second at the most: a Chrome on a busy machine may be slow, and one that is stopped never answers. */
const QUICK = { everyMs: 100, beats: 10 } as const;

it('[BR5] a Chrome whose pages loop still answers; a stopped process does not', async () => {
  const page = await fixture.page('<title>Loops</title>');
  let silent = false;
  let told = (): void => undefined;
  const noticed = new Promise<void>((resolve) => (told = resolve));
  const signs = new ChromeWatchdog(
    fixture.commands.browser,
    monotonicClock,
    () => {
      silent = true;
      told();
      return Promise.resolve(true);
    },
    QUICK,
  );
  void page.session.sendMayFail('Runtime.evaluate', { expression: 'for (;;);' });
  for (let asked = 0; asked < 20; asked += 1) await fixture.commands.browser.send('Browser.getVersion');
  const whileLooping = silent;
  fixture.pause();
  await noticed;
  fixture.goOn();
  signs.dispose();

  expect([whileLooping, silent]).toEqual([false, true]);
}, 60_000);

it('[BR5] a Chrome that answers after all is watched further', async () => {
  let asked = 0;
  let again = (): void => undefined;
  const twice = new Promise<void>((resolve) => (again = resolve));
  const signs = new ChromeWatchdog(
    fixture.commands.browser,
    monotonicClock,
    () => {
      asked += 1;
      if (asked > 1) again();
      return Promise.resolve(asked > 1);
    },
    { everyMs: 20, beats: 3 },
  );
  fixture.pause();
  await twice;
  fixture.goOn();
  await fixture.commands.browser.send('Browser.getVersion');
  signs.dispose();

  expect(asked).toBe(2);
}, 60_000);
