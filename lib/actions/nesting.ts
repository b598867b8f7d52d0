import { WheelhouseError } from '@/lib/errors/error';

/** Deeper than any action that is allowed: groups in groups, with arguments of a script inside. */
const MOST_NESTING = 64;

/** More fields than any action has. */
const MOST_FIELDS = 200;

/**
 * Refuses values that are nested too deeply for a recursive parser, or that have too many fields to check one by one.
 * Throws BAD_REQUEST.
 */
export function assertShallow(input: unknown): void {
  if (typeof input === 'object' && input !== null && !Array.isArray(input) && Object.keys(input).length > MOST_FIELDS)
    throw refused(`has more than ${MOST_FIELDS} fields`);
  let level: unknown[] = [input];
  for (let depth = 0; depth <= MOST_NESTING; depth += 1) {
    level = level.flatMap((item): unknown[] => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return;
  }
  throw refused(`is nested more than ${MOST_NESTING} deep`);
}

function refused(problem: string): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `The action is not valid: "body" ${problem}.`, {
    details: { fields: [{ field: 'body', problem }] },
  });
}
