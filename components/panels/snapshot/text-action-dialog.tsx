'use client';

import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';

export interface TextActionDialogProps {
  deed: 'type' | 'select';
  /** Page-made text. */
  element: string;
  onClose: () => void;
  onRun: (text: string) => Promise<boolean>;
}

/** Asks for the text to type or the option to choose. */
export function TextActionDialog({ deed, element, onClose, onRun }: TextActionDialogProps) {
  const t = useTranslations('cockpit.snapshot');
  const common = useTranslations('common');
  const form = useId();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const worked = await onRun(text);
    setBusy(false);
    if (worked) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={<bdi>{t(deed === 'type' ? 'typeTitle' : 'selectTitle', { element })}</bdi>}
      footer={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" type="submit" form={form} busy={busy} disabled={deed === 'select' && text === ''}>
            {t(deed === 'type' ? 'typeDo' : 'selectDo')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Field
          autoFocus
          label={t(deed === 'type' ? 'text' : 'option')}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
