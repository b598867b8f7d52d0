'use client';

import { Bot, ChevronsRight, UserRound } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useRoom } from '@/components/room/use-room';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/menu';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { useCockpit } from './cockpit-context';
import { drivenHere } from './driven-here';
import { receivers } from './receivers';
import { useAttempt } from './use-attempt';

/** Gives the wheel to somebody by name (CO4): whoever is here and may drive. */
export function HandOver() {
  const t = useTranslations('cockpit.wheel');
  const room = useRoom();
  const attempt = useAttempt();
  const { busy, run } = useTask();
  const { session, tab, you, mine } = useCockpit();
  const people = mine && tab ? receivers(session.participants, you?.id, tab.control.takenFrom?.id) : [];
  if (people.length === 0 || !tab) return null;
  const give = (to: string, name: string) =>
    void run(async () => {
      if (!(await attempt(room.request('control', { session: session.id, tab: tab.id, do: 'hand-over', to }), t('handOverFailed')))) return;
      drivenHere(session.id, false);
      toast.success(t('handedOver', { name }));
    });
  return (
    <Menu>
      <MenuTrigger>
        <IconButton label={t('handOver')} side="top" size="icon" variant="secondary" busy={busy} className="pointer-coarse:size-11 max-sm:ml-auto">
          <ChevronsRight aria-hidden />
        </IconButton>
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
