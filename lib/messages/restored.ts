import type { SessionView } from '@/lib/protocol/views';
import type { Message } from './message';

/**
 * The message about the restore of a session in a new Chrome: how old the restored state is, or that it is lost (BR5).
 */
export function restoredMessage({ saved, seconds }: Omit<NonNullable<SessionView['restored']>, 'at'>): Message {
  if (!saved) return { code: 'stateLost' };
  return seconds === undefined ? { code: 'stateRestored' } : { code: 'stateRestoredOf', seconds };
}
