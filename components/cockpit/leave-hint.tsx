'use client';

import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Kbd } from '@/components/ui/kbd';
import { Menu, MenuContent, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '@/components/ui/menu';
import { LEAVE_CHORDS } from '@/components/viewport/input/keys';
import { CHORDS, useLeaveChord } from './use-view';

/**
 * Says that the keys go to the page and which of them leave it; opens the choice of others, for which it stays although
 * the keyboard is then here.
 */
export function LeaveHint({ keysInPage }: { keysInPage: boolean }) {
  const t = useTranslations('cockpit.page');
  const [chord, choose] = useLeaveChord();
  const [open, setOpen] = useState(false);
  if (!keysInPage && !open) return null;
  return (
    <Menu open={open} onOpenChange={setOpen}>
      <MenuTrigger>
        <button
          type="button"
          aria-label={t('chord')}
          className="absolute right-3 bottom-3 z-10 inline-flex animate-fade items-center gap-2 rounded-full border border-line-strong bg-raised py-1 pr-3 pl-2.5 text-xs font-medium text-ink-2 shadow-pop hover:text-ink pointer-coarse:hidden"
        >
          <Keyboard aria-hidden className="size-3.5" />
          <span className="max-lg:hidden">{t('keysHere')} ·</span>
          <Kbd keys={LEAVE_CHORDS[chord]} />
          {t('toLeave')}
        </button>
      </MenuTrigger>
      <MenuContent side="top">
        <MenuLabel>{t('chord')}</MenuLabel>
        <MenuRadioGroup value={chord} onValueChange={choose}>
          {CHORDS.map((name) => (
            <MenuRadioItem key={name} value={name}>
              <Kbd keys={LEAVE_CHORDS[name]} />
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
