import { WheelhouseError } from '@/lib/errors/error';

export interface StepMistake {
  /** Index of the mistake in the step, counted from 0; messages for people count from 1. */
  readonly at: number;
  readonly problem: string;
  /** The right form of this verb, when the verb is known. */
  readonly usage?: string | undefined;
  /** Details for programs: nearest verbs, all verbs, problems by field. */
  readonly [detail: string]: unknown;
}

/** STEP_SYNTAX with column and usage in the text for people, and both in `details` for programs (ST1). */
export function stepSyntax({ at, problem, usage, ...more }: StepMistake): WheelhouseError {
  const column = at + 1;
  const hint =
    usage === undefined ? 'Write a verb and its arguments in brackets, for example: click [12]' : `Usage: ${usage}`;
  const stop = problem.endsWith('?') ? '' : '.';
  return new WheelhouseError('STEP_SYNTAX', `Column ${column}: ${problem}${stop}`, {
    hint,
    details: { column, ...(usage === undefined ? {} : { usage }), ...more },
  });
}

/** A piece of the step, short enough to be quoted in a sentence. */
export function quoted(text: string): string {
  const most = 40;
  return `"${text.length > most ? `${text.slice(0, most)}…` : text}"`;
}
