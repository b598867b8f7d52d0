'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { openTabs, shownTab } from '@/components/cockpit/shown-tab';
import { toast } from '@/components/ui/toast';
import { followedTab } from '@/lib/presence/standing';
import type { ParticipantView, SessionView, TabView } from '@/lib/protocol/views';

/** Following outlasts a reload or a short loss of the connection of who is followed. Milliseconds. */
const AWAY_MS = 10_000;

export interface ShownTab {
  /** Undefined when the session has no tab. */
  readonly tab: TabView | undefined;
  /** This person holds the lease of that tab. */
  readonly mine: boolean;
  /** Shows this tab and ends following; undefined follows the session's active tab. */
  readonly pickTab: (id: string | undefined) => void;
  /** The participant whose tab is shown, whichever it is (AU5); undefined while nobody is followed. */
  readonly following: ParticipantView | undefined;
  /** Follows a participant; undefined follows nobody. The tab stays. */
  readonly follow: (who: string | undefined) => void;
}

/**
 * The tab that this page shows: the one that its person picked, or the one of the participant whom they follow. Who has
 * the wheel follows nobody: the page must not change under their hands.
 */
export function useShownTab(session: SessionView | undefined, you: string | undefined): ShownTab {
  const t = useTranslations('cockpit.presence');
  const [picked, setPicked] = useState<string>();
  const [followed, setFollowed] = useState<ParticipantView>();
  const place = session && followed && followedTab(followed.id, session.participants, openTabs(session));
  if (place !== undefined && place !== 'left' && place.tab !== picked) setPicked(place.tab);
  const tab = session && shownTab(session, picked);
  const mine = tab?.control.state === 'held' && tab.control.holder?.id === you;
  if (mine && followed) setFollowed(undefined);
  const leaver = place === 'left' ? followed?.name : undefined;
  useEffect(() => {
    if (leaver === undefined) return;
    const timer = setTimeout(() => {
      setFollowed(undefined);
      toast.message(t('left', { name: leaver }));
    }, AWAY_MS);
    return () => clearTimeout(timer);
  }, [leaver, t]);
  return {
    tab,
    mine,
    pickTab: (id) => {
      setFollowed(undefined);
      setPicked(id);
    },
    following: followed && (session?.participants.find(({ id }) => id === followed.id) ?? followed),
    follow: (who) => setFollowed(session?.participants.find(({ id }) => id === who)),
  };
}
