import { z } from 'zod';
import { targetOf, type Point, type Target, type TargetFields } from '@/lib/actions/shared';
import { WheelhouseError } from '@/lib/errors/error';
import { isSecretField, soundsSecret } from '@/lib/snapshot/secret';
import { makeActionable, type Actionable, type ActionabilityOptions } from '@/server/browser/target/actionable';
import type { PageElement } from '@/server/browser/target/element';
import { resolveTarget, type ElementTarget } from '@/server/browser/target/resolve';
import { locatorTo } from '@/server/browser/event-target/event-targets';
import { CdpError } from '@/server/cdp/protocol';
import { describeElement } from '@/server/browser/target/describe';
import { injectedCall } from '@/server/browser/target/world';
import { inWorldAt } from '@/server/browser/target/world-at';
import type { ActionContext, ResolvedTarget } from './context';

/** The part of the context that the handlers in these files use; `ActionContext` fits. */
export type ElementContext = Pick<ActionContext, 'tab' | 'budget' | 'write' | 'noteTarget' | 'keepSecret'>;

/** The element a validated action must name. Throws BAD_REQUEST otherwise. */
export function elementTarget(fields: TargetFields): ElementTarget {
  const target = optionalElement(fields);
  if (target) return target;
  throw new WheelhouseError('BAD_REQUEST', 'This action must name its element.', {
    details: { fields: [{ field: 'ref', problem: 'is missing' }] },
  });
}

/** The element an action names, if it names one. */
export function optionalElement(fields: TargetFields): ElementTarget | undefined {
  const target: Target | undefined = targetOf(fields);
  return target === undefined || target.by === 'point' ? undefined : target;
}

/** Makes an element actionable, tells the timeline, does the work, lets the element go. */
export async function onElement<T>(
  context: ElementContext,
  target: ElementTarget,
  options: ActionabilityOptions,
  work: (aimed: Actionable) => Promise<T>,
): Promise<T> {
  const aimed = await makeActionable(context.budget, context.write, context.tab, target, options);
  try {
    const locator = target.by === 'node' ? await toldWay(context, aimed.element) : undefined;
    context.noteTarget({
      element: aimed.element.about,
      ...(aimed.point ? { point: aimed.point } : {}),
      ...(locator && { locator }),
    });
    return await work(aimed);
  } finally {
    aimed.element.release();
  }
}

/**
 * How to find it again, for the timeline only: where the page does not tell, the work goes on without. Throws what ends
 * the budget.
 */
async function toldWay({ budget, tab }: ElementContext, element: PageElement): Promise<ResolvedTarget['locator']> {
  const locator = await locatorTo(budget, tab, element).catch(() => undefined);
  budget.check();
  return locator;
}

/**
 * Reports whether a field holds secrets: by its attributes, by its name, or because it was a password field before
 * (SN6). Text typed into such a field is a known secret from then on, and the field stays masked whatever type the page
 * gives it. Source: DOM.describeNode.
 */
export async function reportSecrecy(context: ElementContext, element: PageElement, text: string): Promise<void> {
  const secret = await rememberIfSecret(context, element, { text });
  if (secret !== undefined) context.noteTarget({ secret });
}

/**
 * The same without telling the timeline. Undefined where the element's attributes cannot be read and nothing else says
 * that it is secret.
 */
export async function rememberIfSecret(
  { budget, keepSecret, tab }: Pick<ElementContext, 'budget' | 'keepSecret' | 'tab'>,
  element: PageElement,
  { text, added = false }: TypedText,
): Promise<boolean | undefined> {
  const [answer, before] = await Promise.all([
    budget.race(element.session.sendMayFail('DOM.describeNode', { objectId: element.objectId })),
    element.ask(budget, wasSecret, 'eventTargets', 'of'),
  ]);
  const { attributes: flat = [], backendNodeId } = answer?.node ?? {};
  const attributes = new Map(
    flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : [])),
  );
  const plain = isSecretField((name) => attributes.get(name) ?? '');
  const secret = plain || before.secret || soundsSecret(element.about.name);
  if (!secret) return answer && false;
  const held = added ? await element.ask(budget, z.string(), 'forms', 'value') : '';
  keepSecret(`${held}${text}`, held);
  if (!plain && backendNodeId !== undefined)
    await tab.tools.privateFields.remember(budget, element.world, backendNodeId);
  return true;
}

/** What goes into a field. */
interface TypedText {
  readonly text: string;
  /** The text is appended to the field's content: keys that are typed one by one make one secret. */
  readonly added?: boolean;
}

const wasSecret = z.object({ secret: z.boolean() });

/** Gives an element the focus without a press; false when it cannot have it. Source: DOM.focus. */
export async function focusOn({ write, budget }: ElementContext, element: PageElement): Promise<boolean> {
  try {
    await element.fenced(write)('DOM.focus', { objectId: element.objectId });
  } catch (error) {
    // Chrome refuses what cannot be focused; the look below tells.
    if (!(error instanceof CdpError)) throw error;
  }
  return element.ask(budget, z.boolean(), 'facts', 'focused');
}

/** Finds an element only to look at it, by `find`: tells the timeline, does the work, lets it go. */
export async function withElement<T>(
  context: Pick<ActionContext, 'tab' | 'budget' | 'noteTarget'>,
  target: ElementTarget,
  work: (element: PageElement) => Promise<T>,
  find = resolveTarget,
): Promise<T> {
  const element = await context.budget.during('the page to show the element', () =>
    find(context.budget, context.tab, target),
  );
  try {
    context.noteTarget({ element: element.about });
    return await work(element);
  } finally {
    element.release();
  }
}

/** The point of an actionable element; `makeActionable` always returns one when asked for an aim. */
export function pointOf(aimed: Actionable): { readonly x: number; readonly y: number } {
  if (aimed.point) return aimed.point;
  throw new WheelhouseError('NOT_VISIBLE', `${aimed.element.title} has no place to press.`);
}

/** Names the element at a point for the timeline. Throws OFFSCREEN for a point outside the viewport. */
export async function elementAt(
  { tab, budget }: Pick<ActionContext, 'tab' | 'budget'>,
  at: Point,
): Promise<ResolvedTarget> {
  return inWorldAt(budget, tab, at, async (world, inside) => {
    const objectId = await world.pick(budget, injectedCall('reach', 'controlAt', { value: inside }));
    if (objectId === undefined)
      throw new WheelhouseError('OFFSCREEN', `The point ${at.x}, ${at.y} is outside the viewport.`, {
        hint: 'Points are CSS pixels of the viewport; scroll first, or name the element.',
      });
    const element = await describeElement(budget, world, tab.refs, objectId);
    world.release(objectId);
    return { element, point: at };
  });
}
