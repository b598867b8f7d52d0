import { estimateTokens } from '@/lib/snapshot/tokens';
import type { SnapshotView } from '@/lib/protocol/views';
import { serveHtml } from '@/server/testing/stage';
import { call, type House } from './house';
import { plantsPage } from './lib/pages';
import { figure, ratioAtMost, single, type Line } from './line';
import { must, partOf, timed } from './measure';
import { openPlaywright } from './playwright-page';

const ELEMENTS = 10_000;
/** Raw and Playwright take seconds each time; ours is taken more often. */
const TIMES = { raw: 2, peer: 2, first: 4, again: 8 } as const;

/** A page of 10 000 elements to act on, 22 500 in all: ours says what is in view and that this is not all (SN10), the others give all of it. */
export async function largeSnapshotLines(house: House, endsAt: number): Promise<Line[]> {
  const site = await serveHtml(plantsPage(ELEMENTS));
  const url = `http://127.0.0.1:${site.port}/`;
  const peer = await openPlaywright(house.chromePath, url);
  try {
    const plain = await house.plain.tab(url);
    const raw = await repeat(TIMES.raw, partOf(endsAt, 0.4), async () => must((await plain.send('Accessibility.getFullAXTree')).nodes.length > ELEMENTS, 'The raw tree is not whole.'));
    await plain.value('0');
    // Its own limit is 30 s, which a busy machine may exceed: then ours has nothing to stand beside.
    let theirs = '';
    const other = await repeat(TIMES.peer, partOf(endsAt, 0.6), async () => {
      theirs = await peer.snapshot().catch(() => '');
    });
    return (await oursBeside({ house, url, endsAt, raw, other, theirs })).map((line) => ({ ...line, what: `${line.what}, ${ELEMENTS} elements` }));
  } finally {
    await peer.close();
    site.close();
  }
}

interface Others {
  readonly house: House;
  readonly url: string;
  readonly endsAt: number;
  /** Milliseconds. */
  readonly raw: readonly number[];
  readonly other: readonly number[];
  readonly theirs: string;
}

async function oursBeside({ house, url, endsAt, raw, other, theirs }: Others): Promise<Line[]> {
  const { session, tab, observer } = await house.tab(url);
  let view: SnapshotView | undefined;
  const look = async (): Promise<void> => {
    view = await call((budget) => tab.snapshots.take(budget, {}));
    must(view.source.kind === 'dom' && view.truncated !== undefined, `The snapshot does not say that it is not whole: ${view.source.reason}`);
  };
  const first = await repeat(TIMES.first, partOf(endsAt, 0.6), look, async () => {
    const { error } = await house.server.act(session, { kind: 'navigate', url });
    must(error === undefined, `The page did not load: ${error?.message ?? ''}`);
    await observer.twoFrames();
  });
  let changes = 0;
  const again = await repeat(TIMES.again, endsAt, look, async () => void (await observer.value(`document.querySelector('button').textContent = 'Add, change ${(changes += 1)}'`)));
  const sides = { base: figure(raw), ours: figure(first) };
  const text = view?.text ?? '';
  const lines: Line[] = [
    { what: 'snapshot, first of a document, what is in view', unit: 'ms', ...sides, reach: ratioAtMost(0.25, sides) },
    { what: 'snapshot after one change, what is in view', unit: 'ms', base: sides.base, ours: figure(again) },
  ];
  if (theirs === '') return lines;
  return [
    ...lines,
    { what: 'snapshot after one change, what is in view, against all of Playwright’s for AI', unit: 'ms', base: figure(other), ours: figure(again) },
    { what: `size, what is in view: ${text.split('\n').length} lines, ${text.length} characters to Playwright’s ${theirs.length} of all`, unit: 'tokens', base: single(estimateTokens(theirs)), ours: single(estimateTokens(text)) },
  ];
}

/** Once at least; no further time after `endsAt`. Gives the milliseconds of each. */
async function repeat(times: number, endsAt: number, work: () => Promise<void>, before: () => Promise<void> = async () => undefined): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < times && (round === 0 || performance.now() < endsAt); round += 1) {
    await before();
    samples.push(await timed(work));
  }
  return samples;
}
