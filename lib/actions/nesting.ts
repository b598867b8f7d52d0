import { WheelhouseError } from '@/lib/errors/error';

/** Deeper than any action that is allowed: groups in groups, with arguments of a script inside. */
const MOST_NESTING = 64;

/** Refuses what is nested without end before a parser that calls itself is led to the end of its stack. Throws BAD_REQUEST. */
export function assertShallow(input: unknown): void {
  let level: unknown[] = [input];
  for (let depth = 0; depth <= MOST_NESTING; depth += 1) {
    level = level.flatMap((item): unknown[] => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return;
  }
  const problem = `is nested more than ${MOST_NESTING} deep`;
  throw new WheelhouseError('BAD_REQUEST', `The action is not valid: "body" ${problem}.`, { details: { fields: [{ field: 'body', problem }] } });
}
