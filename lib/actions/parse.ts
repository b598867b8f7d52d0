import type { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { nearest } from '@/lib/text/nearest';
import { ACTION_KINDS } from './about';
import { actionSchema, type Action } from './kinds';

/** Parses what a door received into an action; throws BAD_REQUEST or UNKNOWN_KIND naming the field and the cure (AC8). */
export function parseAction(input: unknown): Action {
  const kind = kindOf(input);
  if (typeof kind === 'string' && !ACTION_KINDS.includes(kind)) throw unknownKind(kind);
  const parsed = actionSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw badRequest(parsed.error, 'The action is not valid');
}

function kindOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
}

function unknownKind(kind: string): WheelhouseError {
  const close = nearest(kind, ACTION_KINDS);
  const cure = close.length > 0 ? ` Did you mean ${close.map((name) => `"${name}"`).join(' or ')}?` : '';
  return new WheelhouseError('UNKNOWN_KIND', `There is no action of kind "${kind.slice(0, 60)}".${cure}`, { details: { kinds: ACTION_KINDS } });
}

/** Turns zod's issues into one sentence that names the first field, with all of them in `details.fields`. */
export function badRequest(error: z.ZodError, prefix: string): WheelhouseError {
  const fields = error.issues.flatMap(describeIssue).slice(0, 10);
  const first = fields[0];
  const message = first ? `${prefix}: "${first.field}" ${first.problem}.` : `${prefix}.`;
  return new WheelhouseError('BAD_REQUEST', message, { details: { fields } });
}

export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

export function describeIssue(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: path ? `${path}.${key}` : key, problem: 'is not a field of this' }));
  }
  return [{ field: path === '' ? 'body' : path, problem: lowerFirst(issue.message) }];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
