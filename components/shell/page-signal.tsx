'use client';

import { useEffect } from 'react';
import type { LeaseKind } from '@/components/lease-state';
import { badgedIcon, type BadgeKind } from './favicon-badge';

export interface PageSignalProps {
  /** Says who drives, or what needs a person. */
  title: string;
  /** State whose badge the icon shows; no badge when idle or undefined. */
  kind: LeaseKind | undefined;
}

/** Sets title and icon of the browser's tab. Only this component sets them, so that both show the same state. */
export function PageSignal({ title, kind }: PageSignalProps) {
  const badge = kind === 'idle' ? undefined : kind;
  // Set here, too, because the title of the route comes first in the document.
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
  // A data URL, because the browser may read the icon after a blob was revoked.
  link.href = `data:image/svg+xml,${encodeURIComponent(badgedIcon(kind, dark))}`;
  return () => {
    link.href = plain;
  };
}
