'use client';

import { ShieldAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Chip } from './chip';

/** Marks an agent that acts on without the lease (F23). `named`: with the agent's name. */
export function FlaggedChip({ name, named = false, className }: { name: string; named?: boolean; className?: string }) {
  const t = useTranslations('cockpit.people');
  return (
    <Chip tone="danger" size="sm" className={className} title={t('flaggedWhat', { name })}>
      <ShieldAlert aria-hidden />
      <bdi className="truncate">{named ? t('flaggedNamed', { name }) : t('flagged')}</bdi>
    </Chip>
  );
}
