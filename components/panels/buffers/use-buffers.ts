'use client';

import { useEffect, useState } from 'react';
import { useSessionClient } from '@/components/session-client/use-session-client';
import type { ConsoleEntry, PageError, RequestSummary } from '@/lib/buffers/entries';
import { withNews, type BufferNews } from '@/lib/buffers/news';

export interface Buffers {
  readonly console: readonly ConsoleEntry[];
  readonly errors: readonly PageError[];
  readonly requests: readonly RequestSummary[];
  /** Lines, errors and requests that came too fast to be kept. */
  readonly dropped: { readonly console: number; readonly errors: number; readonly requests: number };
}

const NONE: Buffers = { console: [], errors: [], requests: [], dropped: { console: 0, errors: 0, requests: 0 } };

/** What the page of a tab logs, throws and asks for, live while mounted; undefined until the server has told. */
export function useBuffers(session: string, tab: string): Buffers | undefined {
  const client = useSessionClient();
  const [buffers, setBuffers] = useState<Buffers>();
  useEffect(
    () =>
      client.watchBuffers(session, tab, (news, all) =>
        setBuffers((before) => after(all ? NONE : (before ?? NONE), news)),
      ),
    [client, session, tab],
  );
  return buffers;
}

function after(before: Buffers, { console, errors, requests }: BufferNews): Buffers {
  return {
    console: withNews(before.console, console),
    errors: withNews(before.errors, errors),
    requests: withNews(before.requests, requests),
    dropped: { console: console.dropped, errors: errors.dropped, requests: requests.dropped },
  };
}
