'use client';

import { Bot, ChevronsRight, UserRound } from 'lucide-react';
import { useTranslations } from 'use-intl';
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
  const client = useSessionClient();
  const attempt = useAttempt();
  const { busy, run } = useTask();
  const { session, tab, you, mine } = useCockpit();
  const people = mine && tab ? receivers(session.participants, you?.id, tab.control.takenFrom?.id) : [];
  if (people.length === 0 || !tab) return null;
  const give = (to: string, name: string) =>
    void run(async () => {
      if (
        !(await attempt(
          client.request('control', { session: session.id, tab: tab.id, do: 'hand-over', to }),
          t('handOverFailed'),
        ))
      )
        return;
      drivenHere(session.id, false);
      toast.success(t('handedOver', { name }));
    });
  return (
    <Menu>
      <MenuTrigger>
        <Button title={t('handOver')} busy={busy} className="h-9 max-sm:size-11 max-sm:p-0" aria-label={t('handOver')}>
          <ChevronsRight aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent side="top">
        <MenuLabel>{t('handOver')}</MenuLabel>
        {people.map(({ id, name, kind }) => (
          <MenuItem key={id} onSelect={() => give(id, name)}>
            {kind === 'agent' ? <Bot aria-hidden /> : <UserRound aria-hidden />}
            <bdi className="truncate">{name}</bdi>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
