import type { KnownSecrets } from '@/server/browser/known-secrets';
import { redactedError } from '../redacted-error';
import type { Answer, RouteContext } from './route';

/**
 * Masks the session's known secrets in every JSON answer and error of its routes, also where a route forgot to (T14).
 */
export async function redacted(
  { services, caller }: RouteContext,
  session: string | undefined,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const find = (): KnownSecrets | undefined =>
    services.hub.list(caller.principal.workspace).find(({ id }) => id === session)?.secrets;
  // Looked up before the call, because the call may end the session.
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
