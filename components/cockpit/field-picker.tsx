'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import type { FieldPopup } from '@/lib/protocol/popup';

/** A date, time or colour, asked for with the picker of this person's own browser and set in the page as a value. */
export function FieldPicker({
  popup,
  onSet,
  onClose,
}: {
  popup: FieldPopup;
  onSet: (value: string) => void;
  onClose: () => void;
}) {
  const t = useTranslations('cockpit.popup');
  const [value, setValue] = useState(popup.value);
  const field = useRef<HTMLInputElement>(null);
  const { sort, min, max, step } = popup;
  useEffect(() => {
    const input = field.current;
    input?.focus();
    try {
      input?.showPicker();
    } catch {
      // Not every browser opens it without a press of its own; the field is there to press and to type in.
    }
  }, []);
  return (
    <form
      className="flex flex-col gap-3 p-3 max-sm:pb-[max(12px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(value);
      }}
    >
      <TextBox
        ref={field}
        type={sort}
        aria-label={popup.label === '' ? t(sort) : popup.label}
        value={value}
        {...{ ...(min && { min }), ...(max && { max }), ...(step && { step }) }}
        onChange={(event) => setValue(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        {sort !== 'color' && popup.value !== '' && (
          <Button size="sm" onClick={() => onSet('')}>
            {t('clear')}
          </Button>
        )}
        <Button size="sm" variant="primary" type="submit">
          {t('set')}
        </Button>
      </div>
    </form>
  );
}
