'use client';

import { useTranslations } from 'use-intl';
import { useMayFiles, useSendFiles } from '@/components/files/use-files';
import type { XY } from '@/components/viewport/input/aim';
import { useCockpit } from './cockpit-context';

export interface PageDrop {
  /** Said over the page while files are held over it. */
  readonly text: string;
  readonly dropped: (files: readonly File[], at: XY) => void;
}

/** Files of this computer dropped on the picture: into the session, and from there to that place of the page (DI2). */
export function usePageDrop(): PageDrop | undefined {
  const t = useTranslations('files');
  const { session, tab, mayAct, live, act, offer } = useCockpit();
  const may = useMayFiles();
  const send = useSendFiles(session.id);
  if (!may || !live || !tab) return undefined;
  const dropped = async (files: readonly File[], at: XY) => {
    if (!mayAct) return offer();
    const sent = await send(files);
    if (sent.length > 0) await act({ kind: 'upload', ...(tab.chooser ? {} : { at }), paths: sent }, t('giveFailed'));
  };
  return { text: t(mayAct ? 'dropOnPage' : 'dropNeedsWheel'), dropped: (files, at) => void dropped(files, at) };
}
