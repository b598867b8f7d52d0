import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { WEIGHT_LIMITS, type PageWeight } from '@/lib/snapshot/weight';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameInfo } from './frames';
import { pageScript } from './page/script';
import { addTexts, attributeChars, weighDocument } from './page/weigh';
import { BEGIN_SOURCE, WATCH_SOURCE } from './page/watch-source';
import type { ReaderWorlds } from './reader-worlds';

const markSchema = z.object({ count: z.int(), print: z.int() });
/** What the watch of a document reports when it begins. */
export type DocumentMark = z.infer<typeof markSchema>;

const weightSchema = z.object({
  elements: z.number(),
  nodes: z.number(),
  chars: z.number(),
  mark: markSchema.optional(),
});
type DocumentWeight = z.infer<typeof weightSchema>;

const SCRIPT = pageScript(
  weighDocument,
  [addTexts, attributeChars],
  [WEIGHT_LIMITS.elements, WEIGHT_LIMITS.nodes, WEIGHT_LIMITS.chars],
);

/** The weight of a page, and the marks of its documents' watches, by frame. */
export interface WeighedPage {
  readonly weight: PageWeight;
  readonly marks: ReadonlyMap<string, DocumentMark>;
}

/** Also begins the watch anew in each document that is small enough to be read whole. */
const EXPRESSION = `(() => { const weight = ${SCRIPT}; if (weight.elements > ${WEIGHT_LIMITS.elements}) return weight; ${WATCH_SOURCE}; return { ...weight, mark: ${BEGIN_SOURCE} }; })()`;

/**
 * Counts the documents of a target (SN10): about a millisecond for an ordinary page, 25 for one at the limit. CDP:
 * `Memory.getDOMCounters`.
 */
export async function weighPage(
  budget: Budget,
  session: CdpSession,
  worlds: ReaderWorlds,
  frames: readonly FrameInfo[],
): Promise<WeighedPage> {
  const [counters, ...weights] = await budget.during('the page to be counted', () =>
    Promise.all([
      session.sendMayFail('Memory.getDOMCounters'),
      ...frames.map((frame) => weighFrame(budget, session, worlds, frame)),
    ]),
  );
  const sum = (pick: (weight: DocumentWeight) => number): number =>
    weights.reduce((total, weight) => total + pick(weight), 0);
  const nodes = sum((part) => part.nodes);
  // The process has other pages too: those that Chrome keeps for the way back, and those of other tabs.
  const mayHide = (counters?.nodes ?? 0) - nodes > WEIGHT_LIMITS.hidden;
  const weight = {
    elements: sum((part) => part.elements),
    nodes,
    chars: sum((part) => part.chars),
    hidden: mayHide ? (await countAll(budget, session)) - nodes : 0,
  };
  const marks = new Map<string, DocumentMark>();
  frames.forEach(({ frameId }, index) => {
    const mark = weights[index]?.mark;
    if (mark) marks.set(frameId, mark);
  });
  return { weight, marks };
}

/**
 * All nodes of the target's documents with those of closed shadow roots, 20 ms for 100 000: an empty search finds each
 * (docs/chrome-facts.md, Accessibility and DOM). CDP: `DOM.performSearch`.
 */
async function countAll(budget: Budget, session: CdpSession): Promise<number> {
  const found = await budget.during('the page to be counted', () =>
    session.sendMayFail('DOM.performSearch', { query: '' }),
  );
  if (!found) return Number.POSITIVE_INFINITY;
  void session.sendMayFail('DOM.discardSearchResults', { searchId: found.searchId });
  return found.resultCount;
}

/** A document that cannot be counted counts as infinitely large, so that it is not read whole. */
const UNCOUNTED: DocumentWeight = { elements: Number.POSITIVE_INFINITY, nodes: 0, chars: 0 };

async function weighFrame(
  budget: Budget,
  session: CdpSession,
  worlds: ReaderWorlds,
  frame: FrameInfo,
): Promise<DocumentWeight> {
  const contextId = await worlds.of(budget, frame);
  const { result } = await session.send('Runtime.evaluate', { expression: EXPRESSION, contextId, returnByValue: true });
  const parsed = weightSchema.safeParse(result.value);
  return parsed.success ? parsed.data : UNCOUNTED;
}
