import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { fieldProblems } from '@/lib/errors/field-problem';
import { nearest } from '@/lib/text/nearest';
import { ACTION_KINDS, actionSchema, isActionKind, type Action } from './kinds';
import { assertShallow } from './nesting';
import { fromOlder } from './older-payloads';

/**
 * Parses what a door received into an action; throws BAD_REQUEST or UNKNOWN_KIND naming the field and the cure (AC8).
 */
export function parseAction(given: unknown): Action {
  assertShallow(given);
  const input = fromOlder(given);
  const named = hasKind.safeParse(input);
  if (!named.success) throw badRequest(named.error, NOT_VALID);
  if (!isActionKind(named.data.kind)) throw unknownKind(named.data.kind);
  const parsed = actionSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw badRequest(parsed.error, NOT_VALID);
}

const NOT_VALID = 'The action is not valid';
const hasKind = z.looseObject({ kind: z.string() });

function unknownKind(kind: string): WheelhouseError {
  const close = nearest(kind, ACTION_KINDS);
  const cure = close.length > 0 ? ` Did you mean ${close.map((name) => `"${name}"`).join(' or ')}?` : '';
  return new WheelhouseError('UNKNOWN_KIND', `There is no action of kind "${kind.slice(0, 60)}".${cure}`, {
    details: { kinds: ACTION_KINDS },
  });
}

/** Turns zod's issues into one sentence that names the first field, with all of them in `details.fields`. */
export function badRequest(error: z.ZodError, prefix: string): WheelhouseError {
  const fields = error.issues.flatMap(fieldProblems).slice(0, 10);
  const first = fields[0];
  const message = first ? `${prefix}: "${first.field}" ${first.problem}.` : `${prefix}.`;
  return new WheelhouseError('BAD_REQUEST', message, { details: { fields } });
}
