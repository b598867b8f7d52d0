'use client';

import { Hand } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useHandOver } from '@/components/cockpit/hand-over';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Tooltip } from '@/components/ui/tooltip';
import { useTask } from '@/components/ui/use-task';
import { mayHaveLease, type RosterEntry } from '@/lib/presence/standing';
import { useRoster } from './use-roster';

export interface OwnHand {
  readonly up: boolean;
  readonly busy: boolean;
  /** Raises or lowers it; undefined while there is nobody to see it, or while this person drives. */
  readonly turn: (() => void) | undefined;
}

/** The hand of this person (AU5). Shows failures as a toast. */
export function useOwnHand(): OwnHand {
  const t = useTranslations('cockpit.presence');
  const client = useSessionClient();
  const attempt = useAttempt();
  const { session, you, mine, live, online } = useCockpit();
  const { busy, run } = useTask();
  const up = session.participants.find(({ id }) => id === you?.id)?.hand !== undefined;
  const isSeen = session.participants.some((one) => one.online && one.kind === 'human' && one.id !== you?.id);
  const turn = () => void run(() => attempt(client.request('hand', { session: session.id, up: !up }), t('handFailed')));
  return { up, busy, turn: live && online && !mine && (isSeen || up) ? turn : undefined };
}

/** Raises a hand: "I want something", without asking for the wheel. */
export function HandButton() {
  const t = useTranslations('cockpit.presence');
  const { up, busy, turn } = useOwnHand();
  if (!turn) return null;
  const label = t(up ? 'lower' : 'raise');
  return (
    <Tooltip text={label} keys={['H']} side="top">
      <Button
        aria-label={label}
        aria-pressed={up}
        data-lease="help"
        variant={up ? 'lease' : 'secondary'}
        className="h-9 max-sm:size-11 max-sm:p-0"
        busy={busy}
        onClick={turn}
      >
        <Hand aria-hidden />
      </Button>
    </Tooltip>
  );
}

/** Those who raised a hand, as this person is told of them; whoever raised it first comes first. */
export function useRaisedHands(): readonly RosterEntry[] {
  const { you, live, mayDrive, tab } = useCockpit();
  const others = useRoster().filter(({ participant: { id, hand } }) => hand !== undefined && id !== you?.id);
  // A lease request has seconds to be answered, and hides what can wait.
  return live && mayDrive && tab?.control.asked === undefined ? others : [];
}

/** The hands of others that are up, the first one by name; who has the wheel can give it to them. */
export function RaisedHands() {
  const t = useTranslations('cockpit.presence');
  const lease = useTranslations('cockpit.lease');
  const { mine } = useCockpit();
  const give = useHandOver();
  const [first, ...more] = useRaisedHands();
  if (!first) return null;
  const { id, name } = first.participant;
  const mayGive = mine && mayHaveLease(first.participant);
  return (
    <section
      role="status"
      data-lease="help"
      className={cn(
        'flex min-h-9 min-w-0 items-center gap-2 rounded-md border border-lease py-1 pl-3 max-sm:w-full',
        mayGive ? 'pr-1' : 'pr-3',
      )}
    >
      <Hand aria-hidden className="size-4 shrink-0 text-lease" />
      <bdi className="min-w-0 sm:truncate max-sm:flex-1">{t('handUp', { name, n: more.length })}</bdi>
      {mayGive && (
        <Button size="sm" variant="lease" data-lease="human" busy={give.busy} onClick={() => give.to(id, name)}>
          {lease('give')}
        </Button>
      )}
    </section>
  );
}
