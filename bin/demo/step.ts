import type { Control } from '@/bin/demo/page';

/** The steps and the memory of the demo agent. */

/** One action of the HTTP API, as sent. */
export interface DemoAction {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export type DemoStep =
  /** `key` counts the tries of a step; `say` goes into the log and into the action's note. */
  | { readonly kind: 'act'; readonly key: string; readonly action: DemoAction; readonly say: string }
  | { readonly kind: 'done'; readonly order: string }
  | { readonly kind: 'give-up'; readonly why: string };

/** The memory within a round. */
export interface DemoMemory {
  readonly shop: string;
  /** The delivery date to ask for. */
  readonly day: string;
  /** Number of tries of each step on the present page of the form. */
  readonly tries: ReadonlyMap<string, number>;
  /** Orders of earlier rounds, whose confirmation may still be open. */
  readonly oldOrders: ReadonlySet<string>;
}

/** Prefix of the keys of steps that fill in a field of the checkout. */
export const FIELD = 'field:';
export const PLACE_ORDER = 'place-order';

export function triesOf(memory: DemoMemory, key: string): number {
  return memory.tries.get(key) ?? 0;
}

export function click(key: string, control: Control, say: string): DemoStep {
  return { kind: 'act', key, action: { kind: 'click', ref: control.ref }, say };
}

/** The memory after a try of `key`. Sending the form leads to a new page, on which all fields may be tried again. */
export function afterTry(memory: DemoMemory, key: string): DemoMemory {
  const kept = [...memory.tries].filter(([name]) => key !== PLACE_ORDER || !name.startsWith(FIELD));
  return { ...memory, tries: new Map([...kept, [key, triesOf(memory, key) + 1]]) };
}
