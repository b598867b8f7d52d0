'use client';

import { CircleX, LoaderCircle, Unplug } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { useLink } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { EndDialog } from '@/components/wall/end-dialog';
import { sessionLease } from '@/components/lease-state';
import { useCockpit } from './cockpit-context';
import { useReopenBrowser } from './use-reopen-browser';

/**
 * Covers the last picture when the session's Chrome is gone: says why and what is lost, and offers to start a new
 * Chrome or to end the session.
 */
export function BrowserGone() {
  const t = useTranslations('cockpit.down');
  const say = useMessageText();
  const { session, you } = useCockpit();
  const { busy, revive } = useReopenBrowser(session.id);
  const [ending, setEnding] = useState(false);
  const guest = useLink() !== undefined;
  const title = useId();
  const returning = session.stateSaid?.code === 'chromeReturning';
  const attached = session.browser.origin === 'attached';
  return (
    <div className="absolute inset-0 z-10 grid animate-fade place-items-center overflow-auto p-4">
      <section
        role="alert"
        aria-labelledby={title}
        className="w-[min(100%,440px)] rounded-lg border border-line-strong bg-raised p-4 shadow-pop"
      >
        <h2 id={title} className="flex items-center gap-2 text-md font-semibold">
          <Unplug aria-hidden className="size-4 shrink-0 text-stuck" />
          {t('title')}
        </h2>
        <p className="mt-1.5">
          <bdi>{session.stateSaid ? say(session.stateSaid) : session.stateReason}</bdi>
        </p>
        {guest && <p className="mt-1.5 text-ink-2">{t('guest')}</p>}
        {!guest && !(returning && session.tabs.length === 0) && (
          <p className="mt-1.5 text-ink-2">{t(attached ? 'offerBare' : 'offer', { tabs: session.tabs.length })}</p>
        )}
        {attached && !guest && <p className="mt-1.5 text-ink-2">{t('attached')}</p>}
        <div className="mt-4 flex flex-wrap gap-2 max-sm:flex-col">
          {returning ? (
            <p role="status" className="flex min-h-9 flex-1 items-center gap-2 text-ink-2">
              <LoaderCircle aria-hidden className="size-4 animate-spin" />
              {t('starting')}
            </p>
          ) : (
            !guest && (
              <Button variant="primary" size="lg" busy={busy} onClick={revive}>
                {t(busy ? 'starting' : 'start')}
              </Button>
            )
          )}
          {!guest && (
            <Button size="lg" onClick={() => setEnding(true)}>
              <CircleX aria-hidden />
              {t('end')}
            </Button>
          )}
        </div>
      </section>
      {ending && (
        <EndDialog entry={{ session, lease: sessionLease(session, you?.id) }} onClose={() => setEnding(false)} />
      )}
    </div>
  );
}
