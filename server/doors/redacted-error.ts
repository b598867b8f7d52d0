import { WheelhouseError } from '@/lib/errors/error';
import type { KnownSecrets } from '@/server/browser/known-secrets';

/** Returns the error with the session's known secrets masked (T14). */
export function redactedError(secrets: KnownSecrets | undefined, thrown: unknown): unknown {
  if (!secrets || secrets.redactor.empty || !(thrown instanceof WheelhouseError)) return thrown;
  const { code, message, hint, details, said, cure } = thrown;
  const shown = secrets.shown({ message, hint, details: { ...details }, said, cure });
  return new WheelhouseError(code, shown.said ?? shown.message, {
    hint: shown.cure ?? shown.hint,
    details: details && shown.details,
    cause: thrown,
  });
}
