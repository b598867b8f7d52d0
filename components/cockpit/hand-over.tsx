'use client';

import { ChevronsRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { PersonAvatar } from '@/components/presence/person-avatar';
import { useRoster } from '@/components/presence/use-roster';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/menu';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { useCockpit } from './cockpit-context';
import { drivenHere } from './driven-here';
import { receivers } from './receivers';
import { useAttempt } from './use-attempt';

/** Menu that hands the lease over to a named participant (CO4): anybody who is connected and may drive. */
export function HandOver() {
  const t = useTranslations('cockpit.lease');
  const { tab, you, mine } = useCockpit();
  const { busy, to: give } = useHandOver();
  const roster = useRoster();
  const people = mine && tab ? receivers(roster, you?.id, tab.control.takenFrom?.id) : [];
  if (people.length === 0) return null;
  return (
    <Menu>
      <MenuTrigger>
        <Button title={t('handOver')} busy={busy} className="h-9 max-sm:size-11 max-sm:p-0" aria-label={t('handOver')}>
          <ChevronsRight aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent side="top">
        <MenuLabel>{t('handOver')}</MenuLabel>
        {people.map((entry) => {
          const { id, name } = entry.participant;
          return (
            <MenuItem key={id} onSelect={() => give(id, name)}>
              <PersonAvatar entry={entry} size={20} />
              <bdi className="ml-1 truncate">{name}</bdi>
            </MenuItem>
          );
        })}
      </MenuContent>
    </Menu>
  );
}

/** Gives a function that hands the lease of the shown tab over to a participant. Shows failures as a toast. */
export function useHandOver(): { readonly busy: boolean; readonly to: (id: string, name: string) => void } {
  const t = useTranslations('cockpit.lease');
  const client = useSessionClient();
  const attempt = useAttempt();
  const { busy, run } = useTask();
  const { session, tab } = useCockpit();
  const to = (id: string, name: string) =>
    void run(async () => {
      if (!tab) return;
      const request = { session: session.id, tab: tab.id, do: 'hand-over', to: id } as const;
      if (!(await attempt(client.request('control', request), t('handOverFailed')))) return;
      drivenHere(session.id, false);
      toast.success(t('handedOver', { name }));
    });
  return { busy, to };
}
