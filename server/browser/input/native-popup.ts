import { z } from 'zod';
import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { boxAround, cornersOf } from '@/lib/geometry/bounds';
import type { Box } from '@/lib/protocol/catalog';
import { popupSchema, type PopupView } from '@/lib/protocol/popup';
import { cleanText } from '@/lib/text/clean';
import { inFocusedDocument } from '../target/focused-world';
import { FramePath } from '../target/frame-path';
import type { PopupKind } from '../target/page/popups';
import type { TargetTab } from '../target/ports';
import { rectSchema } from '../target/probed';
import { injectedCall, type InjectedCall, type PageWorld } from '../target/world';
import { inDocumentAt } from '../target/world-at';
import type { Write } from '../write';

export type { PopupKind };

/** Most options of a select that are shown; the select action can choose the others. */
const MOST_OPTIONS = 1_000;
const MOST_TEXT = 200;

const seenSchema = z
  .object({
    sort: z.string(),
    label: z.string(),
    box: rectSchema,
    options: z.array(z.object({ label: z.string(), group: z.string() }).loose()),
  })
  .loose()
  .nullable();

const metSchema: z.ZodType<PopupKind> = z.enum(['control', 'frame', 'nothing']);

/**
 * The popup that Chrome would draw outside of the page if this point were pressed (DI3): the menu of a select, or a
 * date, time or colour picker, in whatever frame it is. Undefined for anything else, which takes one call on a page
 * without frames there. Everything in it is made by the page.
 */
export async function popupAt(budget: Budget, tab: TargetTab, point: Point): Promise<PopupView | undefined> {
  const pick = async (world: PageWorld, { x, y }: Point): Promise<PopupView | undefined> =>
    readPopup(
      budget,
      tab,
      world,
      await world.pick(budget, injectedCall('popups', 'controlAt', { value: x }, { value: y })),
    );
  return met(
    budget,
    tab,
    metCall(point),
    (world) => pick(world, point),
    () => inDocumentAt(budget, tab, point, pick),
  );
}

/**
 * Tells in one call what a press at this point of the page meets: such a control, a frame that may have one there, or
 * neither.
 */
export function popupKindAt(budget: Budget, { worlds, page }: TargetTab, point: Point): Promise<PopupKind> {
  return worlds.use(budget, page.document.frameId, (world) => world.call(budget, metSchema, metCall(point)));
}

/** The popup that a key such as the space bar would open from the focused control, in whatever frame. */
export async function popupOfFocus(budget: Budget, tab: TargetTab): Promise<PopupView | undefined> {
  const pick = async (world: PageWorld): Promise<PopupView | undefined> =>
    readPopup(budget, tab, world, await world.pick(budget, injectedCall('popups', 'focused')));
  return met(budget, tab, injectedCall('popups', 'metByKey'), pick, () =>
    inFocusedDocument(budget, tab.worlds, tab.page.document.frameId, pick),
  );
}

/** The popup that Chrome shows outside of the page now; undefined when there is none. */
export async function popupOpen(budget: Budget, tab: TargetTab): Promise<PopupView | undefined> {
  return inFocusedDocument(budget, tab.worlds, tab.page.document.frameId, async (world) =>
    readPopup(budget, tab, world, await world.pick(budget, injectedCall('popups', 'opened'))),
  );
}

/**
 * Closes an open popup as a person would. The page does not see the `rawKeyDown` of Escape; its `keyUp` is not sent,
 * since the page would get it (docs/chrome-facts.md, Input). Source: Input.dispatchKeyEvent.
 */
export async function closePopup(budget: Budget, write: Write): Promise<void> {
  await budget.race(
    write('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 }),
  );
}

function metCall({ x, y }: Point): InjectedCall {
  return injectedCall('popups', 'metAt', { value: x }, { value: y });
}

/** Asks the page first, and looks into a frame only where one may have such a control. */
async function met<T>(
  budget: Budget,
  { worlds, page }: TargetTab,
  call: InjectedCall,
  here: (world: PageWorld) => Promise<T>,
  inside: () => Promise<T>,
): Promise<T | undefined> {
  const [what, found] = await worlds.use(budget, page.document.frameId, async (world) => {
    const what = await world.call(budget, metSchema, call);
    return [what, what === 'control' ? await here(world) : undefined] as const;
  });
  return what === 'frame' ? inside() : found;
}

async function readPopup(
  budget: Budget,
  tab: TargetTab,
  world: PageWorld,
  objectId: string | undefined,
): Promise<PopupView | undefined> {
  if (objectId === undefined) return undefined;
  const [seen, { node }, toTab] = await Promise.all([
    world.call(budget, seenSchema, injectedCall('popups', 'read', { objectId }, { value: MOST_OPTIONS })),
    budget.race(world.session.send('DOM.describeNode', { objectId })),
    outwardFrom(budget, tab, world.frameId),
  ]);
  world.release(objectId);
  if (!seen) return undefined;
  const options = seen.options.map((option) => ({ ...option, label: shown(option.label), group: shown(option.group) }));
  const target = tab.frames.targetOf(world.frameId)?.targetId;
  const named = {
    loaderId: world.loaderId,
    backendNodeId: node.backendNodeId,
    ...(target === undefined ? {} : { target }),
  };
  return popupSchema.safeParse({ ...seen, options, box: toTab(seen.box), label: shown(seen.label), node: named }).data;
}

/** Maps boxes from a frame's viewport to the tab's, by the present positions of all frames. */
async function outwardFrom(budget: Budget, tab: TargetTab, frameId: string): Promise<(box: Box) => Box | undefined> {
  const path = await FramePath.from(budget, tab, frameId);
  try {
    const places = await path.measure(budget);
    return (box) => places && boxAround(cornersOf(box).map((corner) => path.outward(places, corner)));
  } finally {
    path.release();
  }
}

function shown(text: string): string {
  return cleanText(text, MOST_TEXT);
}
