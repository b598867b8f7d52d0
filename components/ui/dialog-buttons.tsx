'use client';

import { useTranslations } from 'use-intl';
import { Button } from './button';

export interface DialogButtonsProps {
  /** The id of the dialog's form, which the right button submits. */
  form: string;
  /** On the right button. */
  word: string;
  busy?: boolean;
  /** Whether the form can be submitted. */
  usable?: boolean;
  danger?: boolean;
  onClose: () => void;
}

/** The buttons of a dialog with a form. */
export function DialogButtons({
  form,
  word,
  busy = false,
  usable = true,
  danger = false,
  onClose,
}: DialogButtonsProps) {
  const common = useTranslations('common');
  return (
    <>
      <Button onClick={onClose}>{common('cancel')}</Button>
      <Button type="submit" form={form} variant={danger ? 'danger' : 'primary'} busy={busy} disabled={!usable}>
        {word}
      </Button>
    </>
  );
}
