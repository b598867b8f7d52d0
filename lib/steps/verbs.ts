import { ACTION_KINDS, kindOf, type ActionKind } from '@/lib/actions/kinds';
import type { StepVerb } from './codec';

/** A verb with the kind of the actions that it makes. */
export interface KindVerb extends StepVerb {
  readonly name: string;
  readonly kind: ActionKind;
}

const STEPS = ACTION_KINDS.map((kind) => ({ kind, ...kindOf({ kind }).steps }));

/** Spelling -> verb (ST1). Named arguments, `timeoutMs=5000`, are the action's own fields and go with every verb. */
const VERBS: ReadonlyMap<string, KindVerb> = new Map(
  STEPS.flatMap(({ kind, verbs }) =>
    Object.entries(verbs).map(([name, verb]) => [name, { ...verb, name, kind }] satisfies [string, KindVerb]),
  ),
);

const ALIASES: ReadonlyMap<string, string> = new Map(STEPS.flatMap(({ aliases = {} }) => Object.entries(aliases)));

export const VERB_NAMES: readonly string[] = [...VERBS.keys()];

/** Finds a verb by what was written, in any case. */
export function verbNamed(written: string): KindVerb | undefined {
  const name = written.toLowerCase();
  return VERBS.get(name) ?? VERBS.get(ALIASES.get(name) ?? '');
}
