import type { z } from 'zod';
import type { KindRules } from './kind';

/** An action inside a group, as far as the group looks at it. */
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
 * @param schemaOf its schema, made when all kinds are known
 * @param _closed the same for no kinds: the rules see how many actions it holds, and do not look into them
 */
export function defineGroup<F, S extends z.ZodType, const Verb extends string>(
  schemaOf: F,
  _closed: (parts: GroupParts<never>) => S,
  rules: KindRules<z.output<S>, Verb>,
): KindRules<z.output<S>, Verb> & { readonly schemaOf: F } {
  return { ...rules, schemaOf };
}
