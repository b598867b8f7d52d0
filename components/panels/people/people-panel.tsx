'use client';

import { useFormatter, useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { openTabs } from '@/components/cockpit/shown-tab';
import { Avatar } from '@/components/ui/avatar';
import { Chip } from '@/components/ui/chip';
import { FlaggedChip } from '@/components/ui/flagged-chip';
import { cn } from '@/components/ui/cn';
import { LEASE_ICONS } from '@/components/ui/lease-chip';
import { AccessSection } from './access-section';
import { OutgoingSection } from './outgoing-section';
import { OWNER_NAME, type ParticipantView } from '@/lib/protocol/views';

const GRANTS = ['watch', 'drive', 'evaluate', 'files', 'clipboard', 'share', 'manage'] as const;

/**
 * The participants: which tab they watch and what they may do (AU5). Those who drive come first, those who are offline
 * last.
 */
export function PeoplePanel() {
  const t = useTranslations('cockpit.people');
  const { session } = useCockpit();
  const drivers = new Set(openTabs(session).flatMap((tab) => (tab.control.holder ? [tab.control.holder.id] : [])));
  const rank = (person: ParticipantView) => (drivers.has(person.id) ? 0 : person.online ? 1 : 2);
  const people = session.participants.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return (
    <>
      <AccessSection />
      <OutgoingSection />
      {people.length === 0 && <p className="p-4 text-ink-3">{t('empty')}</p>}
      <div
        role="region"
        aria-label={t('list')}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-2 focus-visible:-outline-offset-2"
      >
        <ul>
          {people.map((person) => (
            <Person key={person.id} person={person} drives={drivers.has(person.id)} />
          ))}
        </ul>
      </div>
    </>
  );
}

function Person({ person, drives }: { person: ParticipantView; drives: boolean }) {
  const t = useTranslations('cockpit.people');
  const format = useFormatter();
  const common = useTranslations('common');
  const { session, you } = useCockpit();
  const looksAt = session.tabs.find((tab) => tab.id === person.watching);
  const may = GRANTS.filter((grant) => person.grants.includes(grant)).map((grant) => t(`grant.${grant}`));
  const kind = person.kind === 'agent' ? 'agent' : 'human';
  const Icon = LEASE_ICONS[kind];
  return (
    <li className={cn('flex gap-3 rounded-md px-2 py-2.5', !person.online && 'text-ink-2')}>
      <Avatar person={person} size={28} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <bdi className="truncate font-medium">{person.id === you?.id ? common('you') : person.name}</bdi>
          {drives && (
            <Chip tone="lease" size="sm" data-lease={kind} className="ml-auto">
              <Icon aria-hidden />
              {t('driving')}
            </Chip>
          )}
          {person.flagged && <FlaggedChip name={person.name} className="ml-auto" />}
        </p>
        <p className="truncate text-xs text-ink-2">
          {person.name === OWNER_NAME ? t('owner') : t(person.kind)}
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
    </li>
  );
}
