'use client';

import type { ReactNode } from 'react';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { Calls } from '@/components/help/calls';
import { SessionClientProvider } from '@/components/session-client/session-client-provider';
import { useLinkId } from '@/components/session-client/workspace';
import { ThemeProvider } from '@/components/theme/theme-provider';
import { Toaster } from '@/components/ui/toast';
import { TooltipProvider } from '@/components/ui/tooltip';
import { CommonKeys } from './common-keys';
import { WorkspaceGate } from './workspace-gate';

/**
 * The providers of all pages: theme, language, tooltips, session client; with toasts, help request notices and palette.
 */
export function Providers({
  locale,
  nonce,
  children,
}: {
  locale: Locale;
  nonce: string | undefined;
  children: ReactNode;
}) {
  const link = useLinkId();
  return (
    <ThemeProvider nonce={nonce}>
      <MessagesProvider locale={locale}>
        <TooltipProvider>
          <SessionClientProvider>
            <WorkspaceGate>{children}</WorkspaceGate>
            {link === undefined && <Calls />}
            <CommonKeys />
            <Toaster />
          </SessionClientProvider>
        </TooltipProvider>
      </MessagesProvider>
    </ThemeProvider>
  );
}
