'use client';

import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { useProblem } from '@/components/ui/use-problem';
import { asWheelhouseError } from '@/lib/errors/error';

/** What a step of the sign-in says when its proof is wrong; a key of `account.wrong`. */
export type ProofName = 'password' | 'code' | 'recovery' | 'passkey';

/** Gives a function that puts a failed step of the sign-in into one or two sentences. */
export function useFailure(): (proof: ProofName, thrown: unknown) => string {
  const t = useTranslations('account');
  const problem = useProblem();
  return useCallback(
    (proof, thrown) => {
      const { code } = asWheelhouseError(thrown);
      if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return t(`wrong.${proof}`);
      if (code === 'BAD_REQUEST') return t(`unreadable.${proof}`);
      if (code === 'RATE_LIMITED') return t('tooOften');
      const { what, cure } = problem(thrown);
      return `${what} ${cure}`;
    },
    [t, problem],
  );
}
