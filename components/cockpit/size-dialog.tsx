'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import type { Size } from '@/lib/geometry/picture';

/** Smallest and largest side of a page here, CSS pixels; the server allows more. */
const RANGE = { least: 200, most: 4_096 } as const;

/** Dialog that asks for the page's width and height. */
export function SizeDialog({
  start,
  onClose,
  onApply,
}: {
  start: Size;
  onClose: () => void;
  onApply: (size: Size) => Promise<boolean>;
}) {
  const t = useTranslations('cockpit.view');
  const [width, setWidth] = useState(`${start.width}`);
  const [height, setHeight] = useState(`${start.height}`);
  const [tried, setTried] = useState(false);
  const problem = (text: string) => (tried && readSide(text) === undefined ? t('range') : undefined);
  const apply = async () => {
    const size = { width: readSide(width), height: readSide(height) };
    setTried(true);
    if (size.width === undefined || size.height === undefined) return;
    onClose();
    await onApply({ width: size.width, height: size.height });
  };
  return (
    <FormDialog
      title={t('customTitle')}
      description={t('customLead')}
      word={t('apply')}
      formClass="grid grid-cols-2 gap-3"
      onSubmit={() => void apply()}
      onClose={onClose}
    >
      <Field
        label={t('width')}
        inputMode="numeric"
        value={width}
        problem={problem(width)}
        onChange={(event) => setWidth(event.target.value)}
      />
      <Field
        label={t('height')}
        inputMode="numeric"
        value={height}
        problem={problem(height)}
        onChange={(event) => setHeight(event.target.value)}
      />
    </FormDialog>
  );
}

function readSide(text: string): number | undefined {
  const side = Number(text.trim());
  return Number.isInteger(side) && side >= RANGE.least && side <= RANGE.most ? side : undefined;
}
