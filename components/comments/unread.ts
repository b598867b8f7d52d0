'use client';

import { useCallback, useEffect, useMemo } from 'react';
import { z } from 'zod';
import { useStoredText } from '@/components/use-stored-choice';
import type { SessionView } from '@/lib/protocol/views';

const KEY = 'wh-talk-seen';

/** This many sessions are remembered. */
const MOST = 200;

const seenSchema = z.array(z.tuple([z.string(), z.number()]));

/** By session, the `seq` of the newest comment for this reader that they have seen. */
export function readSeen(text: string | null): ReadonlyMap<string, number> {
  try {
    return new Map(seenSchema.safeParse(JSON.parse(text ?? '[]')).data);
  } catch (broken) {
    if (broken instanceof SyntaxError) return new Map();
    throw broken;
  }
}

/** Adds what was seen; forgets the sessions that were noted first. */
export function withSeen(seen: ReadonlyMap<string, number>, session: string, last: number): string {
  const others = [...seen].filter(([id]) => id !== session);
  return JSON.stringify([...others, [session, last]].slice(-MOST));
}

/** Comments for this reader in a session, when one of them is newer than what they have seen; else 0. */
export function unreadIn(
  { id, comments }: Pick<SessionView, 'id' | 'comments'>,
  seen: ReadonlyMap<string, number>,
): number {
  const { mine = 0, last = 0 } = comments ?? {};
  return last > (seen.get(id) ?? 0) ? mine : 0;
}

/** What this reader has seen; keeps its identity while it stays the same. */
export function useSeen(): ReadonlyMap<string, number> {
  const [stored] = useStoredText(KEY);
  return useMemo(() => readSeen(stored), [stored]);
}

export function useUnread(session: SessionView): number {
  return unreadIn(session, useSeen());
}

/** Tells once of each new comment for this reader; of none that was there when the page was loaded. */
export class ToldComments {
  #told: ReadonlyMap<string, number> | undefined;

  /** The sessions that have a new one. */
  fresh<T extends Pick<SessionView, 'id' | 'comments'>>(sessions: readonly T[]): T[] {
    const before = this.#told;
    const lastOf = ({ comments }: T) => comments?.last ?? 0;
    this.#told = new Map(sessions.map((one) => [one.id, Math.max(before?.get(one.id) ?? 0, lastOf(one))]));
    return before ? sessions.filter((one) => lastOf(one) > (before.get(one.id) ?? 0)) : [];
  }
}

/** Notes that the reader sees the comments of a session, while mounted in a visible window. */
export function useSees({ id, comments }: SessionView): void {
  const [stored, store] = useStoredText(KEY);
  const last = comments?.last ?? 0;
  const note = useCallback(() => {
    const seen = readSeen(stored);
    if (document.visibilityState === 'visible' && last > (seen.get(id) ?? 0)) store(withSeen(seen, id, last));
  }, [id, last, stored, store]);
  useEffect(() => {
    note();
    document.addEventListener('visibilitychange', note);
    return () => document.removeEventListener('visibilitychange', note);
  }, [note]);
}
