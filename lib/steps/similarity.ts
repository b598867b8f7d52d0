import { nearest } from '@/lib/text/nearest';
import type { StepCandidate } from './candidates';
import { VERB_NAMES, verbNamed } from './verbs';

/**
 * How likely a piece of free text is meant as a step (ST2). `sure`: a verb with arguments in brackets, quotes or
 * parentheses; a mistake in it is reported. `likely`: a verb with words that only a step has. `lone`: only a verb.
 * `no`: prose.
 */
export type Similarity = 'sure' | 'likely' | 'lone' | 'no';

/** A longer line is not a step. */
const MOST_HEAD = 2_100;
const VERB = /^[A-Za-z][\w-]*/;
const VERB_AND_MARK = /^([A-Za-z][\w-]*)([^\S\n]*\[|[^\S\n]*"|\()/;
const WORD =
  /^(?:@?(?:f\d+)?e?\d+|https?:\/\/\S+|about:blank|up|down|top|bottom|accept|dismiss|enter|tab|escape|esc|backspace|delete|space|page(?:up|down)|f\d{1,2}|\w+\+\S+|\w+=\S+)$/i;

/** In a fenced block of its own, a verb followed by any words counts as `likely`. */
export function similarityOf({ text, rule, whole }: StepCandidate): Similarity {
  const likeness = likenessInProse(text);
  const trusted = rule === 'fenced block' && whole;
  return likeness === 'no' && trusted && verbNamed(VERB.exec(text)?.[0] ?? '') !== undefined ? 'likely' : likeness;
}

/** Looks at no more than the first line. */
function likenessInProse(text: string): Similarity {
  const lineEnd = text.indexOf('\n');
  const head = text.slice(0, lineEnd < 0 ? MOST_HEAD : Math.min(lineEnd, MOST_HEAD));
  const marked = VERB_AND_MARK.exec(head);
  if (marked) return isVerbLike(marked[1] ?? '', marked[2] ?? '') ? 'sure' : 'no';
  const [verb = '', ...words] = head.trim().split(/\s+/);
  if (verbNamed(verb) === undefined) return 'no';
  if (words.length === 0) return 'lone';
  return words.length <= 8 && words.every((word) => WORD.test(word)) ? 'likely' : 'no';
}

/** A misspelt verb counts only before a bracket: prose and program text have words before quotes and parentheses. */
function isVerbLike(verb: string, mark: string): boolean {
  return (
    verbNamed(verb) !== undefined || (mark.endsWith('[') && verb.length > 2 && nearest(verb, VERB_NAMES, 1).length > 0)
  );
}
