'use client';

import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useClientParts } from '@/components/session-client/session-client-provider';
import { useSessionClient } from '@/components/session-client/use-session-client';
import type { CommentView } from '@/lib/comments/comment';

/** Follows a session's comments while mounted; the cockpit calls it once. */
export function useCommentsWatch(session: string): void {
  const client = useSessionClient();
  useEffect(() => client.watchComments(session), [client, session]);
}

/** The comments of the cockpit's session; undefined until the first answer. Without those of tabs that are hidden. */
export function useComments(): readonly CommentView[] | undefined {
  const { session, you } = useCockpit();
  const known = useStore(useClientParts().store, ({ comments }) => comments.get(session.id));
  const hidden = session.tabs
    .filter(({ control }) => control.private && control.private.by.id !== you?.id)
    .map(({ id }) => id)
    .join(' ');
  return useMemo(
    () => known && [...known.values()].filter(({ tab }) => !hidden.split(' ').includes(tab)),
    [known, hidden],
  );
}
