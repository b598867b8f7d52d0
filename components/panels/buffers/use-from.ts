'use client';

import { useTranslations } from 'use-intl';
import { hostOf, placeOf } from '@/components/address';
import type { ChildTargetView } from '@/lib/buffers/child-target';

/**
 * Says from which frame or worker of the page something came; undefined for the page itself. The address is page
 * content.
 */
export function useFrom(
  from: ChildTargetView | undefined,
): { readonly short: string; readonly long: string } | undefined {
  const t = useTranslations('buffers');
  if (!from) return undefined;
  const what = t(`from.${from.kind}`);
  const host = from.kind === 'frame' ? hostOf(from.url) : '';
  return { short: host === '' ? what : host, long: t('fromLong', { what, url: placeOf(from.url) ?? '' }) };
}
