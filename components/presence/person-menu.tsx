'use client';

import { CircleQuestionMark, Footprints, ScanEye, ShipWheel } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useHandOver } from '@/components/cockpit/hand-over';
import { useLeaseRequest } from '@/components/cockpit/lease-request-bar';
import { openTabs } from '@/components/cockpit/shown-tab';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { mayHaveLease, type RosterEntry } from '@/lib/presence/standing';
import type { ParticipantView, TabView } from '@/lib/protocol/views';
import { useStandingText } from './use-roster';

/** What one can do with another participant: follow them, and give, take or ask for the wheel. `children`: a button. */
export function PersonMenu({ entry, children }: { entry: RosterEntry; children: ReactNode }) {
  const { participant } = entry;
  const says = useStandingText();
  return (
    <Menu>
      <MenuTrigger>{children}</MenuTrigger>
      <MenuContent className="max-w-72">
        <MenuLabel className="flex flex-col">
          <bdi className="truncate text-base text-ink">{participant.name}</bdi>
          <bdi className="font-normal">{says(entry)}</bdi>
        </MenuLabel>
        <MenuSeparator />
        <LookItems person={participant} />
        <LeaseItems person={participant} />
      </MenuContent>
    </Menu>
  );
}

function LookItems({ person }: { person: ParticipantView }) {
  const t = useTranslations('cockpit.presence');
  const { session, tab, mine, following, follow, pickTab } = useCockpit();
  const followed = following?.id === person.id;
  const place = openTabs(session).find(({ id }) => id === person.watching);
  return (
    <>
      <MenuItem disabled={mine} onSelect={() => follow(followed ? undefined : person.id)}>
        <Footprints aria-hidden />
        {t(followed ? 'stop' : 'follow')}
      </MenuItem>
      {place && place.id !== tab?.id && (
        <MenuItem onSelect={() => pickTab(place.id)}>
          <ScanEye aria-hidden />
          {t('go')}
        </MenuItem>
      )}
    </>
  );
}

/** What this person can do about the wheel, as the participant has it or not. */
function LeaseItems({ person }: { person: ParticipantView }) {
  const { session, tab, mine, live, mayDrive } = useCockpit();
  const held = openTabs(session).filter(({ control }) => control.holder?.id === person.id);
  // Of several the one that is shown here, so that everybody who looks at it reads the request.
  const [theirs = held[0]] = [tab?.id, person.watching].flatMap((id) => held.find((one) => one.id === id) ?? []);
  if (!live || !tab) return null;
  if (theirs) return mayDrive ? <TheirLease tab={theirs} person={person} /> : null;
  return mine && mayHaveLease(person) ? <HandLease tab={tab} person={person} /> : null;
}

function HandLease({ tab, person: { id, name } }: { tab: TabView; person: ParticipantView }) {
  const t = useTranslations('cockpit.presence');
  const lease = useTranslations('cockpit.lease');
  const give = useHandOver();
  const { send: grant } = useLeaseRequest('grant', lease('answerFailed'));
  const asks = tab.control.asked?.by.id === id;
  return (
    <MenuItem onSelect={() => (asks ? grant() : give.to(id, name))}>
      <ShipWheel aria-hidden />
      {t('hand')}
    </MenuItem>
  );
}

/**
 * Who may moderate takes it, from people after a grace; everybody takes it from agents, and asks people for it (CO4).
 */
function TheirLease({ tab, person }: { tab: TabView; person: ParticipantView }) {
  const t = useTranslations('cockpit.presence');
  const lease = useTranslations('cockpit.lease');
  const { session, you, take, pickTab } = useCockpit();
  const { send } = useLeaseRequest('request', lease('askFailed'));
  const moderates = session.participants.find(({ id }) => id === you?.id)?.grants.includes('manage') === true;
  const shows = (act: () => void) => () => {
    pickTab(tab.id);
    act();
  };
  return (
    <>
      {person.kind === 'human' && (
        <MenuItem onSelect={shows(() => send(tab.id))}>
          <CircleQuestionMark aria-hidden />
          {lease('ask')}
        </MenuItem>
      )}
      {(person.kind === 'agent' || moderates) && (
        <MenuItem onSelect={shows(() => void take(tab.id))}>
          <ShipWheel aria-hidden />
          {t(person.kind === 'agent' ? 'take' : 'takeAfterGrace')}
        </MenuItem>
      )}
    </>
  );
}
