'use client';

import { Info, KeyRound, ScrollText, SlidersHorizontal, UserRound, Users, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { SETTINGS_PAGES, useMaySee, type SettingsPageName } from '@/components/shell/settings-pages';
import { AppHeader } from '@/components/shell/app-header';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { cn } from '@/components/ui/cn';

interface Entry {
  readonly name: SettingsPageName;
  readonly icon: LucideIcon;
}

const GROUPS: readonly { readonly name: 'you' | 'workspace' | 'server'; readonly entries: readonly Entry[] }[] = [
  { name: 'you', entries: [{ name: 'account', icon: UserRound }] },
  {
    name: 'workspace',
    entries: [
      { name: 'general', icon: SlidersHorizontal },
      { name: 'people', icon: Users },
      { name: 'keys', icon: KeyRound },
      { name: 'log', icon: ScrollText },
    ],
  },
  { name: 'server', entries: [{ name: 'about', icon: Info }] },
];

export interface SettingsFrameProps {
  page: SettingsPageName;
  title: string;
  lead: ReactNode;
  /** The page's main button. */
  action?: ReactNode;
  children: ReactNode;
}

/** The frame of the settings: the pages that one may see at the left, above the page on a phone. */
export function SettingsFrame({ page, title, lead, action, children }: SettingsFrameProps) {
  return (
    <>
      <title>{`${title} · Wheelhouse`}</title>
      <AppHeader />
      <ConnectionBanner />
      <div className="mx-auto flex w-full max-w-[1180px] gap-x-10 px-3.5 sm:px-5 lg:pt-6 max-lg:flex-col">
        <SettingsNav page={page} />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 pt-4 pb-16 outline-none lg:pt-0">
          <div className="flex flex-wrap items-start gap-x-6 gap-y-3 pb-5">
            <div className="min-w-0 flex-1 basis-72">
              <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
              <p className="mt-1 max-w-[62ch] text-ink-2">{lead}</p>
            </div>
            {action}
          </div>
          <div className="flex flex-col gap-6">{children}</div>
        </main>
      </div>
    </>
  );
}

function SettingsNav({ page }: { page: SettingsPageName }) {
  const t = useTranslations('settings.nav');
  const pathTo = useWorkspacePath();
  const maySee = useMaySee();
  const shown = GROUPS.map(({ name, entries }) => ({ name, entries: entries.filter((one) => maySee(one.name)) }));
  return (
    <nav
      aria-label={t('label')}
      className="flex shrink-0 gap-0.5 lg:w-44 lg:flex-col lg:gap-5 max-lg:-mx-3.5 max-lg:overflow-x-auto max-lg:border-b max-lg:border-line max-lg:bg-panel max-lg:px-3 max-lg:py-1.5 max-lg:[scrollbar-width:none] sm:max-lg:-mx-5"
    >
      {shown
        .filter(({ entries }) => entries.length > 0)
        .map((group) => (
          <div key={group.name} className="flex gap-0.5 lg:flex-col">
            <h2 className="px-2.5 pb-1 text-xs font-medium text-ink-3 max-lg:hidden">{t(group.name)}</h2>
            {group.entries.map(({ name, icon: Icon }) => (
              <Link
                key={name}
                href={pathTo(`/settings/${SETTINGS_PAGES[name]}`)}
                aria-current={name === page ? 'page' : undefined}
                className={cn(
                  'flex h-8 shrink-0 items-center gap-2 rounded-sm px-2.5 font-medium text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-10',
                  name === page && 'bg-sel text-ink hover:bg-sel',
                )}
              >
                <Icon aria-hidden className="size-4 shrink-0 text-ink-3 max-sm:hidden" />
                {t(name)}
              </Link>
            ))}
          </div>
        ))}
    </nav>
  );
}
