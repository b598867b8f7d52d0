'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';

export interface ConfirmProps {
  title: string;
  lead: ReactNode;
  /** The word on the button. */
  action: string;
  danger?: boolean;
  /** What is said when `work` fails. */
  failed: string;
  work: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back, and does it. Mounted only while open. */
export function Confirm({ title, lead, action, danger = true, failed, work, onDone, onClose }: ConfirmProps) {
  const common = useTranslations('common');
  const task = useTask();
  const confirm = () =>
    void task.run(work, () => {
      onDone();
      onClose();
    });
  return (
    <Dialog
      open
      kind="alert"
      onOpenChange={onClose}
      title={<bdi>{title}</bdi>}
      description={lead}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={task.busy} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      {task.error !== undefined && <ProblemNote title={failed} thrown={task.error} />}
    </Dialog>
  );
}
