'use client';

import type { ReactNode } from 'react';
import { FormDialog } from '@/components/ui/form-dialog';
import { useTask } from '@/components/ui/use-task';
import type { AccountView, Proof } from '@/components/session-client/account-api';
import { ProofProblem, useProof } from './proof';

interface ProofDialogProps<T> {
  account: AccountView;
  title: ReactNode;
  lead: string;
  /** The word on the button that does it. */
  word: string;
  /** Above the failure. */
  failed: string;
  danger?: boolean;
  change: (proof: Proof) => Promise<T>;
  onDone: (result: T) => void;
  onClose: () => void;
}

/** Asks for the proof of a change of the account, and makes the change. */
export function ProofDialog<T>(props: ProofDialogProps<T>) {
  const { account, title, lead, word, failed, danger = false, change, onDone, onClose } = props;
  const task = useTask();
  const proof = useProof(account, task.error, true);
  return (
    <FormDialog
      title={title}
      description={lead}

      word={word}
      busy={task.busy}
      usable={proof.given}
      danger={danger}

      formClass="gap-3"
      onSubmit={() => void task.run(() => change(proof.proof), onDone)}
      onClose={onClose}
    >
      {proof.field}
      <ProofProblem title={failed} error={task.error} />
    </FormDialog>
  );
}
