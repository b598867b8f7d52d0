import { formatMessage, type FormattedMessage } from '@/lib/messages/format';
import type { Message } from '@/lib/messages/message';
import type { Session } from './session';

/**
 * Warnings for operators: how many sessions are without a Chrome, without a network, or not behind the proxy, each with
 * the reason of the first.
 */
export function sessionWarnings(sessions: readonly Session[]): FormattedMessage[] {
  const down = sessions.filter(
    ({ status: { state, why } }) => state === 'browser-down' && why?.said.code !== 'chromeReturning',
  );
  const egress = (state: string): Session[] => sessions.filter(({ init }) => init.contextRef.egress?.state === state);
  const [closed, attached] = [egress('closed'), egress('advisory')];
  return [
    ...counted(down, 'sessionsDown', ({ status }) => status.why?.said),
    ...counted(closed, 'sessionsClosed', ({ init }) => init.contextRef.egress?.said),
    ...counted(attached, 'sessionsAttached', ({ init }) => init.contextRef.egress?.said),
  ];
}

function counted(
  sessions: readonly Session[],
  code: 'sessionsDown' | 'sessionsClosed' | 'sessionsAttached',
  why: (first: Session) => Message | undefined,
): FormattedMessage[] {
  const [first] = sessions;
  if (!first) return [];
  const reason = why(first);
  return [{ code, times: sessions.length } as const, ...(reason ? [reason] : [])].map((said) => formatMessage(said));
}
