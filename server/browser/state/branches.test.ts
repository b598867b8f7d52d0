import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());
afterEach(async () => {
  await bench.run({ kind: 'emulate', do: 'reset' });
  await bench.show('empty');
});

const emulate = async (set: object): Promise<void> => {
  const { error } = await bench.run({ kind: 'emulate', do: 'set', set });
  if (error) throw error;
};

const SEEN = `[navigator.userAgent, navigator.language, new Intl.NumberFormat().resolvedOptions().locale, new Date(0).getTimezoneOffset(), matchMedia('print').matches, navigator.maxTouchPoints]`;
const SETTINGS = {
  headers: { 'x-own': 'yes' },
  locale: 'de-DE',
  timezone: 'Asia/Tokyo',
  media: { type: 'print' },
  device: { width: 800, height: 600, touch: true, userAgent: 'Own/1' },
};
const ASKING = 'fetch("/early"); new Image().src = "/picture"';

it('[PS4] a later frame of another site has headers, agent, locale, time zone and media from its first request on', async () => {
  await emulate(SETTINGS);
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': `<script>window.first = ${SEEN}; ${ASKING}</script><iframe src="${bench.origin}/leaf"></iframe>`,
    '/leaf': '<script>fetch("/deep")</script>',
  });
  const asked = await bench.until('/in', '/early', '/picture', '/leaf', '/deep');
  expect(
    asked.map(({ path, headers }) => [path, headers['x-own'], headers['user-agent'], headers['accept-language']]),
  ).toEqual(asked.map(({ path }) => [path, 'yes', 'Own/1', 'de-DE']));
  expect(await bench.readIn('/in', 'first')).toEqual(['Own/1', 'de-DE', 'de-DE', -540, true, 5]);
});

it('[PS4] a frame that is there already takes them, and gives them back', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, { '/in': 'in' });
  const before = await bench.readIn('/in', SEEN);
  await emulate(SETTINGS);
  await bench.readIn('/in', 'void fetch("/with")');
  const during = await bench.readIn('/in', SEEN);
  await bench.run({ kind: 'emulate', do: 'reset' });
  await bench.readIn('/in', 'void fetch("/without")');
  const [within, without] = await bench.until('/with', '/without');
  expect([during, await bench.readIn('/in', SEEN)]).toEqual([['Own/1', 'de-DE', 'de-DE', -540, true, 5], before]);
  expect([within?.headers['x-own'], without?.headers['x-own']]).toEqual(['yes', undefined]);
});

const ONLINE = '(async () => [navigator.onLine, await fetch("/reach").then(() => "reached", () => "failed")])()';

it('[PS4] a frame of another site is offline together with its page', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, { '/in': 'in' });
  await bench.frame('/in');
  // Chrome tells its network process a moment after its answer.
  await emulate({ offline: true });
  await expect.poll(() => bench.readIn('/in', ONLINE)).toEqual([false, 'failed']);
  await emulate({ offline: null });
  await expect.poll(() => bench.readIn('/in', ONLINE)).toEqual([true, 'reached']);
});

it('[PS4] a frame of another site gets the emulated location', async () => {
  await emulate({ geolocation: { latitude: 51.5, longitude: -0.1 } });
  await bench.show(`<iframe src="${bench.elsewhere}/in" allow="geolocation"></iframe>`, { '/in': 'in' });
  await bench.frame('/in');
  expect(
    await bench.readIn(
      '/in',
      'new Promise((done) => navigator.geolocation.getCurrentPosition(({ coords }) => done(coords.latitude), ({ message }) => done(message)))',
    ),
  ).toBe(51.5);
});

it('[PS4] workers of the page and of its frames, and service workers, have them from their first script on', async () => {
  await emulate(SETTINGS);
  const tell = (name: string): string =>
    `fetch("/${name}?" + [new Date(0).getTimezoneOffset(), new Intl.NumberFormat().resolvedOptions().locale])`;
  await bench.show(`<script>new Worker("/one.js")</script><iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': '<script>new Worker("/two.js"); navigator.serviceWorker.register("/service.js")</script>',
    '/one.js': tell('one'),
    '/two.js': tell('two'),
    '/service.js': tell('service'),
  });
  const asked = await bench.until('/one?-540,de-DE', '/two?-540,de-DE', '/service?-540,de-DE');
  expect(asked.map(({ headers }) => [headers['x-own'], headers['user-agent']])).toEqual([
    ['yes', 'Own/1'],
    ['yes', 'Own/1'],
    ['yes', 'Own/1'],
  ]);
});
