'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useTimeline } from '@/components/session-client/use-session-client';
import { toast } from '@/components/ui/toast';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { MessageCode } from '@/lib/messages/message';
import { useCockpit } from './cockpit-context';
import { usePanel, usePanelOpen } from './use-view';

const WHAT: Readonly<Partial<Record<MessageCode, 'began' | 'arrived' | 'failed'>>> = {
  downloadBegun: 'began',
  downloadDone: 'arrived',
  downloadBroken: 'failed',
  downloadTooLarge: 'failed',
  downloadNotKept: 'failed',
};

/** Shows a toast when a download begins and when it ends, unless the list of files is in view. */
export function DownloadNotes() {
  const { session } = useCockpit();
  const timeline = useTimeline(session.id);
  const seen = useRef<number>(undefined);
  const tell = useTell(session.id);
  const came = useEffectEvent((events: readonly TimelineEvent[]) => {
    const [before, last] = [seen.current, events.at(-1)?.seq];
    seen.current = last ?? before;
    if (before === undefined) return;
    for (const { seq, said } of events) if (seq > before && said && 'name' in said) tell(said.name, WHAT[said.code]);
  });
  useEffect(() => came(timeline), [timeline]);
  return null;
}

/** How long the toast stays, so that a person can read it and press its button. Milliseconds. */
const STAYS_MS = 8_000;

function useTell(session: string): (name: string, what: 'began' | 'arrived' | 'failed' | undefined) => void {
  const t = useTranslations('files');
  const [panel, setPanel] = usePanel(session);
  const [open, setOpen] = usePanelOpen();
  const listed = open && panel === 'files';
  const told = useRef(new Set<string>());
  // The file list shows the progress; a toast beside it would still say "began".
  useEffect(() => {
    if (listed) for (const id of told.current) toast.dismiss(id);
  }, [listed]);
  return (name, what) => {
    if (what === undefined || listed) return;
    const show = () => {
      setPanel('files');
      setOpen(true);
    };
    const id = `download ${name}`;
    told.current.add(id);
    const how = { id, duration: STAYS_MS, action: { label: t('show'), onClick: show } };
    if (what === 'failed') toast.error(t('failed', { name }), how);
    else if (what === 'arrived') toast.success(t('arrived', { name }), how);
    else toast.message(t('began', { name }), how);
  };
}
