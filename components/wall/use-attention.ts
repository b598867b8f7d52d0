'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useWheelWords } from '@/components/ui/wheel-chip';
import { titleOf } from './entry-text';
import { badgedIcon } from './favicon-badge';
import type { WallEntry } from './wall-list';

/**
 * Counts what needs somebody in the page title and on the favicon, and gives the sentence for the live region.
 * @param urgent what calls for somebody, the most urgent first
 */
export function useAttention(urgent: readonly WallEntry[]): string {
  const t = useTranslations('wall');
  const words = useWheelWords();
  const count = urgent.length;
  const title = t('pageTitle', { count });
  const kind = urgent[0]?.wheel.kind;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => (kind === 'help' || kind === 'stuck' ? showBadge(kind) : undefined), [kind]);
  return urgent.map((entry) => t('attention', { name: titleOf(entry), words: words(entry.wheel) })).join('. ');
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
