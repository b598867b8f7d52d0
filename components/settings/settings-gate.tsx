'use client';

import { EyeOff } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useRights, useWorkspace } from '@/components/session-client/use-session-client';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { Button } from '@/components/ui/button';
import { maySee, SETTINGS_NAMES, SETTINGS_PAGES, type SettingsPageName } from '@/components/shell/settings-pages';
import { SettingsFrame } from './settings-frame';
import { ListState, Section } from '@/components/ui/section';

/**
 * Shows a page of the settings to those who may see it, also when their rights change while it is open; the others read
 * whose page it is and whom to ask.
 */
export function SettingsGate({ children }: { children: ReactNode }) {
  const rights = useRights();
  const last = (usePathname() ?? '').replace(/\/$/, '').split('/').at(-1);
  const page = SETTINGS_NAMES.find((name) => SETTINGS_PAGES[name] === last);
  if (page === undefined || maySee(page, rights)) return children;
  return <Hidden page={page} loading={rights === undefined} />;
}

function Hidden({ page, loading }: { page: SettingsPageName; loading: boolean }) {
  const nav = useTranslations('settings.nav');
  return (
    <SettingsFrame page={page} title={nav(page)} lead="">
      {loading ? (
        <Section title={nav(page)} flush>
          <ListState loading error={undefined} failed="" />
        </Section>
      ) : (
        <WhomToAsk page={page} />
      )}
    </SettingsFrame>
  );
}

function WhomToAsk({ page }: { page: SettingsPageName }) {
  const t = useTranslations('rights.hidden');
  const role = useTranslations('personRole');
  const own = useRights()?.role;
  const name = useWorkspace()?.name ?? '';
  const pathTo = useWorkspacePath();
  if (page === 'account' || page === 'general') return null;
  return (
    <div role="status" className="flex gap-3 rounded-lg border border-line bg-panel p-4">
      <EyeOff aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t(page, { name })}</p>
        <p className="mt-1 text-ink-2">
          {page === 'about'
            ? t('askServer')
            : `${own ? `${t('role', { role: role(own) })} ` : ''}${t('ask', { name })}`}
        </p>
        <Button asChild className="mt-3">
          <Link href={pathTo('/settings/account')}>{t('account')}</Link>
        </Button>
      </div>
    </div>
  );
}
