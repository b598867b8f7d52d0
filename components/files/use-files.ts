'use client';

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useClientParts } from '@/components/session-client/session-client-provider';
import { useSessionClient } from '@/components/session-client/use-session-client';
import type { FilesNews } from '@/lib/files/views';
import { uploadFiles, uploadStore, type Upload } from './uploads';

/** Whether this person may see and change the files of a session. */
export function useMayFiles(session: string): boolean {
  return useStore(useClientParts().store, ({ sessions, you }) => {
    const here = sessions.get(session)?.participants.find(({ id }) => id === you?.id);
    return (here ?? you)?.grants.includes('files') === true;
  });
}

/** Follows a session's files while mounted; the cockpit calls it once. */
export function useFilesWatch(session: string): void {
  const client = useSessionClient();
  const may = useMayFiles(session);
  useEffect(() => (may ? client.watchFiles(session) : undefined), [client, session, may]);
}

/** A session's files and downloads; undefined until the first answer. */
export function useFiles(session: string): FilesNews | undefined {
  return useStore(useClientParts().store, ({ files }) => files.get(session));
}

/** Running and failed uploads of this page to a session. */
export function useUploads(session: string): readonly Upload[] {
  const all = useStore(uploadStore, ({ uploads }) => uploads);
  return all.filter((upload) => upload.session === session);
}

/**
 * Gives a function that uploads files to a session and returns the names of those that arrived. The file list shows
 * those that failed.
 */
export function useSendFiles(session: string): (files: readonly File[]) => Promise<string[]> {
  const { store } = useClientParts();
  return (files) =>
    uploadFiles(
      session,
      files,
      (store.getState().files.get(session)?.files ?? []).map(({ name }) => name),
    );
}
