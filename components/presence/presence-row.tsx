'use client';

import { Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { usePanel, usePanelOpen } from '@/components/cockpit/use-view';
import { Button } from '@/components/ui/button';
import { PersonAvatar } from './person-avatar';
import { PersonMenu } from './person-menu';
import { useRoster, useStandingText } from './use-roster';

/** Participants who have an avatar of their own in the row; the panel has all. */
const MOST_AVATARS = 5;

/** Who else is here, who drives first: each opens a menu. On a phone they are a number that opens the panel. */
export function PresenceRow() {
  const t = useTranslations('cockpit.presence');
  const { you } = useCockpit();
  const says = useStandingText();
  const others = useRoster().filter(({ participant }) => participant.id !== you?.id);
  if (others.length === 0) return null;
  const shown = others.slice(0, MOST_AVATARS);
  return (
    <div role="group" aria-label={t('here', { n: others.length })} className="flex shrink-0 items-center">
      <ul className="flex items-center max-sm:hidden">
        {shown.map((entry) => (
          <li key={entry.participant.id}>
            <PersonMenu entry={entry}>
              <button
                type="button"
                aria-label={t('person', { name: entry.participant.name, is: says(entry) })}
                title={t('person', { name: entry.participant.name, is: says(entry) })}
                className="grid size-8 place-items-center rounded-sm hover:bg-hover data-[state=open]:bg-sel pointer-coarse:size-10"
              >
                <PersonAvatar entry={entry} size={22} />
              </button>
            </PersonMenu>
          </li>
        ))}
      </ul>
      <AllButton more={others.length - shown.length} all={others.length} />
    </div>
  );
}

/** Opens the panel with everybody: for those who have no place in the row, and on a phone for all. */
function AllButton({ more, all }: { more: number; all: number }) {
  const t = useTranslations('cockpit.presence');
  const { session } = useCockpit();
  const [, setPanelOpen] = usePanelOpen();
  const [, setPanel] = usePanel(session.id);
  const open = () => {
    setPanel('people');
    setPanelOpen(true);
  };
  return (
    <Button
      variant="ghost"
      aria-label={t('all')}
      title={t('all')}
      className={more > 0 ? 'px-1.5' : 'px-1.5 sm:hidden'}
      onClick={open}
    >
      <Users aria-hidden className="sm:hidden" />
      <span className="text-xs tabular-nums">
        <span className="sm:hidden">{all}</span>
        <span className="max-sm:hidden">+{more}</span>
      </span>
    </Button>
  );
}
