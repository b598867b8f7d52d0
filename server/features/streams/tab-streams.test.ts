import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { chosen, qualityOf, type TierChoice } from '@/lib/stream/quality';
import type { FrameStep } from '@/server/browser/frame-sink';
import type { CdpSession } from '@/server/cdp/session';
import { createLogger } from '@/server/telemetry/logger';
import { serveHtml, PageFixture, type FixturePage, type PageOptions } from '@/server/testing/page-fixture';
import { ViewerClient } from '@/server/testing/viewer-client';
import { TabStreams } from './tab-streams';

const STILL = '<body style="margin:0;background:#fff"><h1>At rest</h1></body>';
const MOVING = `<body style="margin:0;background:#fff"><div id="box" style="position:absolute;width:90px;height:90px;background:#c00"></div>
<script>let step = 0; const move = () => { box.style.left = (step++ * 5) % 300 + 'px'; if (!window.stop_) requestAnimationFrame(move); }; move();</script></body>`;

/** Encoding a picture of a page that moves costs by its size. */
const SMALL: PageOptions = { viewport: { width: 400, height: 300 } };

let fixture: PageFixture;
beforeAll(async () => {
  fixture = await PageFixture.open();
});
afterAll(() => fixture.close());

/** A page that is open until the test ends. */
async function pageOf(html: string, options: PageOptions = {}): Promise<FixturePage> {
  const page = await fixture.page(html, options);
  if (options.contextId === undefined) onTestFinished(() => fixture.closeContext(page));
  return page;
}

/** The streams of a page, with their counters and attached sessions. */
function streamsOf(page: FixturePage, onAttached: (count: number) => Promise<void> = () => Promise.resolve()) {
  const counted: Record<string, number> = {};
  const attached: CdpSession[] = [];
  const streams = new TabStreams({
    tabId: 't1',
    clock: monotonicClock,
    logger: createLogger({ logLevel: 'silent' }),
    counters: {
      frame: (step: FrameStep, tier) => (counted[`${tier} ${step}`] = (counted[`${tier} ${step}`] ?? 0) + 1),
    },
    attach: async () => {
      const session = await fixture.pictures.attach(page.targetId);
      attached.push(session);
      await onAttached(attached.length);
      return session;
    },
    detach: (session) => fixture.pictures.detach(session),
    secrets: { look: () => Promise.reject(new Error('no guests here')), painted: () => Promise.resolve() },
  });
  onTestFinished(() => streams.dispose());
  let number = 0;
  const watch = (
    tier: TierChoice = 'standard',
    options: { paints?: boolean; maxFps?: number; gate?: () => string | undefined } = {},
  ) => {
    const watcher = new ViewerClient();
    watcher.paints = options.paints ?? true;
    const { send, status } = watcher;
    const stream = streams.open({
      stream: `s${(number += 1)}`,
      quality: qualityOf(tier),
      maxFps: options.maxFps,
      gate: options.gate ?? (() => undefined),
      send,
      status,
    });
    return { watcher, stream };
  };
  return { streams, counted, attached, watch };
}

/** Pixels from left to right of a JPEG picture, by its frame header (ITU T.81, B.2.2). */
function widthOf(picture: Uint8Array): number {
  const bytes = Buffer.from(picture);
  let at = 2;
  while (!(bytes.readUInt8(at + 1) >= 0xc0 && bytes.readUInt8(at + 1) <= 0xc2)) at += 2 + bytes.readUInt16BE(at + 2);
  return bytes.readUInt16BE(at + 7);
}

/** The colour at the left bottom of a picture, decoded by Chrome itself. */
async function colourOf(page: FixturePage, picture: Uint8Array): Promise<unknown> {
  const url = `data:image/jpeg;base64,${Buffer.from(picture).toString('base64')}`;
  return page.run(`fetch('${url}').then((r) => r.blob()).then(createImageBitmap).then((image) => {
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen.drawImage(image, 0, 0);
    return [...pen.getImageData(4, image.height - 4, 1, 1).data].slice(0, 3).map((part) => Math.round(part / 16));
  })`);
}

describe('TabStreams, with a real Chrome', () => {
  it('[FR3] a new viewer gets the cached picture at once', async () => {
    const { watch } = streamsOf(await pageOf(STILL));
    const first = watch();
    await first.watcher.next(({ sort }) => sort === 'still');
    const second = watch();
    expect(second.watcher.frames.map(({ meta }) => [meta.sort, meta.seq])).toEqual([
      ['cached', first.watcher.last?.meta.seq],
    ]);
  });

  it('[FR3] a still page sends one sharp picture and then nothing', async () => {
    const [page, other] = [await pageOf(STILL), await pageOf(STILL)];
    const { watch } = streamsOf(page);
    const { watcher } = watch();
    const sharp = await watcher.next(({ sort }) => sort === 'still');
    const seen = watcher.frames.length;
    await other.painted(45);
    expect(watcher.frames.slice(seen)).toEqual([]);
    expect(sharp.picture.length).toBeGreaterThan(watcher.frames[0]?.picture.length ?? Infinity);
    expect(watcher.state).toBe('still');
  });

  it('[FR3] after motion ends one sharp picture follows', async () => {
    const page = await pageOf(MOVING, SMALL);
    const { watch } = streamsOf(page);
    const { watcher } = watch();
    await watcher.until(() => watcher.frames.length >= 10);
    await page.run('window.stop_ = true');
    await watcher.next(({ sort }) => sort === 'still');
    // A page that gets no time of a busy machine seems to rest while it moves; pictures of its motion follow then.
    const moving = watcher.frames.findLastIndex(({ meta }) => meta.sort !== 'still');
    expect(watcher.frames.slice(moving + 1)).toHaveLength(1);
  });

  it('[FR3] a sharp picture that could not be taken is tried again', async () => {
    const { watch, attached } = streamsOf(await pageOf(STILL), (count) =>
      count === 2 ? Promise.reject(new Error('refused once')) : Promise.resolve(),
    );
    const { watcher } = watch();
    await watcher.next(({ sort }) => sort === 'still');
    expect(attached).toHaveLength(3);
  });

  it('[FR2] a stalled viewer costs one picture and slows no other; when back it gets the newest first', async () => {
    const { watch } = streamsOf(await pageOf(MOVING, SMALL));
    const stalled = watch('standard', { paints: false });
    const fast = watch();
    await fast.watcher.until(() => fast.watcher.frames.length >= 45);
    expect(stalled.watcher.frames).toHaveLength(1);
    await stalled.watcher.until(() => stalled.watcher.state === 'behind');
    const newest = fast.watcher.last?.meta.seq ?? Infinity;
    stalled.watcher.frames[0]?.painted();
    const back = await stalled.watcher
      .until(() => stalled.watcher.frames.length === 2)
      .then(() => stalled.watcher.last?.meta);
    expect(back?.seq).toBeGreaterThanOrEqual(newest);
    expect(back?.ageMs).toBeLessThanOrEqual(1_000);
  });

  it('[FR2] changes while no viewer had credit are sent as soon as one has', async () => {
    const [page, other] = [await pageOf(MOVING, SMALL), await pageOf(STILL)];
    const { watch } = streamsOf(page);
    const { watcher } = watch('standard', { paints: false });
    await watcher.until(() => watcher.frames.length === 1);
    await page.painted(10);
    await page.run('window.stop_ = true; document.body.style.background = "#00f"');
    await page.painted(5);
    watcher.paints = true;
    watcher.frames[0]?.painted();
    const sharp = await watcher.next(({ sort }) => sort === 'still');
    expect(await colourOf(other, sharp.picture)).toEqual([0, 0, 16]);
  });

  it('[FR1] the last viewer to leave ends the screencast, not an earlier one', async () => {
    const page = await pageOf(MOVING, SMALL);
    const { watch, attached } = streamsOf(page);
    const [one, two] = [watch(), watch()];
    await two.watcher.until(() => two.watcher.frames.length > 3);
    one.stream.close();
    await two.watcher.next();
    expect(attached[0]?.ended).toBeUndefined();
    const ended = new Promise((resolve) => attached[0]?.onEnd(resolve));
    two.stream.close();
    const seen = two.watcher.frames.length;
    await ended;
    await page.painted(30);
    expect(two.watcher.frames).toHaveLength(seen);
    expect(attached.every((session) => session.ended)).toBe(true);
  });

  it('[FR1] all viewers of a tier share one capture; thumbnails are narrow and rare', async () => {
    const page = await pageOf(MOVING);
    const { watch, counted } = streamsOf(page);
    const [small, one, two] = [watch('thumbnail'), watch(), watch()];
    await Promise.all([small, one, two].map(({ watcher }) => watcher.next()));
    await page.painted(120);
    // Two a second, and the three that Chrome sends before it waits for an acknowledgement.
    expect(counted['thumbnail captured']).toBeLessThan((counted['standard captured'] ?? 0) / 3);
    expect(small.watcher.frames.length).toBeLessThan(one.watcher.frames.length / 3);
    expect(small.watcher.last?.picture.length).toBeLessThan(one.watcher.last?.picture.length ?? 0);
    expect(small.watcher.last?.meta).toMatchObject({ width: 800, height: 600 });
  });

  it('[FR6] a viewer changes its tier without missing a picture: at rest it gets the sharp one of the other tier', async () => {
    const page = await pageOf(STILL, { viewport: { width: 1_600, height: 900 } });
    const { watch, counted } = streamsOf(page);
    const [one, other] = [watch('auto'), watch('high')];
    const size = { width: 1_600, dpr: 1 };
    await Promise.all([one, other].map(({ watcher }) => watcher.next(({ sort }) => sort === 'still')));
    const sharper = one.watcher.next();
    one.stream.setQuality(chosen(one.stream.quality, 'auto', size));
    const high = await sharper;
    const shared = counted['high captured'];
    const lower = one.watcher.next(({ sort }) => sort === 'still');
    one.stream.setQuality(chosen(one.stream.quality, 'low', undefined));
    const low = await lower;

    const sizes = [one.watcher.frames[0]?.picture ?? new Uint8Array(), high.picture, low.picture].map(widthOf);
    expect(sizes).toEqual([1_280, 1_600, 640]);
    expect(one.watcher.statuses.map(({ tier, because }) => `${tier} ${because}`)).toEqual(
      expect.arrayContaining(['standard size', 'high size', 'low chosen']),
    );
    const seqs = one.watcher.frames.map(({ meta }) => meta.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect([high.meta.width, low.meta.width, high.meta.geometry, low.meta.geometry]).toEqual([1_600, 1_600, 1, 1]);
    expect(shared).toBeLessThanOrEqual(3);
  });

  it('[FR4] geometry grows with size and with the document, the same for every tier', async () => {
    const page = await pageOf(STILL);
    const { streams, watch } = streamsOf(page);
    page.session.on('Page.frameResized', () => streams.resized());
    const [small, large] = [watch('thumbnail'), watch('high')];
    await Promise.all([small, large].map(({ watcher }) => watcher.next(({ sort }) => sort === 'still')));
    const seen = Promise.all([small, large].map(({ watcher }) => watcher.next(({ width }) => width === 640)));
    await page.session.send('Emulation.setDeviceMetricsOverride', {
      width: 640,
      height: 480,
      deviceScaleFactor: 1,
      mobile: false,
    });
    expect((await seen).map(({ meta }) => meta.geometry)).toEqual([2, 2]);
    const after = Promise.all([small, large].map(({ watcher }) => watcher.next(({ geometry }) => geometry === 3)));
    streams.documentChanged();
    expect(streams.geometry).toBe(3);
    await after;
  });

  it('[SE3] a tab behind another is still painted', async () => {
    const behind = await pageOf(MOVING, SMALL);
    const front = await pageOf(STILL, { contextId: behind.contextId, ...SMALL });
    await front.session.send('Page.bringToFront');
    const { watcher } = streamsOf(behind).watch();
    await watcher.until(() => watcher.frames.length > 30);
    expect(await behind.run('document.visibilityState')).toBe('visible');
  });

  it('[SE4] viewers come and go without resizing the page', async () => {
    const page = await pageOf(STILL);
    await page.painted(5);
    await page.run('window.resizes = 0; onresize = () => window.resizes++; 0');
    const { watch } = streamsOf(page);
    for (const tier of ['thumbnail', 'standard', 'high'] as const) {
      const { watcher, stream } = watch(tier);
      await watcher.next(({ sort }) => sort === 'still');
      stream.close();
    }
    await page.painted(10);
    expect(await page.run('[window.resizes, innerWidth, innerHeight].join()')).toBe('0,800,600');
  });

  it('[FR1] a change of site keeps the cast going', async () => {
    const page = await pageOf(STILL);
    const site = await serveHtml(MOVING);
    onTestFinished(site.close);
    const { watch, attached } = streamsOf(page);
    const { watcher } = watch();
    await watcher.next(({ sort }) => sort === 'still');
    for (const host of ['127.0.0.1', 'localhost']) {
      const moving = watcher.next(({ sort }) => sort === 'motion');
      await page.session.send('Page.navigate', { url: `http://${host}:${site.port}/` });
      await moving;
      await watcher.until(() => watcher.state === 'live');
    }
    expect(attached.filter((session) => session.ended)).toEqual([]);
  });

  it('[FR5] a dialog pauses the stream with its reason, and pictures continue afterwards', async () => {
    const page = await pageOf(MOVING, SMALL);
    const { streams, watch, attached } = streamsOf(page);
    const { watcher } = watch();
    await watcher.until(() => watcher.state === 'live');
    const opened = new Promise((resolve) => page.session.on('Page.javascriptDialogOpening', resolve));
    await page.run('setTimeout(() => alert("Stop"), 0); 0');
    await opened;
    streams.healthChanged({ state: 'dialog', reason: 'alert: Stop' });
    expect(watcher.statuses.at(-1)).toMatchObject({ state: 'paused', reason: 'alert: Stop' });
    const onward = watcher.next(({ sort }) => sort === 'motion');
    await page.session.send('Page.handleJavaScriptDialog', { accept: true });
    streams.healthChanged({ state: 'ready', reason: '' });
    await onward;
    expect(watcher.state).toBe('live');
    expect(attached.filter((session) => session.ended)).toEqual([]);
  });

  it('[F3] a crashed page is lost with its reason, and seen again when it is back', async () => {
    const page = await pageOf(MOVING, SMALL);
    const { streams, watch } = streamsOf(page);
    const { watcher } = watch();
    await watcher.until(() => watcher.state === 'live');
    void page.session.sendMayFail('Page.crash');
    await watcher.until(() => watcher.state === 'lost');
    expect(watcher.statuses.at(-1)?.reason).toBe('The page crashed.');
    streams.healthChanged({ state: 'crashed', reason: 'The page crashed.' });
    // Of a page at rest the first picture is the sharp one when Chrome sends its frame late.
    const back = watcher.next(({ sort }) => sort !== 'cached');
    await page.session.send('Page.navigate', { url: 'data:text/html,<h1>Back</h1>' });
    streams.healthChanged({ state: 'ready', reason: '' });
    await back;
    expect(watcher.state).not.toBe('lost');
  });

  it('[FR5] a closed tab is lost', async () => {
    const page = await pageOf(STILL);
    const { watcher } = streamsOf(page).watch();
    await watcher.next();
    await fixture.commands.browser.send('Target.closeTarget', { targetId: page.targetId });
    await watcher.until(() => watcher.state === 'lost');
    expect(watcher.statuses.at(-1)?.reason).toBe('The tab is closed.');
  });

  it('[FR5] a capture that Chrome refuses is lost with the reason, and tried again while somebody looks', async () => {
    const { watch, attached } = streamsOf(await pageOf(STILL), (count) =>
      count <= 2 ? Promise.reject(new Error('Not attached to an active page')) : Promise.resolve(),
    );
    const { watcher } = watch();
    await watcher.next();
    expect(attached.length).toBeGreaterThanOrEqual(3);
    expect(watcher.statuses.map(({ state, reason }) => [state, reason])).toContainEqual([
      'lost',
      'Not attached to an active page',
    ]);
    expect(watcher.state).not.toBe('lost');
  });

  it('[FR5] a refused capture that nobody watches any more is not tried again', async () => {
    const { watch, attached } = streamsOf(await pageOf(STILL), (count) =>
      count === 1 ? Promise.reject(new Error('Not attached to an active page')) : Promise.resolve(),
    );
    const refused = watch();
    await refused.watcher.until(() => refused.watcher.state === 'lost');
    refused.stream.close();
    const [seen, other] = [attached.length, watch('thumbnail')];
    await other.watcher.next(({ sort }) => sort === 'still');
    // The other tier needs two sessions, its screencast's and its camera's.
    expect(attached.length - seen).toBe(2);
  });

  it('[AU3] a closed gate passes no further picture', async () => {
    const page = await pageOf(MOVING, SMALL);
    let held: string | undefined;
    const { watcher, stream } = streamsOf(page).watch('standard', { gate: () => held });
    await watcher.until(() => watcher.frames.length > 3);
    held = 'A private moment.';
    stream.refresh();
    const seen = watcher.frames.length;
    await page.painted(30);
    expect(watcher.frames).toHaveLength(seen);
    expect(watcher.statuses.at(-1)).toMatchObject({ state: 'paused', reason: 'A private moment.' });
    held = undefined;
    stream.refresh();
    await watcher.next(({ sort }) => sort === 'motion');
  });
});
