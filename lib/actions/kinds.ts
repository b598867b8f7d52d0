import { z } from 'zod';
import { check, select } from './kinds/forms';
import { evaluate, screenshot, snapshot } from './kinds/look';
import { dialog, history, navigate, resize, scroll, tab } from './kinds/navigation';
import { click, drag, focus, highlight, hover, scrollIntoView } from './kinds/pointer';
import { none, stop } from './kinds/small';
import { press, type } from './kinds/text';
import { wait } from './kinds/wait';

/**
 * Every action there is, told apart by `kind` (AC1, actions.md "Kinds"). One schema per kind, one file of them per family.
 * What is not in this union cannot be done by any door.
 */
export const actionSchema = z.discriminatedUnion('kind', [
  click, hover, focus, highlight, scrollIntoView, drag,
  type, press,
  check, select,
  navigate, history, scroll,
  wait, evaluate, snapshot, screenshot,
  tab, dialog, resize,
  none, stop,
]);

export type Action = z.infer<typeof actionSchema>;
export type ActionKind = Action['kind'];
export type ActionOf<K extends ActionKind> = Extract<Action, { kind: K }>;
export { CONDITION_KEYS, type WaitCondition } from './kinds/wait';
export type { Point } from './shared';
