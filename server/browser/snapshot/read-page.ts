import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { rawFromAx } from '@/lib/snapshot/ax';
import type { AxDocument } from '@/lib/snapshot/ax-node';
import type { CoveredNode } from '@/lib/snapshot/covered';
import { rawFromDom, type DomSource } from '@/lib/snapshot/dom';
import type { DomDocument } from '@/lib/snapshot/dom-document';
import { domFacts, foreignFrames } from '@/lib/snapshot/dom-facts';
import type { DomFacts } from '@/lib/snapshot/facts';
import type { RawDocument, RawTree } from '@/lib/snapshot/raw';
import { readMode } from '@/lib/snapshot/weight';
import { CdpError, MalformedAnswer } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { readFrames, sameDocuments, unchanged, type FrameInfo } from './frames';
import { readFull, type FullReading } from './full-reading';
import { readInView, type LargePage, type UnreadContent } from './in-view-reading';
import { IncrementalDocument } from './incremental-document';
import { IncrementalPage } from './incremental-page';
import { documentOf as documentObject } from './press-listeners';
import type { SecretMemory } from './secret-memory';
import { yieldToEventLoop } from './yield';
import { weighPage, type WeighedPage } from './weigh-page';
import type { ReaderWorlds } from './reader-worlds';

export interface PageSource {
  readonly kind: 'ax' | 'mixed' | 'dom';
  readonly reason: string;
}

/** A page as it was read; every document in it was the same before and after. */
export interface PageReading {
  readonly raw: RawTree;
  /** All frames of the target, its own first. */
  readonly frames: readonly FrameInfo[];
  /** Frames of other processes that are included, once they were read too. */
  readonly inner?: readonly FrameInfo[];
  /** Number of visible frames whose content is not included, since it is in another process. */
  readonly foreign: number;
  readonly source: PageSource;
  /** What is not included, for people; undefined when the page is complete. */
  readonly missing: string | undefined;
  /** Milliseconds. */
  readonly ms: { readonly ax: number; readonly dom: number };
  /** The covered elements at the time of the full reading; undefined when they were not read with it. */
  readonly covered?: readonly CoveredNode[];
  /** The state from which the next reading can be renewed; undefined when the page cannot be followed. */
  readonly kept?: IncrementalPage | undefined;
}

export interface PageAccess {
  readonly session: CdpSession;
  readonly worlds: ReaderWorlds;
  readonly secrets: SecretMemory;
  /** The label of a subframe (`f1`, `f2`…), fixed while the frame lives (SN5). `own`: it is the target's own frame. */
  readonly label: (frameId: string, own: boolean) => string;
  /** The frames as they probably are; what is counted on this guess is used only if the guess was right. */
  readonly expected: () => readonly FrameInfo[];
  /** Whether this document is known to be gone, whatever Chrome answers on this lane. */
  readonly isReplaced: (frame: FrameInfo) => boolean;
  /** Finds the covered elements of documents with so many nodes; fails only with the budget or the session. */
  readonly covered: (budget: Budget, frames: readonly FrameInfo[], nodes: number) => Promise<readonly CoveredNode[]>;
}

/** Most times that a page may be replaced while it is read. */
const MAX_ATTEMPTS = 10;

/**
 * Reads the page that a target shows now (SN1, SN10). `patienceMs`: the least time that a waiting caller has left.
 * Throws what ended the budget or the session; TIMEOUT when the page is replaced again and again.
 */
export async function readPage(budget: Budget, access: PageAccess, patienceMs: number): Promise<PageReading> {
  let cause: unknown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      const reading = await tryRead(budget, access, patienceMs);
      // A document that was reported gone and is there all the same was restored from the history: its own event is
      // still on the way.
      if (reading && (attempt > MAX_ATTEMPTS / 2 || !isOutdated(reading, access))) return reading;
    } catch (error) {
      if (!(error instanceof CdpError) || error instanceof MalformedAnswer) throw error;
      // Chrome refuses commands for a document that has just been replaced.
      access.worlds.forgetAll();
      cause = error;
    }
  }
  throw new WheelhouseError('TIMEOUT', 'The page was replaced again and again while it was being read.', {
    details: { attempts: MAX_ATTEMPTS },
    cause,
  });
}

function isOutdated(reading: PageReading, access: PageAccess): boolean {
  const [main] = reading.frames;
  return main !== undefined && access.isReplaced(main);
}

/** Undefined when the page was replaced during the reading. */
async function tryRead(budget: Budget, access: PageAccess, patienceMs: number): Promise<PageReading | undefined> {
  const counted = await countedFrames(budget, access);
  const { frames, weighed } = counted;
  const mode = readMode(weighed.weight, patienceMs);
  return mode.kind === 'full'
    ? full(budget, access, counted)
    : inView(budget, access, frames, mode.reason, { elements: weighed.weight.elements, patienceMs });
}

/** `listened`: an object id of the document, when it has no subframes. */
interface PageCount {
  readonly frames: readonly FrameInfo[];
  readonly weighed: WeighedPage;
  readonly listened: string | undefined;
}

/** The frames and their weight: one round trip instead of three when the guess was right. */
async function countedFrames(budget: Budget, access: PageAccess): Promise<PageCount> {
  const guess = access.expected();
  const [frames, guessed, document] = await Promise.all([
    readFrames(budget, access.session),
    weighGuess(budget, access, guess),
    budget.race(documentObject(access.session)),
  ]);
  access.worlds.keep(frames);
  const weighed =
    guessed && sameDocuments(guess, frames) ? guessed : await weighPage(budget, access.session, access.worlds, frames);
  return { frames, weighed, listened: frames.length === 1 ? document : undefined };
}

async function weighGuess(
  budget: Budget,
  access: PageAccess,
  guess: readonly FrameInfo[],
): Promise<WeighedPage | undefined> {
  if (guess.length === 0) return undefined;
  try {
    return await weighPage(budget, access.session, access.worlds, guess);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    return undefined;
  }
}

/** Made of the DOM pass while the rest is being read. */
interface FromDom {
  readonly facts: DomFacts;
  readonly kept: readonly IncrementalDocument[];
}

async function full(
  budget: Budget,
  access: PageAccess,
  { frames, weighed, listened }: PageCount,
): Promise<PageReading | undefined> {
  const reading = await readFull(budget, access.session, frames, {
    listened,
    covered: () => access.covered(budget, frames, weighed.weight.nodes),
    make: (documents): FromDom => ({ facts: domFacts(documents), kept: keptDocuments(documents, frames, weighed) }),
  });
  const same = stable(frames, reading.after);
  if (!same) return undefined;
  const { dom } = reading;
  const facts = dom && access.secrets.apply(same[0]?.loaderId ?? '', dom.made.facts);
  const base = {
    frames: reading.after,
    missing: undefined,
    foreign: dom ? foreignFrames(dom.documents) : 0,
    covered: reading.covered,
    ms: reading.ms,
  };
  const ax = same.flatMap((frame) => {
    const nodes = reading.ax.get(frame.frameId);
    return nodes ? [{ ...documentOf(frame, same, access), nodes }] : [];
  });
  await yieldToEventLoop(weighed.weight.nodes);
  if (ax[0]?.frameId === same[0]?.frameId) {
    const kept = facts && keep(reading, { ax, facts, frames, nodes: weighed.weight.nodes });
    return { ...base, raw: kept ? rawOf(kept, access) : rawFromAx(ax, facts), source: sourceOf(reading), kept };
  }
  if (!dom || !facts) throw unreadable(reading);
  return {
    ...base,
    raw: rawFromDom(domSources(dom.documents, same, access), facts),
    source: { kind: 'dom', reason: `Accessibility failed: ${reading.axFailure ?? 'no answer'}` },
  };
}

function unreadable({ axFailure = '', domFailure = '' }: Awaited<ReturnType<typeof readFull>>): WheelhouseError {
  return new WheelhouseError(
    'TAB_UNRESPONSIVE',
    `Chrome did not return the content of the page: ${axFailure} ${domFailure}`.trim(),
  );
}

/** The documents whose changes can be followed. */
function keptDocuments(
  documents: readonly DomDocument[],
  frames: readonly FrameInfo[],
  { marks }: WeighedPage,
): IncrementalDocument[] {
  return frames.flatMap((frame) => {
    const dom = documents.find((document) => document.frameId === frame.frameId);
    const mark = marks.get(frame.frameId);
    return (dom && mark && IncrementalDocument.of(frame, dom, mark)) ?? [];
  });
}

/** Undefined when not every document can be followed. */
function keep(
  reading: FullReading<FromDom>,
  {
    ax,
    facts,
    frames,
    nodes,
  }: { ax: readonly AxDocument[]; facts: DomFacts; frames: readonly FrameInfo[]; nodes: number },
): IncrementalPage | undefined {
  const documents = reading.dom?.made.kept ?? [];
  if (!sameDocuments(frames, reading.after) || ax.length !== frames.length || documents.length !== frames.length)
    return undefined;
  return new IncrementalPage(documents, ax, facts, { counters: reading.counters, listeners: reading.listeners }, nodes);
}

/**
 * A page renewed from what was kept of it (SN1). `parts`: the number of parts that were read again; `ms`: how long that
 * took.
 */
export function renewed(
  kept: IncrementalPage,
  frames: readonly FrameInfo[],
  { parts, ms }: { readonly parts: number; readonly ms: number },
  before: PageReading,
  access: PageAccess,
): PageReading {
  const [way = ''] = before.source.reason.split(READ_AGAIN);
  const again =
    parts === 0 ? way : `${way}${READ_AGAIN}${parts === 1 ? 'one part that changed' : `${parts} parts that changed`}.`;
  const reason =
    kept.unasked === 0
      ? again
      : `${again} What ${kept.unasked} custom elements say of themselves by script is as when all was read.`;
  return {
    ...before,
    raw: rawOf(kept, access),
    frames,
    source: { kind: before.source.kind, reason },
    ms: { ax: ms, dom: 0 },
  };
}

/** The raw tree, which `kept` keeps for the next time. */
function rawOf(kept: IncrementalPage, access: PageAccess): RawTree {
  const own = kept.documents[0]?.frame.frameId;
  return kept.raw((frame) => access.label(frame.frameId, frame.frameId === own));
}

/** Separates, in the reason of a source, how the page was first read from what was read again. */
export const READ_AGAIN = ' Read again: ';

function factsOf(dom: readonly DomDocument[], frames: readonly FrameInfo[], access: PageAccess): DomFacts {
  return access.secrets.apply(frames[0]?.loaderId ?? '', domFacts(dom));
}

/** The text about frames whose content is not listed. */
export function missingFrames(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? 'The content of one frame from another site is not listed.'
    : `The content of ${count} frames from other sites is not listed.`;
}

function sourceOf(reading: FullReading<FromDom>): PageSource {
  if (reading.dom)
    return {
      kind: 'mixed',
      reason: 'Accessibility, with click listeners, cursors, labels and secret fields from the DOM.',
    };
  return {
    kind: 'ax',
    reason: `The DOM pass failed, so the values of text fields are hidden: ${reading.domFailure ?? 'no answer'}`,
  };
}

async function inView(
  budget: Budget,
  access: PageAccess,
  frames: readonly FrameInfo[],
  reason: string,
  page: LargePage,
): Promise<PageReading | undefined> {
  const reading = await readInView(budget, access.session, access.worlds, frames, page);
  const same = stable(frames, reading.after);
  if (!same) return undefined;
  return {
    raw: rawFromDom(domSources(reading.dom, same, access), factsOf(reading.dom, same, access)),
    frames: reading.after,
    foreign: 0,
    source: { kind: 'dom', reason: `Only what is in view was read, from the DOM: ${reason}.` },
    missing: missingInView(reading, reason),
    ms: { ax: 0, dom: reading.ms },
  };
}

/** The text about a page of which only a part was read. */
function missingInView({ stopped, unasked, silent, unopened }: UnreadContent, reason: string): string {
  const said = [
    `Only what is in view is listed${stopped ? ', and not all of that' : ''}, because this page is large: ${reason}. Scroll to see more of it.`,
  ];
  if (unasked > 0) said.push(`Whether a script listens for clicks was not asked of ${unasked} of its elements.`);
  if (silent > 0) said.push(`What custom elements (${silent}) say of themselves by script is not listed.`);
  if (unopened > 0) said.push(`What is in closed shadow roots (${unopened}) is not listed.`);
  return said.join(' ');
}

/** The documents that are the same as before; undefined when the main one is not. */
function stable(before: readonly FrameInfo[], after: readonly FrameInfo[]): readonly FrameInfo[] | undefined {
  const same = unchanged(before, after);
  return same[0] !== undefined && same[0].frameId === before[0]?.frameId ? same : undefined;
}

function documentOf(frame: FrameInfo, frames: readonly FrameInfo[], access: PageAccess): RawDocument {
  return {
    frameId: frame.frameId,
    loaderId: frame.loaderId,
    label: access.label(frame.frameId, frame.frameId === frames[0]?.frameId),
  };
}

function domSources(dom: readonly DomDocument[], frames: readonly FrameInfo[], access: PageAccess): DomSource[] {
  const byFrame = new Map(dom.map((document) => [document.frameId, document]));
  return frames.flatMap((frame) => {
    const document = byFrame.get(frame.frameId);
    return document ? [{ ...documentOf(frame, frames, access), dom: document }] : [];
  });
}
