'use client';

import { useMemo, useRef } from 'react';
import { useSessions, useYou } from '@/components/room/use-room';
import type { SessionView } from '@/lib/protocol/views';
import { toEntry, type WallEntry } from './wall-list';

/** Every session as a card, undefined until the first list. An unchanged session keeps its entry, so that its card rests. */
export function useWallEntries(): { entries: readonly WallEntry[] | undefined; you: string | undefined } {
  const sessions = useSessions();
  const you = useYou()?.id;
  const cache = useRef({ you, entries: new WeakMap<SessionView, WallEntry>() });
  const entries = useMemo(() => {
    if (cache.current.you !== you) cache.current = { you, entries: new WeakMap() };
    return sessions?.map((session) => {
      const known = cache.current.entries.get(session) ?? toEntry(session, you);
      cache.current.entries.set(session, known);
      return known;
    });
  }, [sessions, you]);
  return { entries, you };
}
