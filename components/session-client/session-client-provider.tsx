'use client';

import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useProblemToast } from '@/components/ui/use-problem';
import { isSignedOut } from './api';
import { LinkMeter } from './link-meter';
import { SessionClient } from './session-client';
import { useLinkId, useWorkspaceId } from './workspace';
import { createClientStore, type ClientStore } from './client-store';

export interface ClientParts {
  readonly client: SessionClient;
  readonly store: ClientStore;
  readonly meter: LinkMeter;
}

const SessionClientContext = createContext<ClientParts | undefined>(undefined);

/**
 * Provides one session client for the whole page, for the workspace or the share link that its address names. It
 * connects with its first request.
 */
export function SessionClientProvider({ children }: { readonly children: ReactNode }) {
  const workspace = useWorkspaceId();
  const link = useLinkId();
  return (
    <ClientOfPage key={link ?? workspace} workspace={workspace} link={link}>
      {children}
    </ClientOfPage>
  );
}

interface Page {
  workspace: string | undefined;
  link: string | undefined;
}

function ClientOfPage({ children, ...page }: Page & { children: ReactNode }) {
  const [parts] = useState(() => createParts(page));
  const t = useTranslations('cockpit');
  const toast = useProblemToast();
  const tell = useEffectEvent((thrown: unknown) => toast(t('trouble'), thrown));
  useEffect(() => {
    const quiet = parts.client.onTrouble(tell);
    const retry = () => parts.client.retryNow();
    window.addEventListener('online', retry);
    return () => {
      quiet();
      window.removeEventListener('online', retry);
      parts.client.stop();
    };
  }, [parts]);
  return <SessionClientContext.Provider value={parts}>{children}</SessionClientContext.Provider>;
}

/** The session client, store and meter of this page; throws outside of a `SessionClientProvider`. */
export function useClientParts(): ClientParts {
  const parts = useContext(SessionClientContext);
  if (!parts) throw new Error('This part of the page needs a SessionClientProvider around it.');
  return parts;
}

function createParts(page: Page): ClientParts {
  const store = createClientStore();
  const meter = new LinkMeter(() => performance.now());
  const client = new SessionClient({ store, ...page, isSignedOut, onRoundTrip: (ms) => meter.roundTrip(ms) });
  return { client, store, meter };
}
