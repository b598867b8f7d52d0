'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ProblemNote } from './problem-note';
import { Skeleton } from './skeleton';

export interface SectionProps {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  /** Without padding, for lists whose lines reach the edges. */
  flush?: boolean;
  children?: ReactNode;
}

/** A titled card of a page. */
export function Section({ title, lead, action, flush = false, children }: SectionProps) {
  return (
    <section aria-label={title} className="overflow-hidden rounded-lg border border-line bg-panel">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 pt-3.5 pb-3">
        <div className="min-w-0 flex-1 basis-52">
          <h2 className="text-md font-semibold">{title}</h2>
          {lead && <p className="mt-0.5 max-w-[64ch] text-ink-2">{lead}</p>}
        </div>
        {action}
      </div>
      {children && <div className={flush ? 'border-t border-line' : 'px-4 pb-4'}>{children}</div>}
    </section>
  );
}

/** What a list shows while it has nothing: its error, grey lines while it loads, or that it is empty. */
export function ListState({
  loading,
  error,
  failed,
  empty,
}: {
  loading: boolean;
  error: unknown;
  /** What failed. */
  failed: string;
  empty?: ReactNode;
}) {
  const t = useTranslations('common');
  if (error !== undefined) return <ProblemNote title={failed} thrown={error} className="m-4" />;
  if (!loading) return <p className="px-4 py-6 text-center text-ink-2">{empty}</p>;
  return (
    <div role="status" className="flex flex-col gap-3 p-4">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  );
}
