'use client';

import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
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
  const common = useTranslations('common');
  const task = useTask();
  const { name } = session;
  const end = () =>
    void task.run(
      () => api.endSession(session.id),
      () => {
        toast.success(t('done', { name }));
        onClose();
      },
    );
  return (
    <Dialog
      open
      kind="alert"
      onOpenChange={onClose}
      returnFocus={() => cardLink(session.id)}
      title={<bdi>{t('title', { name })}</bdi>}
      description={session.browser.origin === 'attached' ? t('attached') : t('lead', { tabs: session.tabs.length })}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" busy={task.busy} onClick={end}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 empty:hidden">
        {lease.holder && !lease.mine && <p className="font-medium">{t('driving', { name: lease.holder.name })}</p>}
        {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
      </div>
    </Dialog>
  );
}
