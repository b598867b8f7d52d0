import { WheelhouseError } from '@/lib/errors/error';
import { candidatesBetween, candidatesIn, type StepCandidate, type StepRule } from './candidates';
import { lexStep, type LexedStep } from './lexer';
import { similarityOf } from './similarity';
import { readStep, usageOf, type ParsedStep } from './read-step';
import { quoted, stepSyntax } from './syntax-error';

export type { ParsedStep } from './read-step';

export interface FoundStep extends ParsedStep {
  /** The step's text as found. */
  readonly step: string;
  readonly rule: StepRule;
}

/**
 * Reads one step into an action (ST1, ST3). Throws STEP_SYNTAX with `details` of `{column,
 * usage?, nearest?, verbs?, fields?}`; columns count the characters of the step from 1, line breaks too.
 */
export function parseStep(step: string): ParsedStep {
  return readStep(lexWhole(step));
}

/**
 * After this many steps with mistakes the search ends: each may be read to the end of the text, which would take
 * seconds for all lines of a long text.
 */
const MOST_MISTAKES = 40;

/**
 * Finds the step in free text, such as a model's answer (ST2): the first in a fenced block, else in inline code, else
 * on a line of its own. With a `splitter`, WebArena's action splitter, only the text between two of them counts. Prose
 * is skipped, but a step with a mistake is not: no other step is carried out instead of it. Throws STEP_SYNTAX for that
 * mistake, or when the text holds no step.
 */
export function stepInText(text: string, splitter?: string): FoundStep {
  let mistake: WheelhouseError | undefined;
  let mistakes = 0;
  for (const candidates of splitter === undefined ? candidatesIn(text) : candidatesBetween(text, splitter)) {
    let lone: FoundStep | undefined;
    for (const candidate of candidates) {
      const verdict = judge(candidate);
      if (verdict.is === 'step') return verdict.found;
      if (verdict.is === 'lone') lone ??= verdict.found;
      if (verdict.is !== 'mistake') continue;
      mistake ??= verdict.error;
      mistakes += 1;
      if (verdict.final) throw verdict.error;
      if (mistakes >= MOST_MISTAKES) throw mistake;
    }
    if (lone) return lone;
  }
  throw mistake ?? noStep(splitter);
}

/** `lone`: a verb without arguments may be an ordinary word; it counts only when no better candidate exists. */
type Verdict =
  | { readonly is: 'step' | 'lone'; readonly found: FoundStep }
  | { readonly is: 'mistake'; readonly error: WheelhouseError; readonly final: boolean }
  | { readonly is: 'prose' };

function judge(candidate: StepCandidate): Verdict {
  const likeness = similarityOf(candidate);
  if (likeness === 'no') return { is: 'prose' };
  const { rule, text, whole, again } = candidate;
  try {
    const lexed = whole ? lexWhole(text) : lexLine(text);
    const found = { ...readStep(lexed), step: text.slice(lexed.at, lexed.end), rule };
    return { is: lexed.args.length > 0 ? 'step' : 'lone', found };
  } catch (error) {
    if (!(error instanceof WheelhouseError)) throw error;
    return likeness === 'lone'
      ? { is: 'prose' }
      : { is: 'mistake', error, final: likeness === 'sure' && again !== true };
  }
}

function lexWhole(step: string): LexedStep {
  const lexed = lexStep(step, { usageOf });
  return refuseRest(lexed, step, step.slice(lexed.end));
}

function lexLine(text: string): LexedStep {
  const lexed = lexStep(text, { oneLine: true, usageOf });
  return refuseRest(lexed, text, text.slice(lexed.end).split('\n', 1)[0] ?? '');
}

/** A call, `stop("x")`, ends at its parenthesis; nothing may follow it. */
function refuseRest(lexed: LexedStep, source: string, rest: string): LexedStep {
  const over = rest.search(/\S/);
  if (over < 0) return lexed;
  const at = lexed.end + over;
  throw stepSyntax({ at, problem: `${quoted(source.slice(at))} is left over`, usage: usageOf(lexed.verb) });
}

function noStep(splitter: string | undefined): WheelhouseError {
  const place =
    splitter === undefined ? 'into a fenced block or on a line of its own' : `between two ${quoted(splitter)}`;
  const hint = `Put one step ${place}, for example: click [12]`;
  return new WheelhouseError(
    'STEP_SYNTAX',
    splitter === undefined ? 'The text holds no step.' : `The text holds no step between two ${quoted(splitter)}.`,
    { hint, details: { column: 1 } },
  );
}
