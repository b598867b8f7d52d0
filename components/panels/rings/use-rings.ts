'use client';

import { useEffect, useState } from 'react';
import { useRoom } from '@/components/room/use-room';
import type { ConsoleEntry, PageError, RequestSummary } from '@/lib/rings/entries';
import { withNews, type RingsNews } from '@/lib/rings/news';

export interface Rings {
  readonly console: readonly ConsoleEntry[];
  readonly errors: readonly PageError[];
  readonly requests: readonly RequestSummary[];
  /** Lines, errors and requests that came too fast to be kept. */
  readonly dropped: { readonly console: number; readonly errors: number; readonly requests: number };
}

const NONE: Rings = { console: [], errors: [], requests: [], dropped: { console: 0, errors: 0, requests: 0 } };

/** What the page of a tab logs, throws and asks for, live while mounted; undefined until the server has told. */
export function useRings(session: string, tab: string): Rings | undefined {
  const room = useRoom();
  const [rings, setRings] = useState<Rings>();
  useEffect(
    () =>
      room.watchRings(session, tab, (news, all) => setRings((before) => after(all ? NONE : (before ?? NONE), news))),
    [room, session, tab],
  );
  return rings;
}

function after(before: Rings, { console, errors, requests }: RingsNews): Rings {
  return {
    console: withNews(before.console, console),
    errors: withNews(before.errors, errors),
    requests: withNews(before.requests, requests),
    dropped: { console: console.dropped, errors: errors.dropped, requests: requests.dropped },
  };
}
