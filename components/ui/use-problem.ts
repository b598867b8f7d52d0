'use client';

import { useCallback } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { isErrorCode, type ErrorCode } from '@/lib/errors/codes';
import { toWire } from '@/lib/errors/error';
import { toast } from './toast';
import { writeClipboard } from './use-copy';

export interface Problem {
  /** What happened, in the reader's language; may name page-made text. */
  readonly what: string;
  /**
   * The server's own English, marked as such, where it says more than `what` and there are no other words for it yet.
   */
  readonly server?: string | undefined;
  /** What to do next. */
  readonly cure: string;
  /** For a report: code, message and details as text. */
  readonly detail: string;
}

/**
 * Of these the reader's own sentence says all; the server's English would only say it again. It stays in the details.
 */
const SAID_BY_CODE: ReadonlySet<string> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'TAB_NOT_FOUND',
  'CONTROL_HELD',
  'CONTROL_LOST',
  'BROWSER_DOWN',
  'STORE_BUSY',
  'RATE_LIMITED',
  'TIMEOUT',
  'ABORTED',
  'INTERNAL',
  'DIALOG_OPEN',
  'REF_UNKNOWN',
  'REF_STALE_DOCUMENT',
  'NODE_GONE',
  'TAB_CRASHED',
  'TAB_UNRESPONSIVE',
  'OUTCOME_UNKNOWN',
  'EVAL_TERMINATED',
]);

/** Turns whatever was thrown into sentences for people: what happened, why, what to do next. */
export function useProblem(): (thrown: unknown) => Problem {
  const t = useTranslations('problem');
  const locale = useLocale();
  const say = useMessageText();
  return useCallback(
    (thrown) => {
      const { code, message, hint, details, said, cure } = toWire(thrown);
      const detail = JSON.stringify({ code, message, hint, details }, null, 2);
      const known = isErrorCode(code) ? code : 'INTERNAL';
      const next = cure ? say(cure) : t(`cure.${known}`);
      if (said) return { what: say(said), cure: next, detail };
      if (locale === 'en' && message !== '') return { what: message, cure: next, detail };
      const server = message === '' || SAID_BY_CODE.has(known) ? undefined : t('server', { message });
      return { what: t(`what.${known}`), server, cure: next, detail };
    },
    [t, locale, say],
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
        description: [problem.what, problem.server, problem.cure].filter((part) => part !== undefined).join(' '),
        duration: 10_000,
        action: { label: t('copyDetails'), onClick: () => void writeClipboard(problem.detail) },
      });
    },
    [t, describe],
  );
}
