import { actionSchema, type Action } from '@/lib/actions/kinds';
import { assertShallow } from '@/lib/actions/nesting';
import { fieldProblems } from '@/lib/errors/field-problem';
import { nearest } from '@/lib/text/nearest';
import { ArgReader, type ReadFields } from './arg-reader';
import type { LexedStep } from './lexer';
import { quoted, stepSyntax } from './syntax-error';
import { VERB_NAMES, verbNamed, type KindVerb } from './verbs';

export interface ParsedStep {
  readonly action: Action;
  /** The usual name of the verb, whichever spelling was used. */
  readonly verb: string;
}

/** Turns the parsed parts of a step into fields. Throws STEP_SYNTAX. */
export function readStep(lexed: LexedStep): ParsedStep {
  const verb = verbNamed(lexed.verb);
  if (verb === undefined) throw unknownVerb(lexed);
  const args = new ArgReader(lexed, verb.usage);
  args.set('kind', verb.kind);
  verb.read(args);
  return { action: validated(verb, args.finish(), lexed.at), verb: verb.name };
}

function validated(verb: KindVerb, { fields, columns }: ReadFields, verbAt: number): Action {
  const input = Object.fromEntries(fields);
  assertShallow(input);
  const parsed = actionSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(fieldProblems).slice(0, 10);
  const [first] = problems;
  const field = first?.field.split('.')[0] ?? '';
  const problem = first === undefined ? 'the step is not valid' : `${quoted(first.field)} ${first.problem}`;
  throw stepSyntax({ at: columns.get(field) ?? verbAt, problem, usage: verb.usage, fields: problems });
}

function unknownVerb({ verb, at }: LexedStep): Error {
  const close = nearest(verb, VERB_NAMES);
  const cure = close.length > 0 ? `; did you mean ${close.join(' or ')}?` : '';
  return stepSyntax({
    at,
    problem: `there is no step ${quoted(verb)}${cure}`,
    usage: usageOf(close[0]),
    nearest: close,
    verbs: VERB_NAMES,
  });
}

/** The usage of a verb in any of its spellings; undefined for an unknown verb. */
export function usageOf(verb: string | undefined): string | undefined {
  return verb === undefined ? undefined : verbNamed(verb)?.usage;
}
