'use client';

import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';

/** The buttons of a dialog with a form. */
export function DialogButtons({
  form,
  word,
  busy,
  usable,
  onClose,
}: {
  form: string;
  word: string;
  busy: boolean;
  usable: boolean;
  onClose: () => void;
}) {
  const common = useTranslations('common');
  return (
    <>
      <Button onClick={onClose}>{common('cancel')}</Button>
      <Button variant="primary" type="submit" form={form} busy={busy} disabled={!usable}>
        {word}
      </Button>
    </>
  );
}
