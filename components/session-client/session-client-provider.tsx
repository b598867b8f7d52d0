'use client';

import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useProblemToast } from '@/components/ui/use-problem';
import { isSignedOut } from './api';
import { LinkMeter } from './link-meter';
import { SessionClient } from './session-client';
import { useWorkspaceId } from './workspace';
import { createClientStore, type ClientStore } from './client-store';

export interface ClientParts {
  readonly client: SessionClient;
  readonly store: ClientStore;
  readonly meter: LinkMeter;
}

const SessionClientContext = createContext<ClientParts | undefined>(undefined);

/**
 * Provides one session client for the whole page, for the workspace that its address names. It connects with its first
 * request.
 */
export function SessionClientProvider({ children }: { readonly children: ReactNode }) {
  const workspace = useWorkspaceId();
  return (
    <ClientOfWorkspace key={workspace} workspace={workspace}>
      {children}
    </ClientOfWorkspace>
  );
}

function ClientOfWorkspace({ workspace, children }: { workspace: string | undefined; children: ReactNode }) {
  const [parts] = useState(() => createParts(workspace));
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

function createParts(workspace: string | undefined): ClientParts {
  const store = createClientStore();
  const meter = new LinkMeter(() => performance.now());
  const client = new SessionClient({ store, workspace, isSignedOut, onRoundTrip: (ms) => meter.roundTrip(ms) });
  return { client, store, meter };
}
