'use client';

import { Lock } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { ControlView } from '@/lib/protocol/views';
import { cn } from './cn';

/**
 * Replaces the picture of a tab that another person holds privately: says who, and the reason in their words. `small`:
 * on a card.
 */
export function PrivateCover({ held, small = false }: { held: NonNullable<ControlView['private']>; small?: boolean }) {
  const t = useTranslations('cockpit.private');
  return (
    <div
      data-lease="human"
      data-private-cover
      className="absolute inset-0 z-[5] grid place-items-center overflow-auto bg-panel p-4 text-center"
    >
      <div
        role={small ? undefined : 'status'}
        className={cn('flex max-w-md flex-col items-center', small ? 'gap-1.5' : 'gap-2')}
      >
        <span
          className={cn('grid place-items-center rounded-full bg-lease-soft text-lease', small ? 'size-9' : 'size-12')}
        >
          <Lock aria-hidden className={small ? 'size-4' : 'size-5'} />
        </span>
        <p className={cn('font-semibold', !small && 'text-md')}>
          <bdi>{t('others', { name: held.by.name })}</bdi>
        </p>
        {held.reason !== '' && (
          <p className={cn('text-ink-2', small && 'line-clamp-2 text-xs')}>
            <bdi>“{held.reason}”</bdi>
          </p>
        )}
        {!small && <p className="text-ink-3">{t('othersLead')}</p>}
      </div>
    </div>
  );
}
