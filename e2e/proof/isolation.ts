import type { RequestListener } from 'node:http';
import { z } from 'zod';
import { startWeb, type Web } from '@/server/testing/web';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';

/**
 * Writes a mark into everything in which a browser keeps something for a site, or lets its tabs meet. Resolves to the
 * names of what it has written. Runs in the page.
 */
const WRITE = `async (mark) => {
  document.cookie = 'script=' + mark + '; max-age=3600';
  await fetch('/sign-in?' + mark);
  localStorage.setItem('mark', mark);
  sessionStorage.setItem('mark', mark);
  const db = await new Promise((done, failed) => {
    const opening = indexedDB.open('mark');
    opening.onupgradeneeded = () => opening.result.createObjectStore('marks').put(mark, 'mark');
    opening.onsuccess = () => done(opening.result);
    opening.onerror = failed;
  });
  db.close();
  await (await caches.open('mark')).put('/mark', new Response(mark));
  await navigator.serviceWorker.register('/worker.js?' + mark);
  await navigator.serviceWorker.ready;
  const file = await (await navigator.storage.getDirectory()).getFileHandle('mark', { create: true });
  const writer = await file.createWritable();
  await writer.write(mark);
  await writer.close();
  const bucket = await navigator.storageBuckets.open('mark');
  await (await bucket.caches.open('mark')).put('/mark', new Response(mark));
  window.channel = new BroadcastChannel('mark');
  channel.onmessage = ({ data }) => data === '?' && channel.postMessage(mark);
  window.shared = new SharedWorker('/shared.js', 'mark');
  shared.port.postMessage(mark);
  await new Promise((held) => navigator.locks.request('mark', () => { held(); return new Promise(() => {}); }));
  await fetch('/cached');
  return true;
}`;

/** What there is of a mark, by where it was found; null: nothing. Runs in the page. */
const READ = `async () => {
  const cookies = await (await fetch('/cookies', { cache: 'no-store' })).text();
  const of = (name) => new RegExp(name + '=([^;]*)').exec(cookies)?.[1] ?? null;
  const stored = await new Promise((done) => {
    const opening = indexedDB.open('mark');
    opening.onupgradeneeded = () => opening.result.createObjectStore('marks');
    opening.onsuccess = () => {
      const reading = opening.result.transaction('marks').objectStore('marks').get('mark');
      reading.onsuccess = () => { opening.result.close(); done(reading.result ?? null); };
    };
  });
  const fromFile = async () => {
    try {
      return await (await (await (await navigator.storage.getDirectory()).getFileHandle('mark')).getFile()).text();
    } catch { return null; }
  };
  const inCache = async (all) => (await (await (await all.open('mark')).match('/mark'))?.text()) ?? null;
  const asked = (begin) => new Promise((done) => { begin(done); setTimeout(() => done(null), 400); });
  const channel = new BroadcastChannel('mark');
  const worker = new SharedWorker('/shared.js', 'mark');
  const registered = await navigator.serviceWorker.getRegistration();
  return {
    'a cookie of a script': of('script'),
    'a cookie of the site': of('site'),
    'local storage': localStorage.getItem('mark'),
    'session storage': sessionStorage.getItem('mark'),
    'an indexed database': stored,
    'a cache': await inCache(caches),
    'a service worker': new URL(registered?.active?.scriptURL ?? 'http://none').search.slice(1) || null,
    'a file of the site': await fromFile(),
    'a storage bucket': await inCache((await navigator.storageBuckets.open('mark')).caches),
    'a channel': await asked((done) => { channel.onmessage = ({ data }) => data !== '?' && done(data); channel.postMessage('?'); }),
    'a shared worker': await asked((done) => { worker.port.onmessage = ({ data }) => done(data); worker.port.postMessage('?'); }),
    'a lock': (await navigator.locks.query()).held.some(({ name }) => name === 'mark') ? 'held' : null,
    'the cache of the network': Number(await (await fetch('/cached')).text()) > 0 ? 'asked again' : null,
    'a permission': (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted' ? 'granted' : null,
  };
}`;

const foundSchema = z.record(z.string(), z.string().nullable());
/** Its value says nothing: the site counts who fetched. */
const CACHE = 'the cache of the network';

const SHARED = `let mark = null; onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { if (data !== '?') mark = data; else port.postMessage(mark); }; };`;

/** The site of a round, which counts how often its cached answer was fetched. */
function site(): Promise<Web & { fetched(): number }> {
  let fetched = 0;
  const script =
    (text: string): RequestListener =>
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
  const pages = {
    '/': '<title>Marks</title><input id="f" aria-label="Field">',
    '/worker.js': script('self.onactivate = () => 0;'),
    '/shared.js': script(SHARED),
    '/sign-in': ((request, response) => {
      const mark = (request.url ?? '').split('?')[1] ?? '';
      response.writeHead(200, { 'set-cookie': `site=${mark}; HttpOnly; Max-Age=3600` }).end();
    }) satisfies RequestListener,
    '/cookies': ((request, response) => response.end(request.headers.cookie ?? '')) satisfies RequestListener,
    '/cached': ((_, response) => {
      fetched += 1;
      response.writeHead(200, { 'cache-control': 'max-age=3600' }).end(String(fetched));
    }) satisfies RequestListener,
  };
  return startWeb(pages).then((web) => ({ ...web, fetched: () => fetched }));
}

async function played(fixture: CampaignFixture, web: Web & { fetched(): number }, mark: string): Promise<string[]> {
  const [writer, reader] = [await fixture.server.session(web.origin), await fixture.server.session(web.origin)];
  const read = async (session: string, tab = 'active') => {
    const { body } = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/${tab}/act`, {
      kind: 'evaluate',
      fn: READ,
    });
    return foundSchema.parse(z.object({ value: z.unknown() }).parse(body).value);
  };
  try {
    const written = await fixture.act(writer.id, { kind: 'evaluate', fn: WRITE, args: [mark] });
    if (written.value !== true) return [`nothing was written: ${JSON.stringify(written.error)}`];
    const geolocation = { latitude: 1, longitude: 2 };
    await fixture.act(writer.id, { kind: 'emulate', do: 'set', set: { geolocation } });
    await fixture.act(writer.id, { kind: 'clipboard', do: 'set', text: mark });
    const before = web.fetched();
    const foreign = await read(reader.id);
    const after = web.fetched();
    const clipboard = await fixture.act(reader.id, { kind: 'clipboard', do: 'get' });
    const own = await read(writer.id);
    const found = Object.entries(foreign).filter(([where, what]) => where !== CACHE && what !== null);
    const lost = Object.entries(own).filter(([, what]) => what === null);
    fixture.count('places', Object.keys(own).length + 1);
    return [
      ...found.map(([where, what]) => `${where} of another session was read: ${what}`),
      ...(after > before ? [] : ['the cache of the network is shared']),
      ...(web.fetched() > after ? ['the network has no cache'] : []),
      ...(JSON.stringify(clipboard.value ?? null).includes(mark) ? ['the clipboard is shared'] : []),
      // Else nothing would be tried.
      ...lost.map(([where]) => `${where}: not even the session itself finds its mark`),
    ];
  } finally {
    for (const { id } of [writer, reader]) await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);
  }
}

/** SE1: what one session writes, no other reads, although both share a Chrome, a workspace and a site. */
export const isolation: Campaign = {
  id: 'SE1',
  about:
    'cookies, storage of twelve kinds, cache, permissions and clipboard written in one session and read in another of the same Chrome, workspace and site: nothing',
  full: 50,
  round: async (fixture, random) => {
    const web = await site();
    try {
      const problems = await played(fixture, web, `m${random.between(1, 1_000_000_000)}`);
      return problems.length > 0 ? problems.join('; ') : undefined;
    } finally {
      web.close();
    }
  },
};
