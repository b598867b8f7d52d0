import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { harOf } from '@/lib/buffers/har';
import { harSchema } from '@/lib/buffers/har-schema';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { responseBody } from './bodies';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.show('empty');
  const { console, errors, requests } = bench.tab.watch;
  for (const ring of [console, errors, requests.ring]) ring.clear();
});

/** A service worker is installed once: each try has one of its own. */
let tries = 0;
const parts = (): Record<string, string> => ({
  '/in': `<script>fetch("/from-frame.js"); console.log("frame speaks"); Promise.reject(new Error("frame fails"))</script><iframe src="/inner"></iframe><script>new Worker("/two.js"); navigator.serviceWorker.register("/service-${tries}.js")</script>`,
  '/inner': '<script>fetch("/from-inner.js")</script>',
  '/one.js':
    'fetch("/from-one.js"); console.log("worker speaks"); setTimeout(() => { throw new Error("worker fails") })',
  '/two.js': 'fetch("/from-two.js")',
  [`/service-${tries}.js`]: 'fetch("/from-service.js"); console.log("service speaks")',
  ...Object.fromEntries(['frame', 'inner', 'one', 'two', 'service'].map((name) => [`/from-${name}.js`, `// ${name}`])),
});

const show = (): Promise<void> => {
  tries += 1;
  return bench.show(`<script>new Worker("/one.js")</script><iframe src="${bench.elsewhere}/in"></iframe>`, parts());
};

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      const off = bench.tab.watch.onChange.on(() => resolve(off()));
    });
  }
}

const path = (url: string): string => new URL(url).pathname;

it('[PS1] output and exceptions of frames of other sites and workers are in the buffers, with their source', async () => {
  await show();
  const { console, errors } = bench.tab.watch;
  const said = await until(() => {
    const lines = console.read({ since: 0 }).items.filter(({ text }) => text.endsWith('speaks'));
    return lines.length === 3 ? lines.map(({ text, from }) => [text, from?.kind, path(from?.url ?? 'x:')]) : undefined;
  });
  const thrown = await until(() => {
    const all = errors.read({ since: 0 }).items;
    return all.length === 2 ? all.map(({ text, from }) => [text, from?.kind, path(from?.url ?? 'x:')]) : undefined;
  });
  expect(said.toSorted()).toEqual([
    ['frame speaks', 'frame', '/in'],
    ['service speaks', 'service-worker', `/service-${tries}.js`],
    ['worker speaks', 'worker', '/one.js'],
  ]);
  expect(thrown.toSorted()).toEqual([
    ['Error: frame fails', 'frame', '/in'],
    ['Error: worker fails', 'worker', '/one.js'],
  ]);
});

it('[PS1] their requests, from the first one on, are listed once each and end, whichever target reports the end', async () => {
  await show();
  const wanted = [
    '/',
    '/one.js',
    '/in',
    '/inner',
    '/two.js',
    '/from-frame.js',
    '/from-inner.js',
    '/from-one.js',
    '/from-two.js',
    '/from-service.js',
  ];
  const { ring } = bench.tab.watch.requests;
  const all = await until(() => {
    const done = ring
      .read({ since: 0 })
      .items.filter(({ state, url }) => state === 'done' && wanted.includes(path(url)));
    return done.length >= wanted.length ? done : undefined;
  });
  expect(Object.fromEntries(all.map(({ url, from }) => [path(url), from && [from.kind, path(from.url)]]))).toEqual({
    '/': undefined,
    '/one.js': undefined,
    '/in': ['frame', '/in'],
    '/inner': ['frame', '/inner'],
    '/two.js': ['frame', '/in'],
    '/from-frame.js': ['frame', '/in'],
    '/from-inner.js': ['frame', '/inner'],
    '/from-one.js': ['worker', '/one.js'],
    '/from-two.js': ['worker', '/two.js'],
    '/from-service.js': ['service-worker', `/service-${tries}.js`],
  });
  expect(all.length).toBe(wanted.length);
});

it('[PS2] bodies of frames and workers can be read, and the archive gives the type of each request', async () => {
  await show();
  const { requests } = bench.tab.watch;
  const budget = newBudget(8_000);
  const names = ['frame', 'one', 'two', 'service'];
  const bodies: string[] = [];
  for (const name of names) {
    const { id } = await until(() =>
      requests.ring
        .read({ since: 0 })
        .items.find(({ url, state }) => state === 'done' && path(url) === `/from-${name}.js`),
    );
    bodies.push((await responseBody(budget, requests, id)).body);
  }
  const document = await until(() =>
    requests.ring.read({ since: 0 }).items.find(({ url, state }) => state === 'done' && path(url) === '/in'),
  );
  expect([bodies, (await responseBody(budget, requests, document.id)).body.includes('frame speaks')]).toEqual([
    names.map((name) => `// ${name}`),
    true,
  ]);
  const har = harSchema.parse(
    harOf({ product: 'Chrome/1', title: '', requests: requests.ring.read({ since: 0 }).items, dropped: 0, now: '' }),
  );
  expect(har.log.entries.find(({ request }) => path(request.url) === '/from-two.js')).toMatchObject({
    _from: { kind: 'worker', url: `${bench.elsewhere}/two.js` },
  });
  budget.dispose();
});
