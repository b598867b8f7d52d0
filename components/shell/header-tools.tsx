'use client';

import { Command } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Kbd } from '@/components/ui/kbd';
import { Tooltip } from '@/components/ui/tooltip';
import { LookMenu } from './look-menu';
import { openPalette } from './palette-store';

/** The tools at the end of each top bar: palette, theme, language. */
export function HeaderTools() {
  const t = useTranslations('shell.palette');
  return (
    <div className="flex items-center gap-0.5">
      <Tooltip text={t('open')}>
        <Button variant="ghost" aria-label={t('open')} className="px-2 max-md:hidden" onClick={openPalette}>
          <Kbd keys={['Mod', 'K']} />
        </Button>
      </Tooltip>
      <IconButton label={t('open')} className="md:hidden" onClick={openPalette}>
        <Command aria-hidden />
      </IconButton>
      <LookMenu settings />
    </div>
  );
}
