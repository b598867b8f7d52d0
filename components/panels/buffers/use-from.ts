'use client';

import { useTranslations } from 'use-intl';
import { hostOf, placeOf } from '@/components/address';
import type { ChildTargetView } from '@/lib/buffers/child-target';

/** Names the frame or worker that an entry came from; undefined for the page itself. The address is page-made text. */
export function useFrom(
  from: ChildTargetView | undefined,
): { readonly short: string; readonly long: string } | undefined {
  const t = useTranslations('buffers');
  if (!from) return undefined;
  const what = t(`from.${from.kind}`);
  const host = from.kind === 'frame' ? hostOf(from.url) : '';
  return { short: host === '' ? what : host, long: t('fromLong', { what, url: placeOf(from.url) ?? '' }) };
}
