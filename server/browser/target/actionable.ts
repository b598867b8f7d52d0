import type { Budget } from '@/lib/budget/budget';
import type { FencedSession } from '../write';
import { Attempt, type Actionable, type ActionabilityOptions, type Finder } from './attempt';
import type { TargetTab } from './ports';
import { resolveAgain, resolveTarget, type ElementTarget } from './resolve';

/**
 * Finds a target and waits until it can be acted on: attached, visible, stable, enabled, in view, not covered (AC3); a
 * re-rendered element is found again. Waits `patienceMs` at most, then throws why it cannot: COVERED with what covers
 * it, DISABLED, NOT_VISIBLE, OFFSCREEN, NODE_GONE, WRONG_ELEMENT; and whatever `resolveTarget` throws. The caller
 * releases the element.
 */
export async function makeActionable(
  budget: Budget,
  write: FencedSession,
  tab: TargetTab,
  target: ElementTarget | Finder,
  wish: ActionabilityOptions,
): Promise<Actionable> {
  const finder = 'find' in target ? target : finderOf(budget, tab, target);
  return new Attempt(budget, write, tab, finder, wish).run();
}

function finderOf(budget: Budget, tab: TargetTab, target: ElementTarget): Finder {
  return { find: () => resolveTarget(budget, tab, target), again: () => resolveAgain(budget, tab, target) };
}

export type { Actionable, ActionabilityOptions, Finder };
