import { estimateTokens } from '@/lib/snapshot/tokens';
import type { SnapshotOptions } from '@/lib/snapshot/options';
import type { SnapshotView } from '@/lib/protocol/views';
import { atMost, ratioAtLeast, ratioAtMost, single, type BenchLine } from './line';

/** One page, read by both at the same moment. */
export interface SizeSubject {
  take(options: SnapshotOptions): Promise<SnapshotView>;
  /** Changes one button's text. */
  change(): Promise<void>;
  /** Playwright's snapshot for AI. */
  theirs(): Promise<string>;
  /** The result of agent-browser's `-i`, where it is installed. */
  readonly interactiveOf: (() => Promise<string>) | undefined;
  /** Number of interactive elements, as the page itself counts them. */
  actionable(): Promise<number>;
}

/**
 * Tokens of agent-browser's `-i` as a share of Playwright's, measured on one page: 34 100 of 37 600. For runs without
 * agent-browser.
 */
const INTERACTIVE_PEER = 34_100 / 37_600;
/** Roles of the interactive elements of the bench page. */
const ACTED_ON = /^\s*- (?:link|button|spinbutton|checkbox)\b.*\[ref=/gm;

/**
 * Characters and tokens of each view beside Playwright's for AI in the same run, with the share of interactive elements
 * that each lists.
 */
export async function sizeLines(page: SizeSubject): Promise<BenchLine[]> {
  const theirs = await page.theirs();
  const lines: BenchLine[] = [];
  for (const [name, options] of Object.entries(VIEWS)) lines.push(sizeLine(name, theirs, await page.take(options)));
  if (page.interactiveOf)
    lines.push(interactiveLine(await page.interactiveOf(), await page.take({ interactive: true })));
  const full = await page.take({});
  await page.change();
  const delta = await page.take({ since: full.revision });
  const ours = single(delta.stats.tokens);
  lines.push({
    what: `size, what changed after one change: ${countOf(delta.text)}`,
    unit: 'tokens',
    base: single(estimateTokens(theirs)),
    ours,
    reach: atMost(149, ours, 'under 150'),
  });
  const all = await page.actionable();
  const named = {
    base: single(theirs.match(ACTED_ON)?.length ?? 0),
    ours: single((await page.take({ interactive: true })).stats.interactive),
  };
  return [
    ...lines,
    { what: `what can be acted on by ref, of ${all}`, unit: 'elements', ...named, reach: ratioAtLeast(1, named) },
  ];
}

const VIEWS = {
  full: {},
  'interactive only': { interactive: true },
  'role, compact': { view: 'role', compact: true },
  webarena: { view: 'webarena' },
} as const satisfies Record<string, SnapshotOptions>;

function sizeLine(name: string, theirs: string, view: SnapshotView): BenchLine {
  const sides = { base: single(estimateTokens(theirs)), ours: single(view.stats.tokens) };
  const what = `size, ${name}, against Playwright’s for AI: ${countOf(view.text)} to its ${theirs.length}`;
  if (name === 'full') return { what, unit: 'tokens', ...sides, reach: ratioAtMost(0.75, sides) };
  const limit = Math.round(0.4 * INTERACTIVE_PEER * 100) / 100;
  return name === 'interactive only'
    ? { what, unit: 'tokens', ...sides, reach: ratioAtMost(limit, sides) }
    : { what, unit: 'tokens', ...sides };
}

function interactiveLine(theirs: string, { text, stats }: SnapshotView): BenchLine {
  const sides = { base: single(estimateTokens(theirs)), ours: single(stats.tokens) };
  return {
    what: `size, interactive only, against agent-browser’s -i: ${countOf(text)} to its ${theirs.length}`,
    unit: 'tokens',
    ...sides,
    reach: ratioAtMost(0.4, sides),
  };
}

function countOf(text: string): string {
  return `${text.split('\n').length} lines, ${text.length} characters`;
}
