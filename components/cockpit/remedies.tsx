'use client';

import { Eraser, RotateCw, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useSaid } from '@/components/messages/use-said';
import { Button } from '@/components/ui/button';
import type { Action } from '@/lib/actions/kinds';
import { useCockpit } from './cockpit-context';

const REMEDIES = [
  { name: 'reload', icon: RotateCw, action: { kind: 'history', go: 'reload' } },
  { name: 'blank', icon: Eraser, action: { kind: 'navigate', url: 'about:blank' } },
  { name: 'close', icon: X, action: { kind: 'tab', do: 'close' } },
] as const satisfies readonly { name: string; icon: unknown; action: Action }[];

/** Why the tab is stuck, and what can help. Whoever does not drive takes the wheel with the same click. */
export function Remedies() {
  const t = useTranslations('cockpit.wheel');
  const say = useSaid();
  const { wheel, tab, mine, take, act, session } = useCockpit();
  const why = wheel.said ? say(wheel.said) : wheel.reason;
  const help = async (action: Action) => {
    if (mine || (await take())) await act(action, t('remedyFailed'), undefined, !mine);
  };
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2 max-sm:w-full max-sm:flex-none">
      {why !== '' && (
        <bdi className="min-w-0 truncate text-ink-2 max-sm:w-full" title={why}>
          {why}
        </bdi>
      )}
      {tab && session.state === 'live' && (
        <div role="group" aria-label={t('stuck')} className="flex flex-wrap gap-1.5">
          {REMEDIES.map(({ name, icon: Icon, action }) => (
            <Button key={name} size="sm" title={mine ? undefined : t('takesWheel')} onClick={() => void help(action)}>
              <Icon aria-hidden />
              {t(name)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
