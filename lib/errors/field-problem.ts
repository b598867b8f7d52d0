import type { z } from 'zod';

/** A problem with one field. `problem` continues a sentence that begins with the field's name (AC8). */
export interface FieldProblem {
  /** Path with dots, `all.0.text`; `body` for the whole. */
  readonly field: string;
  readonly problem: string;
}

/** Most unknown fields that are named. */
const MOST_UNKNOWN = 10;

/** Turns one of zod's issues into plain English; several for unknown fields, which zod reports together. */
export function fieldProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MOST_UNKNOWN)
      .map((key) => ({ field: path ? `${path}.${key}` : key, problem: 'is not a field of this' }));
  }
  return [{ field: path === '' ? 'body' : path, problem: problemOf(issue) }];
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `must ${SIZES[issue.origin] === undefined ? 'be' : 'have'} at least ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must ${SIZES[issue.origin] === undefined ? 'be' : 'have'} at most ${amount(issue.maximum, issue.origin)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(String(value))).join(', ')}`;
    default:
      return lowerFirst(issue.message);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const SIZES: Readonly<Record<string, string>> = { string: 'character', array: 'entry' };

function amount(value: number | bigint, origin: string): string {
  const unit = SIZES[origin];
  if (unit === undefined) return String(value);
  return `${value} ${Number(value) === 1 ? unit : unit.replace(/y$/, 'ie').concat('s')}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
