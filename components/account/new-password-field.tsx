'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/field';
import { Check } from '@/components/ui/check';

/** Fewest and most characters of a new password; the server refuses others. */
const PASSWORD_LENGTH = { least: 10, most: 200 } as const;

export function isUsablePassword(password: string): boolean {
  const { length } = [...password];
  return length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most;
}

export interface NewPasswordFieldProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
  /** What the server found wrong with it. */
  problem?: string | undefined;
}

/** A new password, which can be shown instead of typed twice. */
export function NewPasswordField({ label, value, onChange, problem }: NewPasswordFieldProps) {
  const t = useTranslations('account');
  const [shown, setShown] = useState(false);
  const [left, setLeft] = useState(false);
  const short = left && value !== '' && !isUsablePassword(value) ? t('passwordLength', PASSWORD_LENGTH) : undefined;
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={label}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        value={value}
        maxLength={PASSWORD_LENGTH.most}
        hint={t('passwordHint', PASSWORD_LENGTH)}
        problem={problem ?? short}
        onBlur={() => setLeft(true)}
        onChange={(event) => onChange(event.target.value)}
      />
      <Check label={t('showPassword')} checked={shown} onChange={setShown} />
    </div>
  );
}
