'use client';

import { ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useWorkspace } from '@/components/session-client/use-session-client';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { Button } from '@/components/ui/button';
import { Notice } from './notice';
import { WorkspaceSwitcher } from './workspace-switcher';

/** The part of the account page that sets up codes. */
export const SECOND_FACTOR = 'second-factor';

/** In place of every page of a workspace that asks for a second factor, for people who signed in without one. */
export function SecondFactorNeeded() {
  const t = useTranslations('rights.needed');
  const name = useWorkspace()?.name ?? '';
  const pathTo = useWorkspacePath();
  const path = usePathname() ?? '/';
  return (
    <Notice title={t('title')} heading={t('heading', { name })} lead={t('lead')}>
      <p className="mt-3 text-ink-2">{t('other')}</p>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button asChild variant="primary" size="lg">
          <Link href={`${pathTo('/settings/account')}#${SECOND_FACTOR}`}>
            <ShieldCheck aria-hidden />
            {t('cure')}
          </Link>
        </Button>
        <Button asChild size="lg">
          <a href={`/sign-in?to=${encodeURIComponent(path)}`}>{t('again')}</a>
        </Button>
      </div>
      <p className="mt-8 flex flex-wrap items-center gap-1 text-ink-2">
        {t('elsewhere')}
        <WorkspaceSwitcher />
      </p>
    </Notice>
  );
}
