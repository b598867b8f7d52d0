'use client';

import { useEffect } from 'react';
import type { LeaseKind } from '@/components/lease-state';
import { badgedIcon, type BadgeKind } from './favicon-badge';

export interface PageSignalProps {
  /** Says who drives, or what needs somebody. */
  title: string;
  /** Whose badge the icon wears; none when idle or undefined. */
  kind: LeaseKind | undefined;
}

/**
 * The title and the icon of the browser's own tab: the one place that sets them, so that they say the same (ui.md, one
 * idea).
 */
export function PageSignal({ title, kind }: PageSignalProps) {
  const badge = kind === 'idle' ? undefined : kind;
  // A title of the route stands before ours.
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => (badge === undefined ? undefined : showBadge(badge)), [badge]);
  return <title>{title}</title>;
}

/** Puts a badge on the tab's icon until the returned function is called. */
function showBadge(kind: BadgeKind): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  if (!link) return () => undefined;
  const plain = link.href;
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  // Not a blob: the browser reads the icon when it likes, and a blob may be gone by then.
  link.href = `data:image/svg+xml,${encodeURIComponent(badgedIcon(kind, dark))}`;
  return () => {
    link.href = plain;
  };
}
