'use client';

import { ListFilter } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useSnapshot, useTimeline } from '@/components/session-client/use-session-client';
import { useStoredChoice } from '@/components/use-stored-choice';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-snippet';
import { TextBox } from '@/components/ui/field';
import { Menu, MenuCheckItem, MenuContent, MenuLabel, MenuTrigger } from '@/components/ui/menu';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import type { SnapshotPair } from '@/components/session-client/client-state';
import type { SnapshotView, TabView } from '@/lib/protocol/views';
import { findLines, newLines, readLines } from './lines';
import { SnapshotLines } from './snapshot-lines';
import { usePanel } from '@/components/cockpit/use-view';
import { toRows } from '../timeline/rows';
import { TimelineEntryRow } from '../timeline/timeline-entry-row';

const SHOWN = 5;

/** Number of newest events in which that many rows are found. */
const READ = 40;

/** Shows the snapshot of the tab, live: with search, filters, and actions on its refs. */
export function SnapshotPanel({ tab }: { tab: TabView }) {
  const t = useTranslations('cockpit.snapshot');
  const { session, live } = useCockpit();
  const [interactive, setInteractive] = useSwitch('wh-snapshot-interactive');
  const [compact, setCompact] = useSwitch('wh-snapshot-compact');
  const options = useMemo(() => ({ interactive, compact }), [interactive, compact]);
  const usable = live && (tab.health.state === 'ready' || tab.health.state === 'loading');
  const { pair, problem, retry } = useSnapshot(session.id, tab.id, options, usable);
  const [query, setQuery] = useState('');
  return (
    <>
      <div className="flex shrink-0 items-center gap-1.5 border-b border-line p-2">
        <TextBox
          type="search"
          className="h-7 pointer-coarse:h-10"
          aria-label={t('search')}
          placeholder={t('search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Menu>
          <MenuTrigger>
            <Button size="sm" aria-label={t('view')}>
              <ListFilter aria-hidden />
              <span className="max-xl:hidden">{t(interactive ? 'only' : 'all')}</span>
            </Button>
          </MenuTrigger>
          <MenuContent>
            <MenuLabel>{t('view')}</MenuLabel>
            <MenuCheckItem checked={interactive} onCheckedChange={setInteractive}>
              {t('interactive')}
            </MenuCheckItem>
            <MenuCheckItem checked={compact} onCheckedChange={setCompact}>
              {t('compact')}
            </MenuCheckItem>
          </MenuContent>
        </Menu>
        <CopyButton text={pair?.now.text ?? ''} />
      </div>
      {pair ? (
        <Content pair={pair} query={query} tab={tab} old={!usable} />
      ) : problem === undefined || !live ? (
        <Reading usable={usable} />
      ) : (
        <Failed problem={problem} onRetry={retry} />
      )}
      <LatestEvents />
    </>
  );
}

/** The snapshot and its statistics. `old`: the page cannot be read now, and this is the last snapshot. */
function Content({
  pair: { now, before },
  query,
  tab,
  old,
}: {
  pair: SnapshotPair;
  query: string;
  tab: TabView;
  old: boolean;
}) {
  const t = useTranslations('cockpit.snapshot');
  const lines = useMemo(() => readLines(now.text), [now.text]);
  const fresh = useMemo(
    () => (before && samePage(before, now) ? newLines(readLines(before.text), lines) : new Set<number>()),
    [before, now, lines],
  );
  const found = useMemo(() => findLines(lines, query), [lines, query]);
  const refs = useMemo(() => new Set(now.refs.map(({ ref }) => ref)), [now.refs]);
  const hits = found.filter((line) => line.found).length;
  return (
    <>
      {lines.length === 0 && <p className="flex-1 p-4 text-ink-3">{t('empty')}</p>}
      {lines.length > 0 && hits === 0 && <p className="flex-1 p-4 text-ink-3">{t('nothing', { query })}</p>}
      {hits > 0 && (
        <SnapshotLines
          key={pageOf(now)}
          tab={tab}
          lines={lines}
          found={found}
          fresh={fresh}
          refs={refs}
          dimOthers={query.trim() !== ''}
        />
      )}
      <Stats snapshot={now} found={query.trim() === '' ? undefined : hits} old={old} />
    </>
  );
}

function Stats({
  snapshot: { stats, revision, truncated },
  found,
  old,
}: {
  snapshot: SnapshotView;
  found: number | undefined;
  old: boolean;
}) {
  const t = useTranslations('cockpit.snapshot');
  return (
    <p className="shrink-0 border-t border-line px-3 py-1.5 font-mono text-2xs text-ink-3 tabular-nums">
      {old && <span className="block text-human">{t('old')}</span>}
      {found !== undefined && (
        <span role="status" className="block text-ink">
          {t('found', { n: found })}
        </span>
      )}
      {t('stats', {
        lines: stats.lines,
        refs: stats.refs,
        tokens: stats.tokens,
        ms: Math.round(stats.ms.total),
        revision,
      })}
      {truncated && (
        <span className="block text-human">
          {t('truncated', { shown: truncated.shownLines, total: truncated.totalLines })}
        </span>
      )}
    </p>
  );
}

function Failed({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  const t = useTranslations('cockpit.snapshot');
  const common = useTranslations('common');
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-3">
      <ProblemNote
        title={t('failed')}
        thrown={problem}
        action={
          <Button size="sm" onClick={onRetry}>
            {common('retry')}
          </Button>
        }
      />
    </div>
  );
}

function Reading({ usable }: { usable: boolean }) {
  const t = useTranslations('cockpit.snapshot');
  if (!usable) return <p className="flex-1 p-4 text-ink-3">{t('unusable')}</p>;
  return (
    <div className="flex-1 p-3" role="status" aria-label={t('loading')}>
      {['w-24', 'w-48', 'w-40', 'w-56', 'w-32', 'w-44'].map((width, index) => (
        <Skeleton key={width} className={`mb-2.5 h-3 ${width} ${index % 3 === 0 ? '' : 'ml-4'}`} />
      ))}
    </div>
  );
}

/** True when both snapshots are of one page: on another page all lines would be marked as new. */
function samePage(before: SnapshotView, now: SnapshotView): boolean {
  return pageOf(before) === pageOf(now);
}

function pageOf({ url }: SnapshotView): string {
  return url.split('#')[0] ?? '';
}

function useSwitch(key: string): [boolean, (on: boolean) => void] {
  const [choice, choose] = useStoredChoice(key, ['no', 'yes']);
  return [choice === 'yes', (on) => choose(on ? 'yes' : 'no')];
}

/** The newest events below the snapshot, where there is room. */
function LatestEvents() {
  const t = useTranslations('cockpit.snapshot');
  const { session, you } = useCockpit();
  const timeline = useTimeline(session.id);
  const [, setPanel] = usePanel(session.id);
  const rows = useMemo(() => toRows(timeline.slice(-READ)).slice(-SHOWN).toReversed(), [timeline]);
  if (rows.length === 0) return null;
  return (
    <section
      aria-labelledby="latest-events"
      className="shrink-0 border-t border-line pb-2 max-sm:hidden [@media(max-height:620px)]:hidden"
    >
      <div className="flex h-9 items-center justify-between pr-2 pl-3">
        <h2 id="latest-events" className="font-medium text-ink-2">
          {t('latest')}
        </h2>
        <Button variant="ghost" size="sm" onClick={() => setPanel('timeline')}>
          {t('allEvents')}
        </Button>
      </div>
      <ol>
        {rows.map((row) => (
          <li key={row.key}>
            <TimelineEntryRow row={row} you={you?.id} className="h-[26px]" />
          </li>
        ))}
      </ol>
    </section>
  );
}
