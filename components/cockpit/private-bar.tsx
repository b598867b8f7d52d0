'use client';

import { Info, Lock, LockOpen } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TextBox } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Tooltip } from '@/components/ui/tooltip';
import { PHONE, useMedia } from '@/components/ui/use-media';
import { useCockpit } from './cockpit-context';
import { useLink, useSessionClient } from '@/components/session-client/use-session-client';
import { useAttempt } from './use-attempt';

/** The reason, shown to other participants, and when the hold ends. */
interface PrivateOptions {
  readonly reason?: string;
  readonly until?: 'field' | 'ended';
}

/** Begins a private hold of the shown tab. For the person who holds its lease. */
export function PrivateButton() {
  const t = useTranslations('cockpit.private');
  const { mine, tab } = useCockpit();
  const { busy, hold } = usePrivate();
  if (!mine || !tab || tab.control.private) return null;
  return (
    <Tooltip text={t('startWhat')} side="top">
      <Button size="lg" className="h-9 max-sm:size-11 max-sm:p-0" busy={busy} onClick={() => void hold({})}>
        <Lock aria-hidden />
        <span className="max-sm:sr-only">{t('start')}</span>
      </Button>
    </Tooltip>
  );
}

/** Shows the holder that the tab is private, and lets them change reason and end, or end the hold. */
export function PrivateBar() {
  const { mine, tab } = useCockpit();
  const held = tab?.control.private;
  return mine && held ? <Held key={held.since} reason={held.reason} until={held.until} /> : null;
}

interface HeldProps {
  reason: string;
  until: 'field' | 'ended';
}

/** On a phone one line, with the terms in a dialog, because the page needs the room. */
function Held(held: HeldProps) {
  const t = useTranslations('cockpit.private');
  const common = useTranslations('common');
  const phone = useMedia(PHONE);
  const [open, setOpen] = useState(false);
  const { busy, end } = usePrivate();
  return (
    <section
      data-lease="human"
      data-private-bar
      aria-label={t('sign')}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t-2 border-lease bg-lease-soft px-3 py-2 max-sm:flex-nowrap"
    >
      <p role="status" className="flex min-w-0 items-center gap-2 font-semibold text-lease max-sm:flex-1">
        <Lock aria-hidden className="size-4 shrink-0" />
        <span className="max-sm:leading-tight">{t('sign')}</span>
      </p>
      {phone ? (
        <IconButton label={common('details')} side="top" className="text-lease" onClick={() => setOpen(true)}>
          <Info aria-hidden />
        </IconButton>
      ) : (
        <>
          <p className="min-w-0 flex-1 basis-80 text-xs text-ink-2">{t('lead')}</p>
          <Terms {...held} />
        </>
      )}
      <Button variant="lease" size="lg" className="h-9 max-sm:h-11" busy={busy} onClick={() => void end()}>
        <LockOpen aria-hidden />
        {t('end')}
      </Button>
      <Dialog open={phone && open} onOpenChange={setOpen} title={t('sign')} description={t('lead')}>
        <Terms {...held} />
      </Dialog>
    </section>
  );
}

/**
 * Fields for the reason that other participants see, and for ending the hold when the field loses focus; that of a
 * guest always ends so.
 */
function Terms({ reason, until }: HeldProps) {
  const t = useTranslations('cockpit.private');
  const { hold } = usePrivate();
  const guest = useLink() !== undefined;
  const [said, setSaid] = useState(reason);
  const box = useId();
  const tell = () => void (said.trim() !== reason && hold({ reason: said.trim(), until }));
  return (
    <form
      className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        tell();
      }}
    >
      <TextBox
        aria-label={t('reason')}
        placeholder={t('reasonPlaceholder')}
        maxLength={200}
        className="w-52 max-sm:w-full"
        value={said}
        onChange={(event) => setSaid(event.target.value)}
        onBlur={tell}
      />
      {!guest && (
        <label htmlFor={box} className="flex items-center gap-2 pointer-coarse:min-h-10">
          <input
            id={box}
            type="checkbox"
            className="size-4 accent-lease"
            checked={until === 'field'}
            onChange={(event) => void hold({ reason: said.trim(), until: event.target.checked ? 'field' : 'ended' })}
          />
          {t('untilField')}
        </label>
      )}
    </form>
  );
}

/** Begins, changes or ends the private hold of the shown tab. Shows failures as a toast. */
function usePrivate(): {
  busy: boolean;
  hold: (request: PrivateOptions) => Promise<boolean>;
  end: () => Promise<boolean>;
} {
  const t = useTranslations('cockpit.private');
  const client = useSessionClient();
  const attempt = useAttempt();
  const { session, tab } = useCockpit();
  const [busy, setBusy] = useState(false);
  const ask = async (request: PrivateOptions & { private: boolean }, failed: string): Promise<boolean> => {
    if (!tab || busy) return false;
    setBusy(true);
    const worked = await attempt(
      client.request('control', { session: session.id, tab: tab.id, do: 'take', ...request }),
      failed,
    );
    setBusy(false);
    return worked;
  };
  return {
    busy,
    hold: (request) => ask({ ...request, private: true }, t('failed')),
    end: () => ask({ private: false }, t('endFailed')),
  };
}
