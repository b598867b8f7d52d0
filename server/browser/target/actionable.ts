import type { Budget } from '@/lib/budget/budget';
import type { FencedSession } from '../write';
import { Attempt, type Actionable, type ActionabilityOptions, type Finder } from './attempt';
import type { TargetTab } from './ports';
import { resolveAgain, resolveTarget, type ElementTarget } from './resolve';

/**
 * Finds a target and waits until it can be acted on: attached, visible, stable, enabled, in view, not covered (AC3).
 * Looks an element up again after the page re-rendered it. Waits as long as `elementWaitMs` allows, then throws the
 * reason: COVERED with the covering element, DISABLED, NOT_VISIBLE, OFFSCREEN, NODE_GONE or WRONG_ELEMENT; also throws
 * what `resolveTarget` throws. The caller releases the element.
 */
export async function makeActionable(
  budget: Budget,
  write: FencedSession,
  tab: TargetTab,
  target: ElementTarget | Finder,
  options: ActionabilityOptions,
): Promise<Actionable> {
  const finder = 'find' in target ? target : finderOf(budget, tab, target);
  return new Attempt(budget, write, tab, finder, options).run();
}

function finderOf(budget: Budget, tab: TargetTab, target: ElementTarget): Finder {
  return { find: () => resolveTarget(budget, tab, target), again: () => resolveAgain(budget, tab, target) };
}

export type { Actionable, ActionabilityOptions, Finder };
