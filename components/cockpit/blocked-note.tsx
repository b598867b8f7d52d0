'use client';

import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { OutgoingButton } from '@/components/panels/people/outgoing';
import { useCockpit } from './cockpit-context';

/**
 * Shows what the egress proxy blocked: the page of this tab, or a large number of requests of the session (GU1, GU2).
 */
export function BlockedNote() {
  const t = useTranslations('cockpit.blocked');
  const say = useMessageText();
  const { session, tab, live } = useCockpit();
  if (!live) return null;
  const page = tab?.blocked;
  return (
    <>
      {page && (
        <Note title={t('page')} action={<OutgoingButton />}>
          {page.said ? say(page.said) : page.reason} <code className="text-ink-3">{page.rule}</code>
        </Note>
      )}
      {session.blocked?.alert !== undefined && (
        <Note action={<OutgoingButton />}>{t('many', { count: session.blocked.requests })}</Note>
      )}
    </>
  );
}

function Note({ title, action, children }: { title?: string; action: ReactNode; children: ReactNode }) {
  return (
    <aside role="status" className="flex items-start gap-2 border-b border-line bg-raised px-3 py-1.5 text-sm">
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-stuck" />
      <p className="min-w-0 flex-1 text-ink-2">
        {title !== undefined && <strong className="font-semibold text-ink">{title}. </strong>}
        {children}
      </p>
      {action}
    </aside>
  );
}
