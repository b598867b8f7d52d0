import type { Action } from './kinds/group';

export { actionSchema, eachAction, runsScript, type Action } from './kinds/group';
export { CONDITION_KEYS, type WaitCondition } from './kinds/wait';
export type { Point } from './shared';

export type ActionKind = Action['kind'];
export type ActionOf<K extends ActionKind> = Extract<Action, { kind: K }>;
