'use client';

import { Ellipsis } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { PersonAvatar } from '@/components/presence/person-avatar';
import { PersonMenu } from '@/components/presence/person-menu';
import { useRoster } from '@/components/presence/use-roster';
import { useLink } from '@/components/session-client/use-session-client';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { FlaggedChip } from '@/components/ui/flagged-chip';
import { cn } from '@/components/ui/cn';
import { AccessSection } from './access-section';
import { OutgoingSection } from './outgoing';
import type { RosterEntry } from '@/lib/presence/standing';
import { OWNER_NAME, type ParticipantView } from '@/lib/protocol/views';

const GRANTS = ['watch', 'drive', 'evaluate', 'files', 'clipboard', 'share', 'manage'] as const;

/**
 * The participants: what they are, which tab they watch and what they may do (AU5). Those who drive come first, those
 * who are offline last.
 */
export function PeoplePanel() {
  const t = useTranslations('cockpit.people');
  const { session } = useCockpit();
  const guest = useLink() !== undefined;
  const here = useRoster();
  const away = session.participants.filter(({ online }) => !online);
  return (
    <>
      {!guest && <AccessSection />}
      {!guest && <OutgoingSection />}
      {session.participants.length === 0 && <p className="p-4 text-ink-3">{t('empty')}</p>}
      <div
        role="region"
        aria-label={t('list')}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-2 focus-visible:-outline-offset-2"
      >
        <ul>
          {here.map((entry) => (
            <Person key={entry.participant.id} person={entry.participant} entry={entry} />
          ))}
          {away.map((person) => (
            <Person key={person.id} person={person} entry={undefined} />
          ))}
        </ul>
      </div>
    </>
  );
}

/** `entry`: what they are at the moment; undefined while they are away. */
function Person({ person, entry }: { person: ParticipantView; entry: RosterEntry | undefined }) {
  const t = useTranslations('cockpit.people');
  const format = useFormatter();
  const common = useTranslations('common');
  const presence = useTranslations('cockpit.presence');
  const { session, you } = useCockpit();
  const looksAt = session.tabs.find((tab) => tab.id === person.watching);
  const may = GRANTS.filter((grant) => person.grants.includes(grant)).map((grant) => t(`grant.${grant}`));
  return (
    <li className={cn('flex gap-3 rounded-md px-2 py-2.5', !person.online && 'text-ink-2')}>
      <span className="mt-0.5">
        {entry ? <PersonAvatar entry={entry} size={28} /> : <Avatar person={person} size={28} />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <bdi className="truncate font-medium">{person.id === you?.id ? common('you') : person.name}</bdi>
          {entry && <StandingChip entry={entry} />}
          {person.flagged && <FlaggedChip name={person.name} className="ml-auto" />}
        </p>
        <p className="truncate text-xs text-ink-2">
          {person.name === OWNER_NAME ? t('owner') : t(person.guest ? 'guest' : person.kind)}
          {!person.online && ` · ${t('away')}`}
          {person.online && looksAt && (
            <>
              {' · '}
              <bdi>{t('watchingTab', { title: looksAt.title || looksAt.url })}</bdi>
            </>
          )}
        </p>
        {person.flagged && (
          <p className="text-xs text-stuck">
            <bdi>{t('flaggedWhat', { name: person.name })}</bdi>
          </p>
        )}
        {may.length > 0 && <p className="text-xs text-ink-3">{t('grants', { grants: format.list(may) })}</p>}
      </div>
      {entry && person.id !== you?.id && (
        <PersonMenu entry={entry}>
          <Button variant="ghost" size="icon-sm" aria-label={presence('menu', { name: person.name })}>
            <Ellipsis aria-hidden />
          </Button>
        </PersonMenu>
      )}
    </li>
  );
}

/** What a participant is at the moment. */
function StandingChip({ entry: { participant, standing } }: { entry: RosterEntry }) {
  const t = useTranslations('cockpit.presence.standing');
  const tone = standing === 'may-drive' || standing === 'watches' ? 'neutral' : 'lease';
  return (
    <Chip tone={tone} size="sm" data-lease={standing === 'hand' ? 'help' : participant.kind} className="ml-auto">
      {t(standing)}
    </Chip>
  );
}
