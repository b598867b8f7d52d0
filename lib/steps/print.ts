import { kindOf, type Action } from '@/lib/actions/kinds';

/**
 * Writes an action as one line; `parseStep` reads it back to an equal action (ST1). What the verb's arguments do not
 * say is added as `field=value`. Only a `type` that leaves `submit` open comes back saying that Enter is not pressed,
 * which means the same.
 */
export function printStep(action: Action): string {
  const { verb, args, said } = kindOf(action).steps.print(action);
  const rest = Object.entries(action).filter(
    ([field, value]) => value !== undefined && field !== 'kind' && !said.includes(field),
  );
  return [verb, ...args, ...rest.map(([field, value]) => `${field}=${JSON.stringify(value)}`)].join(' ');
}
