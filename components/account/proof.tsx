'use client';

import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/field';
import { asWheelhouseError } from '@/lib/errors/error';
import { ProblemNote } from '@/components/ui/problem-note';
import type { AccountView, Proof } from '@/components/session-client/account-api';

export interface ProofInput {
  readonly proof: Proof;
  /** Whether what the change asks for is there. */
  readonly given: boolean;
  /** The field of the present password; nothing where a fresh sign-in proves enough. */
  readonly field: ReactNode;
}

const REFUSALS = new Map<string, 'proofPassword' | 'proofSignIn' | 'proofFactor'>([
  ['password', 'proofPassword'],
  ['sign-in', 'proofSignIn'],
  ['second-factor', 'proofFactor'],
]);

/** What a refused change asks for. */
function missingIn(error: unknown): unknown {
  if (error === undefined) return undefined;
  const { code, details } = asWheelhouseError(error);
  return code === 'FORBIDDEN' ? details?.['proof'] : undefined;
}

/**
 * The present password, for a change that asks for it.
 * @param error of the change, which may ask for it, too
 * @param autoFocus where it is the first field of a dialog
 */
export function useProof(account: AccountView, error: unknown, autoFocus = false): ProofInput {
  const t = useTranslations('account');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  if (!asked && missingIn(error) === 'password') setAsked(true);
  if (account.proof === 'sign-in' && !asked) return { proof: {}, given: true, field: null };
  return {
    proof: { currentPassword: password },
    given: password !== '',
    field: (
      <Field
        autoFocus={autoFocus}
        label={t('currentPassword')}
        type="password"
        autoComplete="current-password"
        value={password}
        maxLength={200}
        onChange={(event) => setPassword(event.target.value)}
      />
    ),
  };
}

/**
 * Why a change was refused: the present password is wrong, or the sign-in is too old or was made without the second
 * factor; else the failure itself.
 */
export function ProofProblem({
  title,
  error,
  other,
}: {
  title: string;
  error: unknown;
  /** Shows a failure that asks for no other proof. */
  other?: ReactNode;
}) {
  const t = useTranslations('account');
  if (error === undefined) return null;
  const missing = missingIn(error);
  const said = typeof missing === 'string' ? REFUSALS.get(missing) : undefined;
  if (!said) return other ?? <ProblemNote title={title} thrown={error} />;
  return (
    <p role="alert" className="text-stuck">
      {t(said)}
    </p>
  );
}
