import { z } from 'zod';
import type { ActionOf, Point } from '@/lib/actions/kinds';
import { targetOf } from '@/lib/actions/shared';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { makeActionable } from '@/server/browser/target/actionable';
import type { ScrollState } from '@/server/browser/target/page/scroller';
import { injectedCall, type InjectedArgument, type PageWorld } from '@/server/browser/target/world';
import { inWorldAt } from '@/server/browser/target/world-at';
import { optionalElement, type ElementContext } from './resolved-target';
import { defineAction, type HandlerResult } from './context';

/** How long the page may keep moving after a wheel turn before its position is reported, milliseconds. */
export const REST_MS = 1_000;

export const scroll = defineAction({ kind: 'scroll', settles: true, queued: true, run: runScroll });

export const stateSchema: z.ZodType<ScrollState> = z.object({
  x: z.number(),
  y: z.number(),
  maxX: z.number(),
  maxY: z.number(),
  width: z.number(),
  height: z.number(),
  wheelAt: z.object({ x: z.number(), y: z.number() }),
});

/** The scrolled box: the one around an element, or around the element at a point; the page if there is none. */
interface Scrolled {
  readonly world: PageWorld;
  readonly on: InjectedArgument;
  readonly via: HandlerResult['via'];
  /** Where the wheel turns, CSS px of the viewport; unknown inside frames until the element was aimed at. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
}

async function runScroll(context: ElementContext, action: ActionOf<'scroll'>): Promise<HandlerResult> {
  const target = optionalElement(action);
  if (!target) return onPage(context, action);
  const { element, point } = await makeActionable(context.budget, context.write, context.tab, target, {});
  try {
    context.noteTarget({ element: element.about, ...(point ? { point } : {}) });
    return await turn(context, action, {
      world: element.world,
      on: { objectId: element.objectId },
      via: element.via,
      at: point,
    });
  } finally {
    element.release();
  }
}

async function onPage(context: ElementContext, action: ActionOf<'scroll'>): Promise<HandlerResult> {
  const { tab, budget } = context;
  const target = targetOf(action);
  if (target?.by === 'point') return atPoint(context, action, target.at);
  return tab.worlds.use(budget, tab.page.document.frameId, (world) =>
    turn(context, action, { world, on: { value: null }, via: undefined, at: undefined }),
  );
}

async function atPoint(context: ElementContext, action: ActionOf<'scroll'>, at: Point): Promise<HandlerResult> {
  const { tab, budget } = context;
  return inWorldAt(budget, tab, at, async (world, inside) => {
    const objectId = await world.pick(budget, injectedCall('reach', 'controlAt', { value: inside }));
    context.noteTarget({ point: at });
    return turn(context, action, {
      world,
      on: objectId === undefined ? { value: null } : { objectId },
      via: 'point',
      at,
    });
  });
}

async function turn(context: ElementContext, action: ActionOf<'scroll'>, scrolled: Scrolled): Promise<HandlerResult> {
  const vertical = (action.by?.dx ?? 0) === 0 || (action.by?.dy ?? 0) !== 0;
  const before = await stateOf(context.budget, scrolled, 'state', { value: vertical });
  const distance = distanceOf(action, before);
  const after =
    distance.dx === 0 && distance.dy === 0 ? before : await reach(context, scrolled, vertical, before, distance);
  const { x, y, maxX, maxY } = after;
  const moved = { dx: x - before.x, dy: y - before.y };
  const still =
    moved.dx === 0 && moved.dy === 0
      ? ['Nothing moved: it is at its end already, or the page handles the wheel itself.']
      : [];
  return {
    ...(scrolled.via === undefined ? {} : { via: scrolled.via }),
    value: { x, y, maxX, maxY, moved },
    warnings: still,
  };
}

/** By real wheel turns; where the page did not follow them all the way, the rest is set directly. */
async function reach(
  context: ElementContext,
  scrolled: Scrolled,
  vertical: boolean,
  before: ScrollState,
  distance: { dx: number; dy: number },
): Promise<ScrollState> {
  const { tab, write, budget } = context;
  const rest = [{ value: vertical }, { value: REST_MS }];
  await tab.input.mouse.wheel(write, budget, scrolled.at ?? before.wheelAt, distance.dx, distance.dy);
  const turned = await stateOf(budget, scrolled, 'rested', ...rest);
  const goal = { x: clamp(before.x + distance.dx, before.maxX), y: clamp(before.y + distance.dy, before.maxY) };
  if (Math.abs(turned.x - goal.x) < 2 && Math.abs(turned.y - goal.y) < 2) return turned;
  await scrolled.world.call(
    budget,
    z.unknown(),
    injectedCall('scroller', 'set', scrolled.on, { value: vertical }, { value: goal.x }, { value: goal.y }),
    write,
  );
  return stateOf(budget, scrolled, 'rested', ...rest);
}

function stateOf(
  budget: Budget,
  { world, on }: Scrolled,
  method: 'state' | 'rested',
  ...args: InjectedArgument[]
): Promise<ScrollState> {
  return world.call(budget, stateSchema, injectedCall('scroller', method, on, ...args));
}

/** How far to turn the wheel, CSS px. */
function distanceOf(
  { by, pages, to }: ActionOf<'scroll'>,
  { y, maxY, height }: ScrollState,
): { dx: number; dy: number } {
  if (to !== undefined) return { dx: 0, dy: to === 'top' ? -y : maxY - y };
  if (pages !== undefined) return { dx: 0, dy: Math.round(pages * height) };
  if (by !== undefined) return { dx: by.dx ?? 0, dy: by.dy ?? 0 };
  throw new WheelhouseError('BAD_REQUEST', 'Say how far to scroll: "by", "pages" or "to".');
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
