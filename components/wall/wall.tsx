'use client';

import { useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  useConnection,
  useMay,
  useWallWatch,
  useSessions,
  useYou,
} from '@/components/session-client/use-session-client';
import { AppHeader } from '@/components/shell/app-header';
import { ConnectionBanner } from '@/components/shell/connection-banner';
import { DemoBar } from '@/components/shell/demo-bar';
import { useHotkeys } from '@/components/shell/hotkeys';
import { Button } from '@/components/ui/button';
import { useStoredChoice } from '@/components/use-stored-choice';
import { focusFirstCard } from './card-focus';
import { CardGrid } from './card-grid';
import { EmptyWall } from './empty-wall';
import { SearchBox } from './search-box';
import { StatePills } from './state-pills';
import { unreadIn, useSeen } from '@/components/comments/unread';
import { PageSignal } from '@/components/shell/page-signal';
import { useWallActions } from './use-wall-actions';
import { useWallCommands } from './use-wall-commands';
import { useWallDialogs } from './use-wall-dialogs';
import { DENSITIES, ViewMenu, type Density } from './view-menu';
import {
  arrange,
  countStates,
  filterChoices,
  isUrgent,
  needingAttention,
  NO_FILTER,
  SORTS,
  type WallEntry,
  rememberEntries,
} from './wall-list';
import { WallSkeleton } from './wall-skeleton';
import { SearchX } from 'lucide-react';
import { useLeaseText } from '@/components/ui/lease-chip';
import { titleOf } from './entry-text';
import type { LeaseKind } from '@/components/lease-state';

interface Attention {
  /** Title of the page, with the number of sessions that need a person or have a new comment for this one. */
  readonly title: string;
  /** State of the most urgent session, for the icon. */
  readonly kind: LeaseKind | undefined;
  /** Sentences for the live region. */
  readonly sentence: string;
}

const NONE: readonly WallEntry[] = [];

/** Up to this many sessions get large cards by default. */
const MOST_LARGE = 3;

/** The home page: all live sessions as cards. */
export function Wall() {
  useWallWatch();
  const t = useTranslations('wall');
  const { entries, you } = useWallEntries();
  const dialogs = useWallDialogs();
  const mayMake = useMay('drive');
  const mayKeys = useMay('keys');
  const seen = useSeen();
  const attention = useAttention(
    useMemo(() => needingAttention(entries ?? NONE, seen), [entries, seen]),
    seen,
  );
  useWallCommands(
    useMemo(() => arrange(entries ?? NONE, NO_FILTER, 'newest'), [entries]),
    dialogs,
  );
  return (
    <>
      <PageSignal title={attention.title} kind={attention.kind} />
      <AppHeader>
        {mayKeys && (
          <Button className="max-sm:hidden" onClick={() => dialogs.connect()}>
            {t('connect')}
          </Button>
        )}
        {mayMake && (
          <Button variant={entries?.length === 0 ? 'secondary' : 'primary'} onClick={dialogs.create}>
            {t('newSession')}
          </Button>
        )}
      </AppHeader>
      <ConnectionBanner />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[2200px] px-3.5 pt-3 pb-8 outline-none sm:px-5 sm:pt-4"
      >
        <p role="status" className="sr-only">
          {attention.sentence}
        </p>
        {entries === undefined ? (
          <WallSkeleton />
        ) : entries.length === 0 && !mayMake ? (
          <p className="pt-[12vh] text-center text-md text-balance text-ink-2">{t('emptyForViewers')}</p>
        ) : entries.length === 0 ? (
          <EmptyWall onNew={dialogs.create} onConnect={dialogs.connect} />
        ) : (
          <LiveWall entries={entries} you={you} dialogs={dialogs} />
        )}
      </main>
      {dialogs.node}
    </>
  );
}

interface LiveWallProps {
  entries: readonly WallEntry[];
  you: string | undefined;
  dialogs: ReturnType<typeof useWallDialogs>;
}

function LiveWall({ entries, you, dialogs }: LiveWallProps) {
  const t = useTranslations('wall');
  const common = useTranslations('common');
  const search = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState(NO_FILTER);
  const [sort, setSort] = useStoredChoice('wh-wall-sort', SORTS);
  const [density, setDensity] = useStoredChoice('wh-wall-density', DENSITIES);
  const stale = useConnection().state !== 'online';
  const actions = useWallActions();
  const shown = useMemo(() => arrange(entries, filter, sort), [entries, filter, sort]);
  const counts = useMemo(() => countStates(entries), [entries]);
  const choices = useMemo(() => filterChoices(entries, common('you')), [entries, common]);
  const { share, rename, end } = dialogs;
  const handlers = useMemo(
    () => ({ actions, onShare: share, onRename: rename, onEnd: end }),
    [actions, share, rename, end],
  );
  useHotkeys({ '/': () => search.current?.focus(), ArrowDown: focusFirstCard, ArrowRight: focusFirstCard });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-x-4 gap-y-2 max-sm:flex-wrap">
        <div className="flex min-w-0 flex-1 items-center gap-3 max-sm:basis-full">
          <h1 className="shrink-0 text-xl font-semibold tracking-tight">{t('heading')}</h1>
          <StatePills
            counts={counts}
            total={entries.length}
            value={filter.state}
            onChange={(state) => setFilter({ ...filter, state })}
          />
        </div>
        <div className="flex shrink-0 items-center justify-end gap-2 max-sm:basis-full">
          <SearchBox
            ref={search}
            value={filter.search}
            onChange={(text) => setFilter({ ...filter, search: text })}
            className="w-60 max-lg:w-48 max-sm:w-auto max-sm:flex-1"
          />
          <ViewMenu
            sort={sort}
            onSort={setSort}
            density={density}
            onDensity={setDensity}
            filter={filter}
            onFilter={setFilter}
            onConnect={dialogs.connect}
            {...choices}
          />
        </div>
      </div>
      <DemoBar />
      <p role="status" className="sr-only">
        {filter === NO_FILTER ? '' : t('found', { count: shown.length })}
      </p>
      {shown.length === 0 ? (
        <NoneFits onClear={() => setFilter(NO_FILTER)} />
      ) : (
        <CardGrid
          entries={shown}
          you={you}
          density={roomy(density, entries.length)}
          stale={stale}
          handlers={handlers}
        />
      )}
    </div>
  );
}

/** Shows few sessions with large cards, unless the person chose small ones. */
function roomy(density: Density, sessions: number): Density {
  return density === 'normal' && sessions <= MOST_LARGE ? 'large' : density;
}

/** Shown when no session fits the search and the filters. */
function NoneFits({ onClear }: { onClear: () => void }) {
  const t = useTranslations('wall');
  return (
    <div className="grid place-items-center gap-1 rounded-lg border border-dashed border-line-strong px-4 py-16 text-center">
      <SearchX aria-hidden className="mb-2 size-6 text-ink-3" />
      <h2 className="text-md font-semibold">{t('none.title')}</h2>
      <p className="text-ink-2">{t('none.lead')}</p>
      <Button className="mt-3" onClick={onClear}>
        {t('filters.clear')}
      </Button>
    </div>
  );
}

/**
 * Puts the sessions that need a person into words.
 * @param urgent those sessions, the most urgent first
 */
function useAttention(urgent: readonly WallEntry[], seen: ReadonlyMap<string, number>): Attention {
  const t = useTranslations('wall');
  const talk = useTranslations('talk');
  const words = useLeaseText();
  const count = urgent.length;
  const sentence = urgent
    .map((entry) => {
      const unread = isUrgent(entry) ? 0 : unreadIn(entry.session, seen);
      return t('attention', {
        name: titleOf(entry),
        words: unread > 0 ? talk('unread', { n: unread }) : words(entry.lease),
      });
    })
    .join('. ');
  return { title: t('pageTitle', { count }), kind: urgent.find(isUrgent)?.lease.kind, sentence };
}

/** All sessions as entries; undefined until the first list. */
function useWallEntries(): { entries: readonly WallEntry[] | undefined; you: string | undefined } {
  const sessions = useSessions();
  const you = useYou()?.id;
  const entryOf = useMemo(() => rememberEntries(you), [you]);
  const entries = useMemo(() => sessions?.map(entryOf), [sessions, entryOf]);
  return { entries, you };
}
