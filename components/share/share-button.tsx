'use client';

import { Share2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { usePaletteCommands } from '@/components/shell/use-palette';
import { Button } from '@/components/ui/button';
import { ShareDialog } from './share-dialog';

/** Shares the session of this cockpit. For those who may. */
export function ShareButton() {
  const { session, you } = useCockpit();
  const grants = session.participants.find(({ id }) => id === you?.id)?.grants;
  return grants?.includes('share') ? <Share grants={grants} /> : null;
}

function Share({ grants }: { grants: readonly string[] }) {
  const t = useTranslations('share');
  const { session, tab } = useCockpit();
  const [open, setOpen] = useState(false);
  usePaletteCommands(
    useMemo(
      () => [
        {
          id: 'cockpit-share',
          group: 'actions',
          label: t('shareMenu'),
          icon: Share2,
          run: () => setOpen(true),
        } as const,
      ],
      [t],
    ),
  );
  return (
    <>
      <Button
        aria-label={t('share')}
        title={t('share')}
        className="max-sm:size-8 max-sm:border-transparent max-sm:bg-transparent max-sm:p-0 max-sm:text-ink-2 max-sm:pointer-coarse:size-10"
        onClick={() => setOpen(true)}
      >
        <Share2 aria-hidden />
        <span className="max-sm:sr-only">{t('share')}</span>
      </Button>
      {open && <ShareDialog session={session} tab={tab?.id} grants={grants} onClose={() => setOpen(false)} />}
    </>
  );
}
