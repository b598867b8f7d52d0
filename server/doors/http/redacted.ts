import type { KnownSecrets } from '@/server/browser/known-secrets';
import { redactedError } from '../redacted-error';
import type { Answer, RouteContext } from './route';

/** Answers of a session's routes, and their errors, without its known secrets, whatever a route has forgotten (T14). */
export async function redacted(
  { services, caller }: RouteContext,
  session: string | undefined,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const find = (): KnownSecrets | undefined =>
    services.hub.list(caller.principal.workspace).find(({ id }) => id === session)?.secrets;
  // A session that this call ends is still its own.
  const before = find();
  try {
    const answer = await run();
    const secrets = find() ?? before;
    return secrets && 'json' in answer && typeof answer.json === 'object' && answer.json !== null
      ? { ...answer, json: secrets.shown(answer.json) }
      : answer;
  } catch (thrown) {
    throw redactedError(find() ?? before, thrown);
  }
}
