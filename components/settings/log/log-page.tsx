'use client';

import { Download, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { TextBox } from '@/components/ui/field';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';
import { asWheelhouseError } from '@/lib/errors/error';
import type { LogRow } from '@/lib/people/log-row';
import { settingsApi } from '../api';
import { saveFile } from '@/components/ui/save-file';
import { SettingsFrame } from '../settings-frame';
import { ListState, Section } from '@/components/ui/section';

/** Rows of one page of the log. */
const FEW = 100;
/** A search begins this long after the last key. */
const TYPED_MS = 250;

/** The log of the workspace, newest first: searched, and exported as JSONL and CSV (TL1). */
export function LogPage() {
  const t = useTranslations('settings.log');
  const [search, setSearch] = useState('');
  const log = useLog(search);
  const refused = log.error !== undefined && asWheelhouseError(log.error).code === 'FORBIDDEN';
  return (
    <SettingsFrame page="log" title={t('title')} lead={t('lead')} action={!refused && <Export search={search} />}>
      <Section title={t('rows')} flush>
        <div className="relative border-b border-line p-2">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-4.5 size-3.5 -translate-y-1/2 text-ink-3"
          />
          <TextBox
            type="search"
            aria-label={t('search')}
            placeholder={t('searchHint')}
            value={search}
            maxLength={200}
            className="pl-8"
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        {log.rows && log.rows.length > 0 ? (
          <>
            <ul className="divide-y divide-line">
              {log.rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </ul>
            {log.more && (
              <div className="border-t border-line p-2 text-center">
                <Button size="sm" busy={log.busy} onClick={log.older}>
                  {t('older')}
                </Button>
              </div>
            )}
          </>
        ) : (
          <ListState
            loading={!log.rows}
            error={log.error}
            failed={t('failed')}
            empty={t(search.trim() === '' ? 'none' : 'noneFits')}
          />
        )}
      </Section>
    </SettingsFrame>
  );
}

interface Log {
  /** Newest first; undefined until the first answer. */
  readonly rows: readonly LogRow[] | undefined;
  readonly more: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly older: () => void;
}

/** Rows that fit the search; a newer search replaces an older one that is under way. */
function useLog(search: string): Log {
  const [state, setState] = useState<{ rows?: readonly LogRow[]; more: boolean; error?: unknown }>({ more: false });
  const latest = useRef('');
  const task = useTask();
  useEffect(() => {
    latest.current = search;
    const load = (): void => {
      settingsApi.log({ search, limit: FEW }).then(
        (rows) => latest.current === search && setState({ rows, more: rows.length === FEW }),
        (error: unknown) => latest.current === search && setState({ more: false, error }),
      );
    };
    const timer = setTimeout(load, search === '' ? 0 : TYPED_MS);
    return () => clearTimeout(timer);
  }, [search]);
  const before = state.rows?.at(-1)?.seq;
  const older = () =>
    void task.run(
      () => settingsApi.log({ search, limit: FEW, before }),
      (rows) => setState((was) => ({ rows: [...(was.rows ?? []), ...rows], more: rows.length === FEW })),
    );
  return { rows: state.rows, more: state.more, busy: task.busy, error: state.error ?? task.error, older };
}

function Row({ row }: { row: LogRow }) {
  const t = useTranslations('settings.log');
  const format = useFormatter();
  const say = useMessageText();
  const at = new Date(row.at);
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[160px_minmax(0,1fr)_auto]">
      <time dateTime={row.at} className="text-xs text-ink-3 tabular-nums sm:leading-[19px]">
        {format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' })}
      </time>
      <p className="min-w-0 break-words">
        <bdi className="font-medium">{row.actor.name}</bdi>{' '}
        <bdi className="text-ink-2">{row.said ? say(row.said) : row.text}</bdi>
        {row.outcome === 'failed' && (
          <Chip size="sm" tone="danger" className="ml-1.5 align-middle">
            {t('refused')}
          </Chip>
        )}
      </p>
      {row.address !== undefined && (
        <code className="font-mono text-2xs text-ink-3 sm:leading-[19px]">{row.address}</code>
      )}
    </li>
  );
}

/** Downloads all that the search finds: for programs, and for spreadsheets. */
function Export({ search }: { search: string }) {
  const t = useTranslations('settings.log');
  const problem = useProblemToast();
  const task = useTask();
  const download = (format: 'csv' | 'jsonl') =>
    void task.run(async () => {
      await settingsApi
        .exportLog(format, search)
        .then((file) => saveFile(file, `wheelhouse-log.${format}`))
        .catch((error: unknown) => problem(t('exportFailed'), error));
    });
  return (
    <div className="flex gap-2">
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button key={format} busy={task.busy} title={t(`export.${format}`)} onClick={() => download(format)}>
          {!task.busy && <Download aria-hidden />}
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}
