'use client';

import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { pictureUrl } from '@/components/session-client/api';
import type { PictureView, TimelineEvent } from '@/lib/protocol/views';

/** A timeline event with an action picture. */
export type PicturedEvent = TimelineEvent & { readonly picture: PictureView };

export function hasPicture(event: TimelineEvent): event is PicturedEvent {
  return event.picture !== undefined;
}

/**
 * The thumbnail beside a timeline row, decoration because the row is the button. Shows an icon when the server has
 * dropped the picture for newer ones.
 */
export function ActionPictureThumbnail({ session, event }: { session: string; event: PicturedEvent }) {
  const t = useTranslations('cockpit.timeline');
  const [gone, setGone] = useState(false);
  if (gone) return <ImageOff role="img" aria-label={t('pictureGone')} className="mx-2.5 size-4 text-ink-3" />;
  return (
    <img
      src={pictureUrl(session, event.id)}
      alt=""
      loading="lazy"
      decoding="async"
      className="h-5.5 w-9 rounded-xs border border-line bg-raised object-cover object-top"
      onError={() => setGone(true)}
    />
  );
}

/** The action picture, with a mark at the action's point. */
export function ActionPicture({ session, event }: { session: string; event: PicturedEvent }) {
  const t = useTranslations('cockpit.timeline');
  const [gone, setGone] = useState(false);
  const { picture, point } = event;
  if (gone) return <p className="py-8 text-center text-ink-2">{t('pictureGone')}</p>;
  return (
    <div
      className="relative mx-auto overflow-hidden rounded-md border border-line bg-raised"
      style={{
        aspectRatio: `${picture.width} / ${picture.height}`,
        maxHeight: '68dvh',
        maxWidth: `calc(68dvh * ${picture.width / picture.height})`,
      }}
    >
      <img
        src={pictureUrl(session, event.id)}
        alt={t('pictureAlt')}
        className="size-full object-contain"
        onError={() => setGone(true)}
      />
      {point && (
        <span
          aria-hidden
          className="absolute size-8 -translate-1/2 rounded-full border-2 border-lease bg-lease/20"
          style={{ left: `${(point.x / picture.width) * 100}%`, top: `${(point.y / picture.height) * 100}%` }}
        />
      )}
    </div>
  );
}
