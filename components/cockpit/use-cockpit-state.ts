'use client';

import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  useConnection,
  useLink,
  useSessionClient,
  useSession,
  useYou,
} from '@/components/session-client/use-session-client';
import { useShownTab } from '@/components/presence/use-shown-tab';
import { toast } from '@/components/ui/toast';
import { handsBackTo, sessionLease, tabLease } from '@/components/lease-state';
import type { XY } from '@/components/viewport/input/page-point';
import type { Action } from '@/lib/actions/kinds';
import type { Message } from '@/lib/messages/message';
import type { Actor, TabView } from '@/lib/protocol/views';
import type { HelpResult } from '@/lib/help/help-request';
import type { Cockpit, LeaseOffer } from './cockpit-context';
import { drivenHere } from './driven-here';
import { useAttempt } from './use-attempt';
import { useMayDrive } from './use-may-drive';
import { useOrderedTabs } from './use-tab-order';

export type CockpitState =
  | { readonly state: 'opening' }
  | { readonly state: 'gone'; readonly wasHere: boolean; readonly said?: Message | undefined }
  | { readonly state: 'here'; readonly cockpit: Cockpit };

/** Joins the session and gives the state and commands of its cockpit. */
export function useCockpitState(id: string): CockpitState {
  const { session: told, gone } = useSession(id);
  const session = useOrderedTabs(told);
  const you = useYou();
  const online = useConnection().state === 'online';
  const [offered, setOffered] = useState<LeaseOffer>();
  const offers = useRef(0);
  const mayDrive = useMayDrive(told);
  const guest = useLink() !== undefined;
  const lead = useTranslations('cockpit.lease');
  const rights = useTranslations('rights.watch');
  const offer = (at?: XY) => {
    if (!mayDrive)
      return void toast(lead('onlyWatch'), { id: 'watch', description: rights(guest ? 'askMaker' : 'ask') });
    offers.current += 1;
    setOffered({ at, count: offers.current });
  };
  const closeOffer = () => setOffered(undefined);
  const shown = useShownTab(session, you?.id);
  const { tab, mine } = shown;
  const takenFrom = session ? handsBackTo(session, tab, you?.id) : null;
  const { changing, take: ask, giveBack } = useLeaseChange(id, tab, takenFrom, closeOffer);
  const client = useSessionClient();
  const attempt = useAttempt();
  const help = async (action: Action, failed: string) =>
    tab !== undefined && attempt(client.perform(id, tab.id, action), failed);
  const take = async (of?: string): Promise<boolean> => {
    if (mayDrive) return ask(of);
    offer();
    return false;
  };
  const act = useAct(id, tab, mayDrive, () => offer());
  if (!session) return gone === undefined ? { state: 'opening' } : { state: 'gone', ...gone };
  if (session.state === 'ended') return { state: 'gone', wasHere: true, said: session.stateSaid };
  const lease = tab && session.state === 'live' ? tabLease(tab, you?.id) : sessionLease(session, you?.id);
  const live = session.state === 'live';
  const mayAct = live && mayDrive && (mine || tab?.control.state === 'free');
  const mayHelp = live && mayDrive && !guest && (mayAct || tab?.control.holder?.kind !== 'human');
  const cockpit = {
    ...shown,
    session,
    you,
    lease,
    live,
    online,
    mine: mine && live,
    mayAct,
    mayDrive,
    mayHelp,
    takenFrom,
    changing,
    offered: mine || !mayDrive ? undefined : offered,
    offer,
    closeOffer,
    take,
    giveBack,
    act,
    help,
  };
  return { state: 'here', cockpit };
}

function useLeaseChange(session: string, tab: TabView | undefined, takenFrom: Actor | null, done: () => void) {
  const client = useSessionClient();
  const t = useTranslations('cockpit.lease');
  const attempt = useAttempt();
  const [changing, setChanging] = useState<'take' | 'give'>();
  const ask = async (
    what: 'take' | 'give',
    failed: string,
    { of = tab?.id, note = '', result }: { of?: string | undefined; note?: string; result?: HelpResult | undefined },
  ): Promise<boolean> => {
    if (of === undefined || changing) return false;
    setChanging(what);
    const give = takenFrom ? 'hand-back' : 'release';
    const request = {
      session,
      tab: of,
      do: what === 'take' ? 'take' : give,
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      ...(result && { result }),
    } as const;
    const worked = await attempt(client.request('control', request), failed);
    setChanging(undefined);
    if (worked) done();
    if (worked) drivenHere(session, what === 'take');
    return worked;
  };
  const take = (of?: string) => ask('take', t('takeFailed'), { of });
  const giveBack = async (note: string, result?: HelpResult) => {
    const worked = await ask('give', t('backFailed'), { note, result });
    if (worked) toast.success(t(takenFrom ? 'returned' : 'letGo'));
    return worked;
  };
  return { changing, take, giveBack };
}

function useAct(session: string, shown: TabView | undefined, mayDrive: boolean, refused: () => void): Cockpit['act'] {
  const client = useSessionClient();
  const you = useYou();
  const attempt = useAttempt();
  return async (action: Action, failed: string, tab = shown?.id, justTook = false): Promise<boolean> => {
    if (tab === undefined) return false;
    const heldByOther =
      !justTook && tab === shown?.id && shown.control.state !== 'free' && shown.control.holder?.id !== you?.id;
    if (mayDrive && !heldByOther) {
      drivenHere(session, true);
      return attempt(client.perform(session, tab, action), failed);
    }
    refused();
    return false;
  };
}
