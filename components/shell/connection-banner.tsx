'use client';

import { LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useConnection } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { useProblem } from '@/components/ui/use-problem';
import { WheelhouseError } from '@/lib/errors/error';

const SIGNED_OUT = new WheelhouseError('UNAUTHENTICATED', '');

/** Says that the connection to the server is lost, and what happens next. Empty while connected. */
export function ConnectionBanner() {
  return (
    <div role="status" aria-live="polite" className="sticky top-0 z-20">
      <Line />
    </div>
  );
}

function Line() {
  const t = useTranslations('shell.connection');
  const common = useTranslations('common');
  const problem = useProblem();
  const { state } = useConnection();
  if (state === 'reconnecting')
    return <Bar icon={<LoaderCircle aria-hidden className="animate-spin" />}>{t('reconnecting')}</Bar>;
  if (state === 'outdated') {
    return (
      <Bar
        icon={<TriangleAlert aria-hidden />}
        action={{ label: common('reload'), run: () => window.location.reload() }}
      >
        {t('outdated')}
      </Bar>
    );
  }
  if (state !== 'signed-out') return null;
  const { what, cure } = problem(SIGNED_OUT);
  return (
    <Bar
      icon={<TriangleAlert aria-hidden />}
      action={{ label: t('signIn'), run: () => window.location.assign(signInBack()) }}
    >
      {`${what} ${cure}`}
    </Bar>
  );
}

/** The sign-in page, which leads back here. */
function signInBack(): string {
  const { pathname, search } = window.location;
  return `/sign-in?to=${encodeURIComponent(`${pathname}${search}`)}`;
}

function Bar({
  icon,
  action,
  children,
}: {
  icon: ReactNode;
  action?: { label: string; run: () => void };
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-9 items-center justify-center gap-2 border-b border-human/30 bg-human-soft px-4 py-1 font-medium text-human [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      <span>{children}</span>
      {action && (
        <Button size="sm" className="ml-2" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  );
}
