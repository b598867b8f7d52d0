'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useStore } from 'zustand';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { closePalette, paletteStore, type ShortcutSection } from './palette-store';

/** The list behind `?`: what works everywhere, and what the parts of this page added. */
export function Shortcuts() {
  const t = useTranslations('shell.shortcuts');
  const open = useStore(paletteStore, (state) => state.open === 'shortcuts');
  const sections = useStore(paletteStore, (state) => state.sections);
  const everywhere = useMemo<ShortcutSection>(
    () => ({
      title: t('everywhere'),
      items: [
        { keys: ['Mod', 'K'], label: t('palette') },
        { keys: ['?'], label: t('help') },
        { keys: ['Esc'], label: t('close') },
      ],
    }),
    [t],
  );
  return (
    <Dialog open={open} onOpenChange={(next) => !next && closePalette()} title={t('title')}>
      <div className="flex flex-col gap-5">
        {[...sections.values(), everywhere].map((section) => (
          <Section key={section.title} section={section} />
        ))}
      </div>
    </Dialog>
  );
}

function Section({ section }: { section: ShortcutSection }) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-ink-3">{section.title}</h3>
      <dl className="divide-y divide-line">
        {section.items.map(({ keys, label }) => (
          <div key={label} className="flex h-9 items-center justify-between gap-4">
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
