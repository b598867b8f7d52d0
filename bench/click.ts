import { parseAction } from '@/lib/actions/parse';
import { runHandler } from '@/server/actions/registry';
import { fencedSession } from '@/server/browser/write';
import { bareContext } from '@/server/testing/bare-context';
import { refOf } from '@/server/testing/server';
import { call, type BenchFixture } from './bench-fixture';
import { figure, type Figure, type BenchLine } from './line';
import { interleave, must, timed, Contender } from './measure';
import { openPuppeteer } from './puppeteer';

const ROWS = Array.from(
  { length: 300 },
  (_, index) => `<div><span>row ${index}</span><button>b${index}</button></div>`,
).join('');
const BUTTON = 'style="width:100px;height:40px" onclick="window.clicks = (window.clicks ?? 0) + 1"';
const PAGE = `<!doctype html><meta charset="utf-8"><title>Click</title><body style="margin:0;font:16px sans-serif">
<div style="position:absolute;left:0;top:0"><button ${BUTTON}>One</button><button ${BUTTON}>Two</button></div><div style="margin-top:60px">${ROWS}</div>`;
const ROUNDS = { warmUp: 5, times: 60 } as const;
/**
 * Milliseconds that finding the element again and checking it may take, beside two animation frames. Part of the
 * target.
 */
const ALLOWANCE_MS = 10;

/**
 * A click by ref, alternating between two buttons: raw move, down and up at a known point; puppeteer's click on a
 * handle; our handler up to the release; the whole call by HTTP.
 */
export async function clickLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const url = await fixture.serve(PAGE);
  const [ours, plain] = [await fixture.tab(url), await fixture.plain.tab(url)];
  const peer = await openPuppeteer(fixture, `${url}puppeteer`);
  await peer.waitForSelector('body > div:first-child > button');
  const handles = await peer.$$('body > div:first-child > button');
  must(handles.length === 2, `Puppeteer found ${handles.length} buttons.`);
  const snapshot = await fixture.server.snapshot(ours.session);
  const refs = [refOf(snapshot, 'button', 'One'), refOf(snapshot, 'button', 'Two')];
  const refFor = (round: number): string => refs[round % 2] ?? '';
  const raw = new Contender((round) => timed(() => plain.click(50 + 100 * (round % 2), 20)));
  const frames = new Contender(() => timed(() => plain.twoFrames()));
  const other = new Contender((round) => timed(async () => handles[round % 2]?.click()));
  let sent = 0;
  const handler = new Contender((round) => {
    sent += 1;
    return timed(() =>
      call((budget) =>
        runHandler(
          bareContext(
            ours.tab,
            budget,
            fencedSession(
              ours.tab.sessions.commands,
              (session) =>
                (method, ...params) =>
                  session.send(method, ...params),
            ),
            () => undefined,
          ),
          parseAction({ kind: 'click', ref: refFor(round) }),
        ),
      ),
    );
  });
  const http = new Contender((round) =>
    timed(async () => {
      sent += 1;
      const { error } = await fixture.server.act(ours.session, { kind: 'click', ref: refFor(round) });
      must(error === undefined, `A click failed: ${error?.message ?? ''}`);
    }),
  );
  await interleave([raw, frames, other, handler, http], { ...ROUNDS, endsAt });
  const done = Number(await ours.observer.value('window.clicks'));
  must(done === sent, `The page counted ${done} of ${sent} clicks.`);
  return lines({
    base: figure(raw.samples),
    frames: figure(frames.samples),
    other: figure(other.samples),
    handler: figure(handler.samples),
    http: figure(http.samples),
  });
}

function lines({
  base,
  frames,
  other,
  handler,
  http,
}: Record<'base' | 'frames' | 'other' | 'handler' | 'http', Figure>): BenchLine[] {
  const limit = base.median + frames.median + ALLOWANCE_MS;
  const reach = {
    text: `raw + two frames (${frames.median.toFixed(1)}) + ${ALLOWANCE_MS} ms = ${limit.toFixed(1)}`,
    met: handler.median <= limit,
  };
  return [
    { what: 'click by ref, up to the release', unit: 'ms', base, ours: handler, reach },
    {
      what: 'the same against puppeteer’s `handle.click()`, which waits for no frame and looks for nothing in the way',
      unit: 'ms',
      base: other,
      ours: handler,
    },
    { what: 'click by ref by HTTP, settled and on the timeline', unit: 'ms', base, ours: http },
  ];
}
