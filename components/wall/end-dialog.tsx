'use client';

import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Confirm } from '@/components/ui/confirm';
import { toast } from '@/components/ui/toast';
import { cardLink } from './card-focus';
import type { WallEntry } from './wall-list';

/** Asks for confirmation before a session ends: what is lost, and who drives it. Mounted only while open. */
export function EndDialog({
  entry: { session, lease },
  onClose,
}: {
  entry: Pick<WallEntry, 'session' | 'lease'>;
  onClose: () => void;
}) {
  const t = useTranslations('wall.end');
  const { name } = session;
  return (
    <Confirm
      returnFocus={() => cardLink(session.id)}
      title={t('title', { name })}
      lead={session.browser.origin === 'attached' ? t('attached') : t('lead', { tabs: session.tabs.length })}
      action={t('confirm')}
      failed={t('failed')}
      work={() => api.endSession(session.id)}
      onDone={() => toast.success(t('done', { name }))}
      onClose={onClose}
    >
      {lease.holder && !lease.mine && <p className="font-medium">{t('driving', { name: lease.holder.name })}</p>}
    </Confirm>
  );
}
