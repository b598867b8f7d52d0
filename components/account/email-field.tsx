'use client';

import { useTranslations } from 'use-intl';
import { Field, type FieldProps } from '@/components/ui/field';

/** The address that a person signs in with. */
export function EmailField({
  onChange,
  ...field
}: Omit<FieldProps, 'label' | 'onChange'> & { onChange: (email: string) => void }) {
  const t = useTranslations('account');
  return (
    <Field
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete="username"
      maxLength={254}
      {...field}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
