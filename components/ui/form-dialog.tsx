'use client';

import { useId, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { cn } from './cn';
import { Dialog, type DialogProps } from './dialog';

export interface FormDialogProps extends Pick<
  DialogProps,
  'title' | 'description' | 'kind' | 'className' | 'returnFocus'
> {
  /** On the button that submits. */
  word: string;
  busy?: boolean;
  /** Whether the form can be submitted. */
  usable?: boolean;
  danger?: boolean;
  /** Left of the buttons. */
  note?: ReactNode;
  formClass?: string;
  onSubmit: () => void;
  onClose: () => void;
  /** The fields. */
  children?: ReactNode;
}

/** A dialog with a form, which Enter or its right button submits. Mounted only while open. */
export function FormDialog({
  word,
  busy = false,
  usable = true,
  danger = false,
  note,
  formClass,
  onSubmit,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const common = useTranslations('common');
  const form = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      {...dialog}
      footer={
        <>
          {note}
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={form} variant={danger ? 'danger' : 'primary'} busy={busy} disabled={!usable}>
            {word}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={cn('flex flex-col gap-4 empty:hidden', formClass)}
        onSubmit={(event) => {
          event.preventDefault();
          if (usable) onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
