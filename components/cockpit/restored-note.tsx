'use client';

import { RotateCw, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Ago } from '@/components/messages/times';
import { useMessageText } from '@/components/messages/use-message-text';
import { IconButton } from '@/components/ui/icon-button';
import { restoredMessage } from '@/lib/messages/restored';
import { useCockpit } from './cockpit-context';

/** By session: the recovery whose note was closed, until the page is reloaded. */
const read = new Map<string, string>();

/** Says that the session was recovered in a new Chrome, when, and what is lost (BR5). Stays until it is closed. */
export function RestoredNote() {
  const t = useTranslations('cockpit.restored');
  const say = useMessageText();
  const { session, live } = useCockpit();
  const [, setClosed] = useState('');
  const title = useId();
  const { restored } = session;
  if (!restored || !live || read.get(session.id) === restored.at) return null;
  const close = () => {
    read.set(session.id, restored.at);
    setClosed(restored.at);
  };
  return (
    <aside
      role="note"
      aria-labelledby={title}
      className="flex items-start gap-2 border-b border-line bg-raised px-3 py-1.5 text-sm"
    >
      <RotateCw aria-hidden className="mt-0.5 size-4 shrink-0 text-stuck" />
      <p className="min-w-0 flex-1">
        <strong id={title} className="font-semibold">
          {t('title')}
        </strong>{' '}
        <span className="text-ink-3">
          (<Ago since={restored.at} />)
        </span>{' '}
        <span className="text-ink-2">{say(restoredMessage(restored))}</span>
      </p>
      <IconButton label={t('close')} side="bottom" className="-my-1 shrink-0" onClick={close}>
        <X aria-hidden />
      </IconButton>
    </aside>
  );
}
