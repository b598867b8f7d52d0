import type { HelpRequest } from '@/lib/help/help-request';
import type { Webhook } from '@/server/webhook/webhook';
import { HELP_REQUESTS } from './help-requests';
import type { Hub } from '@/server/session/hub';

/**
 * Posts every opened, claimed and closed help request to the operator's webhook. Leaves out names of elements, titles
 * and addresses, which may hold secrets, and masks known secrets in texts of people and agents (T14).
 * @param origin origin of the interface, for the link
 */
export function sendHelpWebhooks(hub: Hub, webhook: Webhook, origin: string): () => void {
  return hub.onSession.on((session) => {
    HELP_REQUESTS.of(session).onNews.on((question, before) => {
      const about = { session: { id: session.id, name: session.name }, link: `${origin}/sessions/${session.id}` };
      webhook.tell({
        type: typeOf(question, before),
        ...about,
        question: session.secrets.shown(shown(question)),
      });
    });
  });
}

function typeOf(question: HelpRequest, before: HelpRequest | undefined): `question.${string}` {
  if (question.state === 'closed') return 'question.closed';
  if (!before) return 'question.asked';
  return question.claimed ? 'question.claimed' : 'question.unclaimed';
}

function shown({ asked, ...rest }: HelpRequest): Record<string, unknown> {
  const { id, tab, by, reason, instructions, askedAt, lifeMs } = asked;
  const base = {
    id,
    tab,
    by: { name: by.name },
    reason,
    askedAt,
    expiresInMs: lifeMs,
    ...(instructions === undefined ? {} : { instructions }),
  };
  if (rest.state === 'open') {
    const { claimed } = rest;
    return { ...base, state: 'open', ...(claimed && { claimed: { by: { name: claimed.by.name }, at: claimed.at } }) };
  }
  const { outcome } = rest;
  if (outcome.state !== 'answered') return { ...base, state: outcome.state };
  const { result, by: person, at, note } = outcome.answer;
  return {
    ...base,
    state: 'answered',
    answer: { result, by: { name: person.name }, at, ...(note === undefined ? {} : { note }) },
  };
}
