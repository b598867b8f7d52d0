'use client';

import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { api } from '@/components/session-client/api';
import { cn } from '@/components/ui/cn';
import { CopyButton } from '@/components/ui/copy-snippet';
import { useFrom } from './use-from';
import type { Header, RequestEntry, RequestSummary } from '@/lib/buffers/entries';

/** One request: status, method, name, type and time; a press opens its headers. */
export function RequestRow({ entry, tab }: { entry: RequestSummary; tab: string }) {
  const t = useTranslations('buffers');
  const format = useFormatter();
  const [open, setOpen] = useState(false);
  const from = useFrom(entry.from);
  const bad = entry.state === 'failed' || (entry.status ?? 0) >= 400;
  return (
    <div className="text-xs">
      <button
        type="button"
        aria-expanded={open}
        className="grid min-h-7 w-full grid-cols-[52px_40px_minmax(0,1fr)_auto_64px] items-center gap-1.5 px-3 py-1 text-left font-mono pointer-coarse:min-h-10"
        onClick={() => setOpen(!open)}
      >
        <span className={cn('tabular-nums', bad ? 'font-medium text-stuck' : 'text-ink-2')}>
          {entry.blocked !== undefined
            ? t('blockedShort')
            : (entry.status ?? (entry.state === 'failed' ? t('failedShort') : '…'))}
        </span>
        <span className="truncate text-ink-3">{entry.method}</span>
        <bdi className={cn('truncate', bad && 'text-stuck')} title={entry.url}>
          {nameOf(entry.url)}
        </bdi>
        <span className="max-w-28 truncate text-2xs text-ink-3">
          {[from === undefined ? undefined : from.short, entry.download === true ? t('download') : entry.type]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </span>
        <span className="text-right text-2xs text-ink-3 tabular-nums">
          {entry.ms === undefined ? '' : t('took', { n: format.number(Math.round(entry.ms)) })}
        </span>
      </button>
      {open && <Details entry={entry} tab={tab} />}
    </div>
  );
}

function Details({ entry, tab }: { entry: RequestSummary; tab: string }) {
  const t = useTranslations('buffers');
  const format = useFormatter();
  const { session } = useCockpit();
  const from = useFrom(entry.from);
  const [whole, setWhole] = useState<RequestEntry>();
  useEffect(() => {
    let wanted = true;
    const ask = async () => {
      const found = await api.request(session.id, tab, entry.id);
      if (wanted) setWhole(found);
    };
    // When the buffer has dropped the request, the summary stays as it is.
    void ask().catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [session.id, tab, entry.id, entry.rev]);
  const facts = [
    entry.statusText,
    entry.mimeType,
    entry.fromCache ? t('cached') : undefined,
    from?.long,
    entry.transferred === undefined ? undefined : t('bytes', { n: format.number(entry.transferred) }),
    whole?.protocol,
    whole?.remoteAddress,
  ];
  return (
    <div className="relative border-t border-line bg-panel px-3 py-2">
      <CopyButton text={JSON.stringify(whole ?? entry, null, 2)} className="absolute top-1 right-2" />
      <p className="max-h-24 overflow-y-auto pr-8 font-mono break-all">{entry.url}</p>
      <p className="mt-1 text-2xs text-ink-3">
        {facts.filter((fact) => fact !== undefined && fact !== '').join(' · ')}
      </p>
      {entry.failure !== undefined && <p className="mt-1 text-stuck">{entry.failure}</p>}
      {whole && <Headers title={t('sent')} headers={whole.requestHeaders} />}
      {whole && <Headers title={t('received')} headers={whole.responseHeaders} />}
    </div>
  );
}

function Headers({ title, headers }: { title: string; headers: readonly Header[] }) {
  if (headers.length === 0) return null;
  return (
    <>
      <h4 className="mt-2 text-2xs font-medium text-ink-3">{title}</h4>
      <dl className="font-mono text-2xs">
        {headers.map(({ name, value }) => (
          <div key={`${name} ${value}`} className="flex gap-1.5">
            <dt className="shrink-0 text-ink-3">{name}:</dt>
            <dd className="min-w-0 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The last part of the path with its query, or the host when the path is empty. */
function nameOf(url: string): string {
  const [address = '', query] = url.split('#')[0]?.split('?') ?? [];
  const last = address.split('/').at(-1) ?? '';
  const name = last === '' ? address.replace(/^\w+:\/\//, '') : last;
  return query === undefined ? name : `${name}?${query}`;
}
