'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { Dialog, type DialogProps } from './dialog';
import { ProblemNote } from './problem-note';
import { useTask } from './use-task';

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
  returnFocus?: DialogProps['returnFocus'];
  children?: ReactNode;
}

/** Asks before something that cannot be taken back, and does it. Mounted only while open. */
export function Confirm({
  title,
  lead,
  action,
  danger = true,
  failed,
  work,
  onDone,
  onClose,
  returnFocus,
  children,
}: ConfirmProps) {
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
      {...(returnFocus && { returnFocus })}
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
      {(children || task.error !== undefined) && (
        <div className="flex flex-col gap-3">
          {children}
          {task.error !== undefined && <ProblemNote title={failed} thrown={task.error} />}
        </div>
      )}
    </Dialog>
  );
}
