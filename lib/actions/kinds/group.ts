import type { z } from 'zod';
import type { KindRules } from './kind';

/** The part of an inner action that its group reads. */
export interface Inner {
  readonly kind: string;
}

/** What a group kind needs from the union of all kinds to build its own schema. */
export interface GroupParts<A extends Inner> {
  /** A list of actions, bounded in number and depth. */
  readonly actions: z.ZodType<A[]>;
  /** Whether one of these, or one inside them, runs a script of its sender. */
  readonly runScripts: (actions: readonly A[]) => boolean;
}

/**
 * A kind that is made of other actions (AC7).
 * @param schemaOf makes its schema once all kinds are known
 * @param _closed gives the rules their type: they count the inner actions and do not read them
 */
export function defineGroup<F, S extends z.ZodType, const Verb extends string>(
  schemaOf: F,
  _closed: (parts: GroupParts<never>) => S,
  rules: KindRules<z.output<S>, Verb>,
): KindRules<z.output<S>, Verb> & { readonly schemaOf: F } {
  return { ...rules, schemaOf };
}
