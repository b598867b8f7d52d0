import { kindOf, type Action } from './kinds';
import { clean, describeTarget, quote, type ElementName } from './phrases';
import type { TargetFields } from './shared';

export type { ElementName } from './phrases';

/** One line for people: `click button "Sign in"`. Typed text is left out when `secret` (SN6). */
export function describeAction(action: Action, element?: ElementName, secret = false): string {
  const on = element ? `${clean(element.role)} ${quote(element.name)}` : describeTarget(ownTarget(action));
  const sentence = kindOf(action).sentence?.(action, { on, element, secret });
  return (sentence ?? `${action.kind} ${on}`).trim();
}

/**
 * The element that an action names by ref, role or selector, in the caller's own words; '' where it names none, or a
 * point.
 */
export function namedTarget(action: Action): string {
  const { at: _at, node: _node, ...named } = ownTarget(action);
  return describeTarget(named);
}

/** The target an action names at its top level, if its kind has one. */
function ownTarget(action: Action): TargetFields {
  return {
    ref: 'ref' in action ? action.ref : undefined,
    role: 'role' in action ? action.role : undefined,
    name: 'name' in action ? action.name : undefined,
    selector: 'selector' in action ? action.selector : undefined,
    at: 'at' in action ? action.at : undefined,
    node: 'node' in action ? action.node : undefined,
  };
}
