'use client';

import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { toWire } from '@/lib/errors/error';
import { toast } from './toast';
import { writeClipboard } from './use-copy';

const KNOWN = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'TAB_NOT_FOUND',
  'CONTROL_HELD',
  'CONTROL_LOST',
  'NAV_BLOCKED',
  'NAV_FAILED',
  'BROWSER_DOWN',
  'STORE_BUSY',
  'QUOTA',
  'RATE_LIMITED',
  'TIMEOUT',
  'CONFLICT',
  'BAD_REQUEST',
  'ABORTED',
  'UNSUPPORTED',
  'INTERNAL',
] as const;

export interface Problem {
  /** What happened, in the reader's language. */
  readonly what: string;
  /** The server's own sentence; English, may name page-made text. */
  readonly server: string;
  /** What to do next. */
  readonly cure: string;
  /** For a report: code, message and details as text. */
  readonly detail: string;
}

/** Turns whatever was thrown into sentences for people: what happened, why, what to do next. */
export function useProblem(): (thrown: unknown) => Problem {
  const t = useTranslations('problem');
  return useCallback(
    (thrown) => {
      const wire = toWire(thrown);
      const code = KNOWN.find((known) => known === wire.code);
      const detail = JSON.stringify(wire, null, 2);
      if (!code) return { what: wire.message, server: wire.message, cure: wire.hint, detail };
      return { what: t(`what.${code}`), server: wire.message, cure: t(`cure.${code}`), detail };
    },
    [t],
  );
}

/** Shows a failure as a toast: `title` says what did not happen, the rest comes from what was thrown. */
export function useProblemToast(): (title: string, thrown: unknown) => void {
  const t = useTranslations('common');
  const describe = useProblem();
  return useCallback(
    (title, thrown) => {
      const problem = describe(thrown);
      toast.error(title, {
        description: `${problem.server} ${problem.cure}`,
        duration: 10_000,
        action: { label: t('copyDetails'), onClick: () => void writeClipboard(problem.detail) },
      });
    },
    [t, describe],
  );
}
