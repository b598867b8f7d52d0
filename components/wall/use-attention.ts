'use client';

import { useTranslations } from 'use-intl';
import { useWheelWords } from '@/components/ui/wheel-chip';
import { titleOf } from './entry-text';
import type { WheelKind } from '@/components/wheel-state';
import type { WallEntry } from './wall-list';

export interface Attention {
  /** For the page's title: with the count of what needs somebody. */
  readonly title: string;
  /** Of the most urgent, for the icon. */
  readonly kind: WheelKind | undefined;
  /** For the live region. */
  readonly sentence: string;
}

/**
 * Counts what needs somebody, and puts it in words.
 * @param urgent what calls for somebody, the most urgent first
 */
export function useAttention(urgent: readonly WallEntry[]): Attention {
  const t = useTranslations('wall');
  const words = useWheelWords();
  const count = urgent.length;
  const sentence = urgent
    .map((entry) => t('attention', { name: titleOf(entry), words: words(entry.wheel) }))
    .join('. ');
  return { title: t('pageTitle', { count }), kind: urgent[0]?.wheel.kind, sentence };
}
