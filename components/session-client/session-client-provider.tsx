'use client';

import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useProblemToast } from '@/components/ui/use-problem';
import { isSignedOut } from './api';
import { LinkMeter } from './link-meter';
import { SessionClient } from './session-client';
import { createClientStore, type ClientStore } from './client-store';

export interface ClientParts {
  readonly client: SessionClient;
  readonly store: ClientStore;
  readonly meter: LinkMeter;
}

const SessionClientContext = createContext<ClientParts | undefined>(undefined);

/** One room client for the whole page. It connects when the first part of the page asks for something. */
export function SessionClientProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(createParts);
  const t = useTranslations('cockpit');
  const toast = useProblemToast();
  const tell = useEffectEvent((thrown: unknown) => toast(t('trouble'), thrown));
  useEffect(() => {
    const quiet = client.client.onTrouble(tell);
    const retry = () => client.client.retryNow();
    window.addEventListener('online', retry);
    return () => {
      quiet();
      window.removeEventListener('online', retry);
      client.client.stop();
    };
  }, [client]);
  return <SessionClientContext.Provider value={client}>{children}</SessionClientContext.Provider>;
}

/** The room of this page; throws outside of a `SessionClientProvider`. */
export function useClientParts(): ClientParts {
  const client = useContext(SessionClientContext);
  if (!client) throw new Error('This part of the page needs a RoomProvider around it.');
  return client;
}

function createParts(): ClientParts {
  const store = createClientStore();
  const meter = new LinkMeter(() => performance.now());
  const client = new SessionClient({ store, isSignedOut, onRoundTrip: (ms) => meter.roundTrip(ms) });
  return { client, store, meter };
}
