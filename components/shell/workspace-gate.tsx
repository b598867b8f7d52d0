'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useConnection, useRights, useWorkspace } from '@/components/session-client/use-session-client';
import { samePageIn } from '@/components/session-client/workspace';
import { workspaceApi } from '@/components/session-client/workspace-api';
import { ListState } from '@/components/ui/section';
import { Button } from '@/components/ui/button';
import { useLoaded } from '@/components/use-loaded';
import { FactorMark } from './factor-mark';
import { Notice } from './notice';
import { SecondFactorNeeded } from './second-factor-needed';

/**
 * Shows the page, until the server says that its workspace does not exist for this person: it has ended, they were
 * removed, or the address is wrong. Then leads to their other ones (T6). Where the workspace asks for a second factor
 * that they have not proved, leads to their account, which stays open to them (AU2).
 */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { state } = useConnection();
  const withheld = useRights()?.withheld;
  const path = usePathname() ?? '';
  if (state === 'no-workspace') return <NoWorkspace />;
  const isOwn = !path.startsWith('/w/') || /\/settings\/account\/?$/.test(path);
  return withheld && !isOwn ? <SecondFactorNeeded /> : children;
}

function NoWorkspace() {
  const t = useTranslations('shell.noWorkspace');
  const failed = useTranslations('shell.workspaces')('failed');
  const was = useWorkspace()?.name;
  const { data: all, error } = useLoaded(workspaceApi.list);
  return (
    <Notice
      title={t('title')}
      heading={was === undefined ? t('heading') : t('ended', { name: was })}
      lead={was === undefined ? '' : t('lead')}
    >
      <section aria-label={t('others')} className="mt-6 overflow-hidden rounded-lg border border-line bg-panel">
        {all && all.length > 0 ? (
          <>
            <h2 className="px-4 pt-3.5 pb-2 font-medium">{t('others')}</h2>
            <ul className="flex flex-col gap-1 px-2 pb-2">
              {all.map((workspace) => (
                <li key={workspace.id}>
                  <Button asChild variant="ghost" className="w-full justify-start text-ink">
                    <Link href={samePageIn(workspace.id, '')}>
                      <bdi className="min-w-0 flex-1 truncate text-start">{workspace.name}</bdi>
                      <FactorMark workspace={workspace} />
                    </Link>
                  </Button>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <ListState loading={!all} error={error} failed={failed} empty={t('none')} />
        )}
      </section>
    </Notice>
  );
}
