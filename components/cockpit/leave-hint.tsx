'use client';

import { Keyboard } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Kbd } from '@/components/ui/kbd';
import { Menu, MenuContent, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '@/components/ui/menu';
import { LEAVE_CHORDS, type LeaveChord } from '@/components/viewport/input/keys';
import { useLeaveChord } from './use-view';

const CHORDS: readonly LeaveChord[] = ['ctrl-alt-shift', 'ctrl-shift-escape', 'ctrl-alt-l'];

/** Says that the keys go to the page and which of them leave it; opens the choice of others. */
export function LeaveHint() {
  const t = useTranslations('cockpit.page');
  const [chord, choose] = useLeaveChord();
  return (
    <Menu>
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
