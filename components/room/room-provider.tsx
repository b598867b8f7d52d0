'use client';

import { createContext, useContext, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useProblemToast } from '@/components/ui/use-problem';
import { isSignedOut } from './api';
import { LinkMeter } from './link-meter';
import { RoomClient } from './room-client';
import { createRoomStore, type RoomStore } from './room-store';

export interface Room {
  readonly client: RoomClient;
  readonly store: RoomStore;
  readonly meter: LinkMeter;
}

const RoomContext = createContext<Room | undefined>(undefined);

/** One room client for the whole page. It connects when the first part of the page asks for something. */
export function RoomProvider({ children }: { readonly children: ReactNode }) {
  const [room] = useState(createRoom);
  const t = useTranslations('cockpit');
  const toast = useProblemToast();
  const tell = useEffectEvent((thrown: unknown) => toast(t('trouble'), thrown));
  useEffect(() => {
    const quiet = room.client.onTrouble(tell);
    const retry = () => room.client.retryNow();
    window.addEventListener('online', retry);
    return () => {
      quiet();
      window.removeEventListener('online', retry);
      room.client.stop();
    };
  }, [room]);
  return <RoomContext.Provider value={room}>{children}</RoomContext.Provider>;
}

/** The room of this page; throws outside of a `RoomProvider`. */
export function useRoomParts(): Room {
  const room = useContext(RoomContext);
  if (!room) throw new Error('This part of the page needs a RoomProvider around it.');
  return room;
}

function createRoom(): Room {
  const store = createRoomStore();
  const meter = new LinkMeter(() => performance.now());
  const client = new RoomClient({ store, isSignedOut, onRoundTrip: (ms) => meter.roundTrip(ms) });
  return { client, store, meter };
}
