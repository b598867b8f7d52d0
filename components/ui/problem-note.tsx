'use client';

import { OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from './cn';
import { CopyButton } from './copy-snippet';
import { useProblem } from './use-problem';

export interface ProblemNoteProps {
  /** What failed. */
  title: string;
  /** The thrown error. */
  thrown: unknown;
  /** Why, and what to do next, where this page knows it better than the error; the details keep its own words. */
  say?: string | undefined;
  /** A button that tries again or continues. */
  action?: ReactNode;
  className?: string;
}

/** Shows a failure in place: what happened, why, what to do next, and the details to copy. */
export function ProblemNote({ title, thrown, say, action, className }: ProblemNoteProps) {
  const t = useTranslations('common');
  const problem = useProblem()(thrown);
  return (
    <div role="alert" className={cn('flex gap-3 rounded-md border border-stuck/40 bg-stuck-soft p-3', className)}>
      <OctagonAlert aria-hidden className="mt-px size-4 shrink-0 text-stuck" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-stuck">{title}</p>
        <p className="mt-0.5 break-words">
          <bdi>{say ?? problem.what}</bdi>
        </p>
        {say === undefined && problem.server !== undefined && (
          <p className="break-words text-ink-2">
            <bdi>{problem.server}</bdi>
          </p>
        )}
        {say === undefined && <p className="text-ink-2">{problem.cure}</p>}
        <details className="mt-1.5">
          <summary className="w-fit cursor-pointer text-xs text-ink-2">{t('details')}</summary>
          <div className="mt-1 flex items-start gap-1">
            <pre className="max-h-40 min-w-0 flex-1 overflow-auto font-mono text-2xs whitespace-pre-wrap text-ink-2">
              {problem.detail}
            </pre>
            <CopyButton text={problem.detail} />
          </div>
        </details>
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}
