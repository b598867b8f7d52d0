'use client';

import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { openTabs } from '@/components/cockpit/shown-tab';
import { rosterOf, type RosterEntry } from '@/lib/presence/standing';

/** Those who are in the session of this cockpit at the moment, who drives first. */
export function useRoster(): readonly RosterEntry[] {
  const { session } = useCockpit();
  return rosterOf(session.participants, openTabs(session));
}

/** Gives a function that says what a participant is and where they look: "at the wheel · looks at Shop". */
export function useStandingText(): (entry: RosterEntry) => string {
  const t = useTranslations('cockpit.presence');
  const people = useTranslations('cockpit.people');
  const { session } = useCockpit();
  return ({ participant: { watching }, standing }) => {
    const tab = session.tabs.find(({ id }) => id === watching);
    const place = tab && people('watchingTab', { title: tab.title || tab.url });
    return [t(`standing.${standing}`), ...(place === undefined ? [] : [place])].join(' · ');
  };
}
