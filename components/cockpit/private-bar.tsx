'use client';

import { Lock, LockOpen } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import { Tooltip } from '@/components/ui/tooltip';
import { useCockpit } from './cockpit-context';
import { usePrivate } from './use-private';

/** Hides the page from everybody else, at once. For who drives. */
export function PrivateButton() {
  const t = useTranslations('cockpit.private');
  const { mine, tab } = useCockpit();
  const { busy, hold } = usePrivate();
  if (!mine || !tab || tab.control.private) return null;
  return (
    <Tooltip text={t('startWhat')} side="top">
      <Button size="lg" className="h-9 max-sm:h-11 max-sm:w-full" busy={busy} onClick={() => void hold({})}>
        <Lock aria-hidden />
        {t('start')}
      </Button>
    </Tooltip>
  );
}

/** What the holder sees while the page is private: that it is, what that means, why for the others, when it ends. */
export function PrivateBar() {
  const { mine, tab } = useCockpit();
  const held = tab?.control.private;
  return mine && held ? <Held key={held.since} reason={held.reason} until={held.until} /> : null;
}

function Held({ reason, until }: { reason: string; until: 'field' | 'ended' }) {
  const t = useTranslations('cockpit.private');
  const { busy, hold, end } = usePrivate();
  const [said, setSaid] = useState(reason);
  const box = useId();
  const tell = () => void (said.trim() !== reason && hold({ reason: said.trim(), until }));
  return (
    <section data-wheel="human" data-private-bar aria-label={t('sign')} className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t-2 border-wheel bg-wheel-soft px-3 py-2">
      <p role="status" className="flex items-center gap-2 font-semibold text-wheel max-sm:sr-only">
        <Lock aria-hidden className="size-4 shrink-0" />
        {t('sign')}
      </p>
      <p className="min-w-0 flex-1 basis-80 text-xs text-ink-2">{t('lead')}</p>
      <form
        className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:w-full"
        onSubmit={(event) => {
          event.preventDefault();
          tell();
        }}
      >
        <TextBox aria-label={t('reason')} placeholder={t('reasonPlaceholder')} maxLength={200} className="w-52 max-sm:w-full" value={said} onChange={(event) => setSaid(event.target.value)} onBlur={tell} />
        <label htmlFor={box} className="flex items-center gap-2 pointer-coarse:min-h-10">
          <input id={box} type="checkbox" className="size-4 accent-wheel" checked={until === 'field'} onChange={(event) => void hold({ reason: said.trim(), until: event.target.checked ? 'field' : 'ended' })} />
          {t('untilField')}
        </label>
        <Button variant="wheel" size="lg" className="h-9 max-sm:ml-auto max-sm:h-11" busy={busy} onClick={() => void end()}>
          <LockOpen aria-hidden />
          {t('end')}
        </Button>
      </form>
    </section>
  );
}
