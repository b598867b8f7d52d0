'use client';

import { Command as Cmdk } from 'cmdk';
import { Check, ChevronsUpDown, Plus, Search, SlidersHorizontal } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { Popover } from 'radix-ui';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useRights, useSessionClient, useWorkspace } from '@/components/session-client/use-session-client';
import { samePageIn, useWorkspacePath } from '@/components/session-client/workspace';
import { workspaceApi, type WorkspaceEntry } from '@/components/session-client/workspace-api';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { popClass } from '@/components/ui/menu';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import { useLoaded } from '@/components/use-loaded';
import { FactorMark } from './factor-mark';
import { NewWorkspaceDialog } from './new-workspace-dialog';

/** More workspaces than this get a search box. */
const FEW = 8;

/** The name of the present workspace in the header; opens the list of all that the person is in (AU6). */
export function WorkspaceSwitcher() {
  const t = useTranslations('shell.workspaces');
  const client = useSessionClient();
  const here = useWorkspace();
  const [open, setOpen] = useState(false);
  const [making, setMaking] = useState(false);
  // The handshake tells the name.
  useEffect(() => client.connect(), [client]);
  if (!here) return <Skeleton className="ml-1 h-4 w-20" />;
  return (
    <>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <Button variant="ghost" aria-label={t('label', { name: here.name })} className="min-w-0 shrink px-2 text-ink">
            <bdi className="max-w-52 truncate">{here.name}</bdi>
            <ChevronsUpDown aria-hidden className="size-3.5! text-ink-3" />
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={6}
            collisionPadding={8}
            aria-label={t('title')}
            className={cn(popClass, 'w-72 overflow-hidden p-0')}
          >
            <WorkspaceList
              here={here.id}
              onMake={() => {
                setOpen(false);
                setMaking(true);
              }}
              onClose={() => setOpen(false)}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {making && <NewWorkspaceDialog onClose={() => setMaking(false)} />}
    </>
  );
}

function WorkspaceList({ here, onMake, onClose }: { here: string; onMake: () => void; onClose: () => void }) {
  const t = useTranslations('shell.workspaces');
  const { data: all, error } = useLoaded(workspaceApi.list);
  const ownsServer = useRights()?.server === true;
  const router = useRouter();
  const path = usePathname();
  const pathTo = useWorkspacePath();
  const collator = new Intl.Collator(useLocale(), { numeric: true });
  const go = (href: string) => {
    onClose();
    router.push(href);
  };
  if (error !== undefined) return <ProblemNote title={t('failed')} thrown={error} className="m-2" />;
  if (!all) return <Loading />;
  return (
    <Cmdk label={t('title')} loop defaultValue={here} filter={contains}>
      <SearchLine shown={all.length > FEW} />
      <Cmdk.List className="max-h-[min(60vh,380px)] scroll-py-1 overflow-y-auto p-1">
        <Cmdk.Empty className="px-2 py-4 text-center text-ink-2">{t('none')}</Cmdk.Empty>
        <Cmdk.Group heading={t('title')} className={groupClass}>
          {all
            .toSorted((a, b) => collator.compare(a.name, b.name))
            .map((one) => (
              <WorkspaceLine
                key={one.id}
                workspace={one}
                present={one.id === here}
                onSelect={() => (one.id === here ? onClose() : go(samePageIn(one.id, path)))}
              />
            ))}
        </Cmdk.Group>
        <Cmdk.Separator alwaysRender className="my-1 h-px bg-line" />
        <Line id="settings" onSelect={() => go(pathTo('/settings/workspace'))}>
          <SlidersHorizontal aria-hidden className="size-4 shrink-0 text-ink-3" />
          {t('settings')}
        </Line>
        {ownsServer && (
          <Line id="new" onSelect={onMake}>
            <Plus aria-hidden className="size-4 shrink-0 text-ink-3" />
            {t('new')}
          </Line>
        )}
      </Cmdk.List>
    </Cmdk>
  );
}

/** Finds by the name alone: the value of a line is an id. */
function contains(_id: string, search: string, keywords: string[] = []): number {
  return keywords.join(' ').toLowerCase().includes(search.trim().toLowerCase()) ? 1 : 0;
}

const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3';

/** The box that the keys go to; of a short list it is hidden and takes no text. */
function SearchLine({ shown }: { shown: boolean }) {
  const t = useTranslations('shell.workspaces');
  if (!shown) return <Cmdk.Input autoFocus readOnly inputMode="none" aria-label={t('title')} className="sr-only" />;
  return (
    <div className="flex items-center gap-2 border-b border-line px-3">
      <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
      <Cmdk.Input
        autoFocus
        aria-label={t('search')}
        placeholder={t('search')}
        className="h-9 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3 pointer-coarse:h-11 max-sm:text-lg"
      />
    </div>
  );
}

function WorkspaceLine({
  workspace,
  present,
  onSelect,
}: {
  workspace: WorkspaceEntry;
  present: boolean;
  onSelect: () => void;
}) {
  const t = useTranslations('settings.people.role');
  const { id, name, role, withheld } = workspace;
  return (
    <Cmdk.Item
      value={id}
      keywords={[name]}
      onSelect={onSelect}
      aria-current={present ? 'true' : undefined}
      className={lineClass}
    >
      <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
      <FactorMark workspace={workspace} />
      {role && !withheld && <span className="shrink-0 text-xs text-ink-3">{t(role)}</span>}
      <Check aria-hidden className={cn('size-4 shrink-0', !present && 'invisible')} />
    </Cmdk.Item>
  );
}

const lineClass =
  'flex h-8 cursor-default items-center gap-2 rounded-sm px-2 select-none data-[selected=true]:bg-hover pointer-coarse:h-11';

/** A line below the workspaces, which no search hides. */
function Line({ id, onSelect, children }: { id: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Cmdk.Item forceMount value={id} onSelect={onSelect} className={lineClass}>
      {children}
    </Cmdk.Item>
  );
}

function Loading() {
  const t = useTranslations('common');
  return (
    <div role="status" className="flex flex-col gap-3 p-3">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-2/5" />
    </div>
  );
}
