'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { useMaySee } from './settings-pages';
import { BrandMark } from '@/components/ui/brand-mark';
import { cn } from '@/components/ui/cn';
import { HeaderTools } from './header-tools';
import { WorkspaceSwitcher } from './workspace-switcher';

/** The top bar of all pages but the cockpit. `children`: the page's own buttons. */
export function AppHeader({ children }: { children?: ReactNode }) {
  const t = useTranslations('shell');
  const path = usePathname();
  const pathTo = useWorkspacePath();
  const wall = pathTo('');
  const maySee = useMaySee();
  /** The pages of the navigation; each name is a key of the `shell` messages. */
  const pages = [
    { href: wall, name: 'wall', of: /^\/w\/[^/]+\/?$/ },
    {
      href: pathTo(maySee('keys') ? '/settings/keys' : '/settings/account'),
      name: 'pages',
      of: /^(\/w\/[^/]+)?\/(account|settings)\b/,
    },
  ] as const;
  return (
    <header className="sticky top-0 z-20 flex h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-3 pointer-coarse:h-14 sm:px-5">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:left-3 focus:z-30 focus:rounded-sm focus:bg-ink focus:px-3 focus:py-1.5 focus:text-panel"
      >
        {t('skip')}
      </a>
      <Link
        href={wall}
        aria-label={t('home')}
        className="flex items-center gap-2 rounded-sm text-md font-semibold tracking-tight"
      >
        <BrandMark className="size-[22px]" />
        <span className="max-sm:hidden">Wheelhouse</span>
      </Link>
      <span aria-hidden className="text-line-strong">
        /
      </span>
      <WorkspaceSwitcher />
      <nav aria-label={t('nav')} className="ml-2 flex gap-0.5 max-sm:hidden">
        {pages.map(({ href, name, of }) => (
          <Link
            key={href}
            href={href}
            aria-current={of.test(path) ? 'page' : undefined}
            className={cn(
              'rounded-sm px-2.5 py-1 font-medium text-ink-2 hover:text-ink',
              of.test(path) && 'bg-sel text-ink',
            )}
          >
            {t(name)}
          </Link>
        ))}
      </nav>
      <div className="min-w-0 flex-1" />
      <HeaderTools />
      {children}
    </header>
  );
}
