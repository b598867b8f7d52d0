'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useWheelWords } from '@/components/ui/wheel-chip';
import { titleOf } from './entry-text';
import { badgedIcon } from './favicon-badge';
import type { WallEntry } from './wall-list';

export interface Attention {
  /** For the page's title: with the count of what needs somebody. */
  readonly title: string;
  /** For the live region. */
  readonly sentence: string;
}

/**
 * Counts what needs somebody, marks the favicon, and puts it in words.
 * @param urgent what calls for somebody, the most urgent first
 */
export function useAttention(urgent: readonly WallEntry[]): Attention {
  const t = useTranslations('wall');
  const words = useWheelWords();
  const count = urgent.length;
  const kind = urgent[0]?.wheel.kind;
  useEffect(() => (kind === 'help' || kind === 'stuck' ? showBadge(kind) : undefined), [kind]);
  const sentence = urgent.map((entry) => t('attention', { name: titleOf(entry), words: words(entry.wheel) })).join('. ');
  return { title: t('pageTitle', { count }), sentence };
}

/** Puts a dot on the tab's icon until the returned function is called. */
function showBadge(kind: 'help' | 'stuck'): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  if (!link) return () => undefined;
  const plain = link.href;
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  const badged = URL.createObjectURL(new Blob([badgedIcon(kind, dark)], { type: 'image/svg+xml' }));
  link.href = badged;
  return () => {
    link.href = plain;
    URL.revokeObjectURL(badged);
  };
}
