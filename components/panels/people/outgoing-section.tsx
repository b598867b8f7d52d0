'use client';

import { Globe } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { Button } from '@/components/ui/button';
import { OutgoingDialog } from './outgoing-dialog';

/** Where the pages of this session may go, in a sentence, and the way to see and change it (GU1). */
export function OutgoingSection() {
  const t = useTranslations('cockpit.outgoing');
  const { session } = useCockpit();
  // The pages of an attached Chrome do not use our proxy.
  const is = session.egress?.state === 'advisory' ? 'advisory' : (session.narrowed ?? 'workspace');
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-4 py-2">
      <Globe aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 text-ink-2">{t(`is.${is}`)}</p>
      <OutgoingButton />
    </div>
  );
}

/** Opens the outgoing access of this session. */
export function OutgoingButton() {
  const t = useTranslations('cockpit.outgoing');
  const { session } = useCockpit();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open && <OutgoingDialog session={session.id} onClose={() => setOpen(false)} />}
    </>
  );
}
