'use client';

import { useMemo } from 'react';
import { useSessions, useYou } from '@/components/session-client/use-session-client';
import { rememberEntries, type WallEntry } from './wall-list';

/** Every session as a card, undefined until the first list. */
export function useWallEntries(): { entries: readonly WallEntry[] | undefined; you: string | undefined } {
  const sessions = useSessions();
  const you = useYou()?.id;
  const entryOf = useMemo(() => rememberEntries(you), [you]);
  const entries = useMemo(() => sessions?.map(entryOf), [sessions, entryOf]);
  return { entries, you };
}
