import { vi } from 'vitest';
import type { Cockpit } from '@/components/cockpit/cockpit-context';
import { tabLease } from '@/components/lease-state';
import type { SessionView } from '@/lib/protocol/views';
import { aTab, YOU } from './views';

/** The cockpit of a session as `YOU` see it, with its first participant as you and its first tab shown. */
export function aCockpit(session: SessionView, over: Partial<Cockpit> = {}): Cockpit {
  const [tab = aTab()] = session.tabs;
  const mine = tab.control.holder?.id === YOU.id;
  const nothing = async () => true;
  return {
    ...{ session, tab, mine, you: session.participants[0], lease: tabLease(tab, YOU.id) },
    ...{ live: true, online: true, mayAct: mine, mayDrive: true, mayHelp: false, takenFrom: null },
    ...{ changing: undefined, offered: undefined, following: undefined, offer: vi.fn(), closeOffer: vi.fn() },
    ...{ pickTab: vi.fn(), follow: vi.fn(), take: nothing, giveBack: nothing, act: nothing, help: nothing },
    ...over,
  };
}
