import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { Write } from '../write';
import { Attempt } from './attempt';
import type { PageElement } from './element';
import type { ElementFacts } from './page/facts';
import type { TargetTab } from './ports';
import { resolveAgain, resolveTarget, type ElementTarget } from './resolve';

export interface ActionableWish {
  readonly enabled?: boolean;
  readonly editable?: boolean;
  /** Needs a point that a press would reach. Default true. */
  readonly aim?: boolean;
  /** Skip the checks, and say so (AC3). */
  readonly force?: boolean | undefined;
}

export interface Actionable {
  readonly element: PageElement;
  /** CSS px of the viewport; absent when no aim was asked for. */
  readonly point: Point | undefined;
  readonly facts: ElementFacts;
  readonly warnings: readonly string[];
}

/**
 * Finds a target and waits until it can be acted on: attached, visible, stable, enabled, in view, not covered (AC3); a re-rendered
 * element is found again. Waits `patienceMs` at most, then throws why it cannot: COVERED with what covers it, DISABLED, NOT_VISIBLE,
 * OFFSCREEN, NODE_GONE, WRONG_ELEMENT; and whatever `resolveTarget` throws. The caller releases the element.
 */
export async function makeActionable(budget: Budget, write: Write, tab: TargetTab, target: ElementTarget | Finder, wish: ActionableWish): Promise<Actionable> {
  const finder = 'find' in target ? target : finderOf(budget, tab, target);
  return new Attempt(budget, write, tab, finder, wish).run();
}

/** Where an element comes from, and how it is had again after the page replaced it. */
export interface Finder {
  find(): Promise<PageElement>;
  again(): Promise<PageElement>;
}

function finderOf(budget: Budget, tab: TargetTab, target: ElementTarget): Finder {
  return { find: () => resolveTarget(budget, tab, target), again: () => resolveAgain(budget, tab, target) };
}
