'use client';

import { useEffect, useState } from 'react';
import { useSessionClient } from '@/components/session-client/use-session-client';
import type { ConsoleEntry, PageError, RequestSummary } from '@/lib/buffers/entries';
import { withNews, type BufferNews } from '@/lib/buffers/news';

export interface Buffers {
  readonly console: readonly ConsoleEntry[];
  readonly errors: readonly PageError[];
  readonly requests: readonly RequestSummary[];
  /** Number of entries that the server dropped because they came too fast. */
  readonly dropped: { readonly console: number; readonly errors: number; readonly requests: number };
}

const NONE: Buffers = { console: [], errors: [], requests: [], dropped: { console: 0, errors: 0, requests: 0 } };

/** Console lines, errors and requests of a tab, live while mounted; undefined until the first answer. */
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
