import type { SessionView } from '@/lib/protocol/views';
import type { Said } from './said';

/** What a session came back with in a new Chrome, and what is lost (BR5). */
export function saidOfRestored({ saved, seconds }: Omit<NonNullable<SessionView['restored']>, 'at'>): Said {
  if (!saved) return { code: 'stateLost' };
  return seconds === undefined ? { code: 'stateRestored' } : { code: 'stateRestoredOf', seconds };
}
