'use client';

import { CircleX, Eraser, Info, TriangleAlert } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { api } from '@/components/session-client/api';
import { cn } from '@/components/ui/cn';
import { CopyButton } from '@/components/ui/copy-snippet';
import { TextBox } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { useStoredChoice } from '@/components/use-stored-choice';
import { consoleRows, findRows, LEVEL_CHOICES, placeOf, type ConsoleRow } from './rows';
import { ChoiceMenu } from './choice-menu';
import { BufferList } from './buffer-list';
import { useFrom } from './use-from';
import { useBuffers } from './use-buffers';

/** Shows the console lines and uncaught errors of the tab, live (PS1). They are page content: data, never acted on. */
export function ConsolePanel({ tab }: { tab: string }) {
  const t = useTranslations('buffers');
  const { session } = useCockpit();
  const buffers = useBuffers(session.id, tab);
  const attempt = useAttempt();
  const [level, setLevel] = useStoredChoice('wh-console-level', LEVEL_CHOICES);
  const [search, setSearch] = useState('');
  const rows = useMemo(
    () => consoleRows(buffers?.console ?? [], buffers?.errors ?? []),
    [buffers?.console, buffers?.errors],
  );
  const found = useMemo(() => findRows(rows, level, search), [rows, level, search]);
  const dropped = (buffers?.dropped.console ?? 0) + (buffers?.dropped.errors ?? 0);
  return (
    <>
      <div className="flex shrink-0 items-center gap-1.5 border-b border-line p-2">
        <TextBox
          type="search"
          className="h-7 pointer-coarse:h-10"
          aria-label={t('findLine')}
          placeholder={t('findLine')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ChoiceMenu
          label={t('level')}
          value={level}
          choices={LEVEL_CHOICES.map((choice) => ({ value: choice, label: t(`levels.${choice}`) }))}
          onChoose={setLevel}
          on={level !== 'all'}
        />
        <IconButton
          label={t('clear')}
          size="icon-sm"
          disabled={rows.length === 0}
          onClick={() =>
            void attempt(
              Promise.all([api.clearBuffer(session.id, tab, 'console'), api.clearBuffer(session.id, tab, 'errors')]),
              t('clearFailed'),
            )
          }
        >
          <Eraser aria-hidden />
        </IconButton>
      </div>
      {found.length === 0 ? (
        <p className="flex-1 p-4 text-ink-3">
          {t(buffers === undefined ? 'loading' : rows.length === 0 ? 'noLines' : 'noneFits')}
        </p>
      ) : (
        <BufferList rows={found} label={t('lines')}>
          {(row) => <Line row={row} />}
        </BufferList>
      )}
      {dropped > 0 && (
        <p className="shrink-0 border-t border-line px-3 py-1.5 text-xs text-human tabular-nums">
          {t('dropped', { n: dropped })}
        </p>
      )}
    </>
  );
}

const TONES: Readonly<Record<ConsoleRow['level'], string>> = {
  error: 'bg-stuck-soft text-stuck',
  warning: 'bg-human-soft text-human',
  info: 'text-ink',
  log: 'text-ink',
  debug: 'text-ink-3',
};
const ICONS: Readonly<Partial<Record<ConsoleRow['level'], ReactNode>>> = {
  error: <CircleX aria-hidden className="size-3.5" />,
  warning: <TriangleAlert aria-hidden className="size-3.5" />,
  info: <Info aria-hidden className="size-3.5 text-ink-3" />,
};

/** One line; a press opens its whole text. */
function Line({ row }: { row: ConsoleRow }) {
  const t = useTranslations('buffers');
  const format = useFormatter();
  const [open, setOpen] = useState(false);
  const place = placeOf(row.where);
  const from = useFrom(row.from);
  return (
    <div className={cn('text-xs', TONES[row.level])}>
      <button
        type="button"
        aria-expanded={open}
        className="grid min-h-7 w-full grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-1.5 px-3 py-1 text-left pointer-coarse:min-h-10"
        onClick={() => setOpen(!open)}
      >
        <span>
          {ICONS[row.level]}
          <span className="sr-only">{t(`names.${row.level}`)}</span>
        </span>
        <bdi className="truncate font-mono">{row.text.split('\n')[0] ?? ''}</bdi>
        <span className="flex max-w-44 min-w-0 items-center gap-1.5 text-2xs text-ink-3">
          {from && (
            <bdi className="max-w-24 shrink-0 truncate rounded-xs border border-line-strong px-1" title={from.long}>
              {from.short}
            </bdi>
          )}
          <span className="truncate font-mono">{place}</span>
        </span>
      </button>
      {open && (
        <div className="relative border-t border-line bg-panel px-3 py-2 text-ink">
          <CopyButton text={row.text} className="absolute top-1 right-2" />
          <pre className="max-h-72 overflow-auto pr-8 font-mono break-words whitespace-pre-wrap">{row.text}</pre>
          <p className="mt-1 font-mono text-2xs break-all text-ink-3">
            {format.dateTime(new Date(row.at), {
              hour: '2-digit',
              minute: '2-digit',
              second: '2-digit',
              fractionalSecondDigits: 3,
              hourCycle: 'h23',
            })}{' '}
            {row.where && `${row.where.url}:${row.where.line}:${row.where.column}`} {from && <bdi>{from.long}</bdi>}
          </p>
        </div>
      )}
    </div>
  );
}
