import { estimateTokens } from '@/lib/snapshot/tokens';
import type { SnapshotOptions } from '@/lib/snapshot/options';
import type { SnapshotView } from '@/lib/protocol/views';
import { call, type BenchFixture } from './bench-fixture';
import { plantsPage } from './lib/pages';
import { forMs } from './lib/wait';
import { figure, ratioAtMost, single, type BenchLine } from './line';
import { must, partOf, timed } from './measure';
import { openPlaywright, type PlaywrightPage } from './playwright-page';

const ELEMENTS = 10_000;
/** Raw and Playwright take seconds each time, so ours runs more often. */
const TIMES = { raw: 2, peer: 2, first: 4, again: 8 } as const;
/**
 * Most time that Playwright is waited for; its own limit, twice that, would leave no time for the others. Milliseconds.
 */
const PEER_MS = 15_000;

/**
 * A page of 10 000 interactive elements, 22 500 in all: ours lists what is in view and says so (SN10), the others list
 * everything.
 */
export async function largeSnapshotLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const url = await fixture.serve(plantsPage(ELEMENTS));
  const peer = await openPlaywright(fixture, url);
  const raw = await rawTurns(fixture, url, partOf(endsAt, 0.4));
  const theirs = await peerTurns(peer, partOf(endsAt, 0.6));
  return (await oursBeside({ fixture, url, endsAt, raw, theirs })).map((line) => ({
    ...line,
    what: `${line.what}, ${ELEMENTS} elements`,
  }));
}

/** The times of the others in milliseconds, and the size of their answers. */
interface Turns {
  readonly samples: readonly number[];
  readonly chars: number;
  readonly tokens: number;
}

async function rawTurns(
  fixture: BenchFixture,
  url: string,
  endsAt: number,
): Promise<Turns & { readonly nodes: number }> {
  const plain = await fixture.plain.tab(url);
  let answer: unknown[] = [];
  const samples = await repeat(TIMES.raw, endsAt, async () => {
    const { nodes } = await plain.send('Accessibility.getFullAXTree');
    answer = nodes;
  });
  must(answer.length > ELEMENTS, 'The raw tree is not whole.');
  const json = JSON.stringify(answer);
  await plain.value('0');
  return { samples, chars: json.length, tokens: estimateTokens(json), nodes: answer.length };
}

/** A turn without an answer counts as infinite, and is the last one. */
async function peerTurns(peer: PlaywrightPage, endsAt: number): Promise<Turns> {
  const samples: number[] = [];
  let text = '';
  for (let round = 0; round < TIMES.peer && (round === 0 || performance.now() < endsAt); round += 1) {
    const startedAt = performance.now();
    text = await Promise.race([peer.snapshot().catch(() => ''), forMs(PEER_MS).then(() => '')]);
    samples.push(text === '' ? Infinity : performance.now() - startedAt);
    if (text === '') break;
  }
  return { samples, chars: text.length, tokens: estimateTokens(text) };
}

interface Others {
  readonly fixture: BenchFixture;
  readonly url: string;
  readonly endsAt: number;
  readonly raw: Turns & { readonly nodes: number };
  readonly theirs: Turns;
}

async function oursBeside({ fixture, url, endsAt, raw, theirs }: Others): Promise<BenchLine[]> {
  const { session, tab, observer } = await fixture.tab(url);
  const look = async (options: SnapshotOptions): Promise<SnapshotView> => {
    const view = await call((budget) => tab.snapshots.take(budget, options));
    must(
      view.source.kind === 'dom' && view.truncated !== undefined,
      `The snapshot does not say that it is not whole: ${view.source.reason}`,
    );
    return view;
  };
  const reload = async (): Promise<void> => {
    const { error } = await fixture.server.act(session, { kind: 'navigate', url });
    must(error === undefined, `The page did not load: ${error?.message ?? ''}`);
    await observer.twoFrames();
  };
  let changes = 0;
  const change = async (): Promise<void> =>
    void (await observer.value(`document.querySelector('button').textContent = 'Add, change ${(changes += 1)}'`));
  const first = {
    base: figure(raw.samples),
    ours: figure(await repeat(TIMES.first, partOf(endsAt, 0.6), () => look({}), reload)),
  };
  const again = figure(await repeat(TIMES.again, endsAt, () => look({}), change));
  const full = await look({});
  const views: Record<string, SnapshotView> = {
    'what is in view': full,
    'what is in view, interactive only': await look({ interactive: true }),
  };
  await change();
  views['what changed in view after one change'] = await look({ since: full.revision });
  return [
    { what: 'snapshot, first of a document, what is in view', unit: 'ms', ...first, reach: ratioAtMost(0.25, first) },
    { what: 'snapshot after one change, what is in view', unit: 'ms', base: first.base, ours: again },
    {
      what: 'snapshot after one change, what is in view, against all of Playwright’s for AI',
      unit: 'ms',
      base: figure(theirs.samples),
      ours: again,
    },
    ...Object.entries(views).map(([name, view]) =>
      sizeLine(name, view, `raw: ${raw.nodes} nodes, ${raw.chars} characters of all`, raw.tokens),
    ),
    ...(theirs.chars === 0
      ? []
      : [sizeLine('what is in view', full, `all of Playwright’s for AI: ${theirs.chars} characters`, theirs.tokens)]),
  ];
}

function sizeLine(name: string, { text, stats }: SnapshotView, beside: string, tokens: number): BenchLine {
  return {
    what: `size, ${name}: ${text.split('\n').length} lines, ${text.length} characters (${beside})`,
    unit: 'tokens',
    base: single(tokens),
    ours: single(stats.tokens),
  };
}

/** Runs at least once, and starts no run after `endsAt`. Returns the milliseconds of each. */
async function repeat(
  times: number,
  endsAt: number,
  work: () => Promise<unknown>,
  before: () => Promise<void> = async () => undefined,
): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < times && (round === 0 || performance.now() < endsAt); round += 1) {
    await before();
    samples.push(await timed(work));
  }
  return samples;
}
