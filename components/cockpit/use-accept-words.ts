'use client';

import { useLocale, useTranslations } from 'use-intl';

/**
 * What a file field takes, in words: `image/*,.pdf` is "pictures, .pdf". Page-made text; empty when it takes anything.
 */
export function useAcceptWords(): (accept: string) => string {
  const t = useTranslations('files.chooser.sort');
  const locale = useLocale();
  return (accept) => {
    const kinds = accept
      .split(',')
      .map((kind) => kind.trim())
      .filter((kind) => kind !== '' && kind !== '*/*');
    return kinds
      .map((kind) =>
        kind === 'image/*' ? t('image') : kind === 'audio/*' ? t('audio') : kind === 'video/*' ? t('video') : kind,
      )
      .join(locale === 'zh' ? '、' : ', ');
  };
}
