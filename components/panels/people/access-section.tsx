'use client';

import { Eye, Lock, Users } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { Button } from '@/components/ui/button';
import { useLoaded } from '@/components/use-loaded';
import { accessApi } from './access-api';
import { AccessDialog } from './access-dialog';

/** Who may enter this session, in a sentence, and the way to change it (AU3). */
export function AccessSection() {
  const t = useTranslations('cockpit.access');
  const { session } = useCockpit();
  const [open, setOpen] = useState(false);
  const { data, reload } = useLoaded(useCallback(() => accessApi.view(session.id), [session.id]));
  useReload(`${session.access?.open} ${session.access?.watchOnly}`, reload);
  const entry = session.access ?? data;
  if (!entry) return null;
  const Icon = entry.open === 'named' ? Lock : entry.watchOnly ? Eye : Users;
  const sentence = entry.open === 'named' ? 'isNamed' : entry.watchOnly ? 'isWatchOnly' : 'isOpen';
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-4 py-2">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 text-ink-2">{t(sentence)}</p>
      {data?.mayChange && (
        <Button size="sm" onClick={() => setOpen(true)}>
          {t('change')}
        </Button>
      )}
      {open && data && (
        <AccessDialog session={session.id} access={data} onChanged={reload} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

/** Calls `reload` when `version` changes, but not at first. */
function useReload(version: string, reload: () => void): void {
  const last = useRef(version);
  useEffect(() => {
    if (last.current === version) return;
    last.current = version;
    reload();
  }, [version, reload]);
}
