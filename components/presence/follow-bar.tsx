'use client';

import { Footprints } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { participantColour } from '@/components/ui/initials';
import { usePaletteCommands } from '@/components/shell/use-palette';
import { useRoster } from './use-roster';

/** Says whom this page follows, and stops it (AU5). */
export function FollowBar() {
  const t = useTranslations('cockpit.presence');
  const { following, follow } = useCockpit();
  useFollowCommands();
  if (!following) return null;
  return (
    <section
      aria-label={t('following', { name: following.name })}
      className="flex min-h-9 shrink-0 items-center gap-2 border-b border-l-4 border-b-line bg-panel py-1 pr-2 pl-2.5"
      style={{ borderLeftColor: participantColour(following.colour) }}
    >
      <Footprints aria-hidden className="size-4 shrink-0 text-ink-3" />
      <Avatar person={following} size={20} />
      <p role="status" className="min-w-0 flex-1 truncate">
        <bdi>{t('following', { name: following.name })}</bdi>
        {!following.online && <span className="text-ink-2"> · {t('away')}</span>}
      </p>
      <Button size="sm" onClick={() => follow(undefined)}>
        {t('stop')}
      </Button>
    </section>
  );
}

/** Following by the palette. */
function useFollowCommands(): void {
  const t = useTranslations('cockpit.presence');
  const { you, mine, following, follow } = useCockpit();
  const others = useRoster().filter(({ participant: { id } }) => id !== you?.id && id !== following?.id);
  const command = (id: string, label: string, who: string | undefined) =>
    ({ id: `cockpit-follow-${id}`, group: 'actions', label, icon: Footprints, run: () => follow(who) }) as const;
  usePaletteCommands([
    ...(following ? [command('', t('stop'), undefined)] : []),
    ...(mine ? [] : others.map(({ participant: { id, name } }) => command(id, t('followNamed', { name }), id))),
  ]);
}
