import { kindOf, type Action } from '@/lib/actions/kinds';

/**
 * Prints an action as one line that `parseStep` reads back to an equal action (ST1). Fields that the verb's arguments
 * do not cover are appended as `field=value`. One exception: a `type` without `submit` comes back with `submit` false,
 * which means the same.
 */
export function printStep(action: Action): string {
  const { verb, args, said } = kindOf(action).steps.print(action);
  const rest = Object.entries(action).filter(
    ([field, value]) => value !== undefined && field !== 'kind' && !said.includes(field),
  );
  return [verb, ...args, ...rest.map(([field, value]) => `${field}=${JSON.stringify(value)}`)].join(' ');
}
