'use client';

import { Eraser, Play, RefreshCwOff, RotateCcw, RotateCw, SquarePlus, X, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu';
import { PHONE, useMedia } from '@/components/ui/use-media';
import { useTask } from '@/components/ui/use-task';
import type { Action } from '@/lib/actions/kinds';
import { useCockpit } from './cockpit-context';
import type { TabView } from '@/lib/protocol/views';

type Remedy = 'stopScript' | 'resume' | 'reload' | 'blank' | 'restart' | 'reopen' | 'close';

const ICONS: Readonly<Record<Remedy, LucideIcon>> = {
  stopScript: RefreshCwOff,
  resume: Play,
  reload: RotateCw,
  blank: Eraser,
  restart: SquarePlus,
  reopen: RotateCcw,
  close: X,
};

const ACTIONS: Readonly<Record<Remedy, Action>> = {
  stopScript: { kind: 'remedy', do: 'stop-script' },
  resume: { kind: 'remedy', do: 'resume' },
  reload: { kind: 'remedy', do: 'reload' },
  blank: { kind: 'remedy', do: 'blank' },
  restart: { kind: 'remedy', do: 'restart' },
  reopen: { kind: 'remedy', do: 'reopen' },
  close: { kind: 'tab', do: 'close' },
};

/** Says why the tab is stuck, and offers remedies, the gentlest first (EV4). */
export function Remedies() {
  const t = useTranslations('cockpit.remedy');
  const say = useMessageText();
  const { lease, tab, mayHelp } = useCockpit();
  const phone = useMedia(PHONE);
  const all = tab ? remediesFor(tab) : [];
  const [first, rest] = phone ? [all.slice(0, 2), all.slice(2)] : [all, []];
  const why = lease.said ? say(lease.said) : lease.reason;
  return (
    <div className="flex min-w-0 flex-1 items-center gap-x-3 gap-y-2 max-sm:w-full max-sm:flex-none max-sm:flex-wrap">
      {why !== '' && (
        <bdi className="min-w-0 truncate text-ink-2 max-xl:hidden max-sm:block max-sm:w-full" title={why}>
          {why}
        </bdi>
      )}
      {tab && mayHelp && (
        <div role="group" aria-label={t('label')} className="flex shrink-0 gap-1.5 max-sm:w-full">
          {first.map((remedy, index) => (
            <RemedyButton key={remedy} remedy={remedy} first={index === 0} />
          ))}
          {rest.length > 0 && <MoreRemedies remedies={rest} />}
        </div>
      )}
    </div>
  );
}

function RemedyButton({ remedy, first }: { remedy: Remedy; first: boolean }) {
  const t = useTranslations('cockpit.remedy');
  const { help } = useCockpit();
  const { busy, run } = useTask();
  const Icon = ICONS[remedy];
  return (
    <Button
      size="sm"
      className="max-sm:flex-1 pointer-coarse:h-10"
      variant={first ? 'lease' : 'secondary'}
      busy={busy}
      title={t(`about.${remedy}`)}
      onClick={() => void run(() => help(ACTIONS[remedy], t('failed')))}
    >
      {!busy && <Icon aria-hidden />}
      {t(remedy)}
    </Button>
  );
}

/** The remedies for which a phone has no room, in a menu with what each does. */
function MoreRemedies({ remedies }: { remedies: readonly Remedy[] }) {
  const t = useTranslations('cockpit.remedy');
  const { help } = useCockpit();
  return (
    <Menu>
      <MenuTrigger>
        <Button className="h-7 pointer-coarse:h-10">{t('more')}</Button>
      </MenuTrigger>
      <MenuContent side="top">
        {remedies.map((remedy) => {
          const Icon = ICONS[remedy];
          return (
            <MenuItem key={remedy} onSelect={() => void help(ACTIONS[remedy], t('failed'))}>
              <Icon aria-hidden />
              <span className="flex max-w-64 flex-col">
                {t(remedy)}
                <span className="text-xs text-ink-3">{t(`about.${remedy}`)}</span>
              </span>
            </MenuItem>
          );
        })}
      </MenuContent>
    </Menu>
  );
}

/** Remedies for a stuck tab, the gentlest first (EV4). */
function remediesFor({ health, stuck }: Pick<TabView, 'health' | 'stuck'>): readonly Remedy[] {
  if (stuck?.said?.code === 'floodParked') return ['reopen'];
  if (stuck?.said?.code.startsWith('flood') === true) return ['reload', 'blank', 'restart'];
  // The page works and the agent gets nowhere: a reload or a fresh page helps.
  if (stuck && health.state !== 'hung' && health.state !== 'crashed') return ['reload', 'restart'];
  if (health.state === 'crashed') return ['reload', 'restart', 'blank'];
  if (health.said?.code === 'pagePaused') return ['resume', 'blank', 'restart'];
  // A script that ran before the server found the page cannot be stopped: only a new page can replace it.
  if (health.said?.code === 'foundSilent') return ['restart', 'blank'];
  return ['stopScript', 'reload', 'blank', 'restart'];
}
