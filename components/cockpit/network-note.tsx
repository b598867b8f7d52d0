'use client';

import { Unplug } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { Button } from '@/components/ui/button';
import { useCockpit } from './cockpit-context';
import { useReopenBrowser } from './use-reopen-browser';

/**
 * Says that the pages of this session have no network, and offers a new context; or that they bypass the egress proxy
 * (GU1).
 */
export function NetworkNote() {
  const t = useTranslations('cockpit.network');
  const say = useMessageText();
  const { session, live } = useCockpit();
  const { busy, revive } = useReopenBrowser(session.id);
  const title = useId();
  const { egress } = session;
  if (!egress || !live || egress.state === 'enforced') return null;
  const closed = egress.state === 'closed';
  return (
    <aside
      role="note"
      aria-labelledby={title}
      className="flex flex-wrap items-start gap-2 border-b border-line bg-raised px-3 py-1.5 text-sm"
    >
      <Unplug aria-hidden className="mt-0.5 size-4 shrink-0 text-stuck" />
      <p className="min-w-0 flex-1">
        <strong id={title} className="font-semibold">
          {t(closed ? 'closed' : 'advisory')}
        </strong>{' '}
        <span className="text-ink-2">{egress.said ? say(egress.said) : egress.reason}</span>
      </p>
      {closed && (
        <Button size="sm" variant="lease" title={t('renewAbout')} busy={busy} onClick={revive}>
          {t('renew')}
        </Button>
      )}
    </aside>
  );
}
