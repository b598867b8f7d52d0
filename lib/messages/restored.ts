import type { SessionView } from '@/lib/protocol/views';
import type { Message } from './message';

/** The message that says what a session was restored with in a new Chrome, and what is lost (BR5). */
export function restoredMessage({ saved, seconds }: Omit<NonNullable<SessionView['restored']>, 'at'>): Message {
  if (!saved) return { code: 'stateLost' };
  return seconds === undefined ? { code: 'stateRestored' } : { code: 'stateRestoredOf', seconds };
}
