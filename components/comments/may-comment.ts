'use client';

import { useCockpit } from '@/components/cockpit/cockpit-context';
import type { TabView } from '@/lib/protocol/views';

/**
 * Whether the page of a tab, and not only the tab, can be commented on: the server refuses it during a private hold, to
 * its holder too (CO8), and a page with a dialog does not answer.
 */
export function mayCommentOnPage({ dialog, control }: Pick<TabView, 'dialog' | 'control'>): boolean {
  return !dialog && !control.private;
}

/** Whether the shown page can be commented on. */
export function useMayCommentOnPage(): boolean {
  const { tab, live } = useCockpit();
  return live && tab !== undefined && mayCommentOnPage(tab);
}
