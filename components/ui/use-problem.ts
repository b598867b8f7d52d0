'use client';

import { useCallback } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { isErrorCode, type ErrorCode } from '@/lib/errors/codes';
import { toWire } from '@/lib/errors/error';
import { toast } from './toast';
import { writeClipboard } from './use-copy';

export interface Problem {
  /** What happened, in the reader's language; may contain page-made text. */
  readonly what: string;
  /** The server's English text, where it says more than `what` and has no translation yet. */
  readonly server?: string | undefined;
  /** What to do next. */
  readonly cure: string;
  /** For a report: code, message and details as text. */
  readonly detail: string;
}

/** Codes whose translated sentence says all: the server's English text is shown in the details only. */
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

/** Gives a function that puts a thrown value into sentences: what happened, why, and what to do next. */
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

/** Gives a function that shows a failure as a toast: `title` says what failed, the thrown value says the rest. */
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
