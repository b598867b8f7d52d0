import type { Budget } from '@/lib/budget/budget';
import { clipped, onPage, type PresentPage } from '@/lib/comments/anchor';
import type { Aim, Anchor } from '@/lib/comments/comment';
import { WheelhouseError } from '@/lib/errors/error';
import type { Box, ElementView } from '@/lib/protocol/catalog';
import { maskAddresses } from '@/lib/text/mask';
import type { Tab } from '@/server/browser/tab';
import { describeElement } from '@/server/browser/target/describe';
import { injectedCall } from '@/server/browser/target/world';
import { inDocumentAt } from '@/server/browser/target/world-at';

type Point = Parameters<typeof inDocumentAt>[2];

/** How long a comment on a box waits for the element under it. Milliseconds. */
const ELEMENT_MS = 2_000;

/** An element with the frame that it is in. */
interface Found extends ElementView {
  readonly frameId: string;
}

/**
 * What a new comment is about: an element, a box on the page, or both; undefined for neither. Throws REF_UNKNOWN,
 * REF_STALE_DOCUMENT, BAD_REQUEST for a box outside the page.
 */
export async function anchorOf(budget: Budget, tab: Tab, aim: Aim): Promise<Anchor | undefined> {
  const named = aim.ref === undefined ? undefined : namedBy(tab, aim.ref);
  if (!named && !aim.box) return undefined;
  const { document } = tab.page;
  const drawn = aim.box && (await drawnBox(budget, tab, aim.box, aim.scroll));
  const element = named ?? (drawn?.centre && (await inTime(budget, (look) => elementUnder(look, tab, drawn.centre))));
  const elementBox =
    element?.ref === undefined ? undefined : (await placesOf(budget, tab, [element.ref])).get(element.ref);
  const box = drawn?.box ?? elementBox;
  return {
    ...(element && aboutOf(tab, element)),
    ...{ document: document.loaderId, url: maskAddresses(tab.url) },
    ...(box && { box }),
    ...(drawn && elementBox && { elementBox }),
  };
}

/**
 * The element at a point of the viewport, with a ref where a snapshot gives it one; undefined outside the viewport.
 * Throws what a snapshot throws.
 */
export async function elementUnder(budget: Budget, tab: Tab, point: Point): Promise<Found | undefined> {
  const found = await elementAt(budget, tab, point);
  if (!found || found.ref !== undefined) return found;
  await tab.snapshots.take(budget);
  return elementAt(budget, tab, point);
}

/** Where elements are on the page, by ref; those without a box and those that are gone are left out. */
export async function placesOf(budget: Budget, tab: Tab, refs: readonly string[]): Promise<ReadonlyMap<string, Box>> {
  const known = refs.filter((ref) => tab.refs.knows(ref));
  if (known.length === 0) return new Map();
  const [boxes, { cssVisualViewport }] = await Promise.all([
    tab.snapshots.boxesOf(budget, known),
    budget.race(tab.sessions.bulk.send('Page.getLayoutMetrics')),
  ]);
  return new Map([...boxes].map(([ref, box]) => [ref, onPage(box, cssVisualViewport)]));
}

export function presentPage(tab: Tab): PresentPage {
  return {
    document: tab.page.document.loaderId,
    documentOf: (frame) => tab.frames.of(frame)?.loaderId,
    knows: (ref) => tab.refs.knows(ref),
  };
}

function namedBy(tab: Tab, ref: string): Found {
  const { ref: known, role, name, frameId } = tab.refs.lookup(ref);
  return { ref: known, role, name, frameId };
}

function aboutOf(tab: Tab, { ref, role, name, frameId }: Found): Pick<Anchor, 'ref' | 'role' | 'name' | 'frame'> {
  const document = frameId === tab.page.document.frameId ? undefined : tab.frames.of(frameId)?.loaderId;
  return {
    ...{ role, name },
    ...(ref !== undefined && { ref }),
    ...(document !== undefined && { frame: { id: frameId, document } }),
  };
}

/** The control at a point, else the innermost element there, in any frame. */
function elementAt(budget: Budget, tab: Tab, point: Point): Promise<Found | undefined> {
  return inDocumentAt(budget, tab, point, async (world, at) => {
    const objectId = await world.pick(budget, injectedCall('reach', 'controlAt', { value: at }));
    if (objectId === undefined) return undefined;
    try {
      return { ...(await describeElement(budget, world, tab.refs, objectId)), frameId: world.frameId };
    } finally {
      world.release(objectId);
    }
  });
}

/**
 * The part of a drawn box that was on the picture, on the page, and its centre in the viewport as it is scrolled now.
 * Throws BAD_REQUEST for one outside.
 */
async function drawnBox(
  budget: Budget,
  tab: Tab,
  box: Box,
  scroll: Aim['scroll'],
): Promise<{ readonly box: Box; readonly centre: Point }> {
  const metrics = await budget.race(tab.sessions.bulk.send('Page.getLayoutMetrics'));
  const { cssVisualViewport: view, cssContentSize } = metrics;
  const seen = clipped(box, { width: view.clientWidth, height: view.clientHeight });
  const place = scroll ? { pageX: scroll.x, pageY: scroll.y } : view;
  const page = seen && onPage(seen, place);
  if (!page || !clipped(page, cssContentSize)) throw outside();
  const centre = { x: page.x + page.width / 2 - view.pageX, y: page.y + page.height / 2 - view.pageY };
  return { box: page, centre };
}

/** What a page does not answer in time is left out of the comment. Throws what ends the budget. */
async function inTime<T>(budget: Budget, work: (budget: Budget) => Promise<T>): Promise<T | undefined> {
  try {
    return await budget.within(ELEMENT_MS, work);
  } catch (error) {
    if (budget.over || !(error instanceof WheelhouseError)) throw error;
    return undefined;
  }
}

function outside(): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', '"box" lies outside the page.', {
    hint: 'CSS pixels of the viewport; with "scroll", of the viewport at that place.',
    details: { fields: [{ field: 'box', problem: 'lies outside the page' }] },
  });
}
