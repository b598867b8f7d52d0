'use client';

import { FileUp } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { pickFiles } from '@/components/files/pick-files';
import { fileRows } from '@/components/files/rows';
import { useFileDrop } from '@/components/files/use-file-drop';
import { useFiles, useMayFiles, useSendFiles, useUploads } from '@/components/files/use-files';
import { useBytes } from '@/components/messages/use-bytes';
import { Button } from '@/components/ui/button';
import { FileLine } from './file-line';

/**
 * The session's files: downloads of its pages, and files that can be given to them, live (DI2). Dropping files here
 * uploads them.
 */
export function FilesPanel() {
  const t = useTranslations('files');
  const bytes = useBytes();
  const { session } = useCockpit();
  const may = useMayFiles(session.id);
  const news = useFiles(session.id);
  const uploads = useUploads(session.id);
  const send = useSendFiles(session.id);
  const { over, handlers } = useFileDrop((files) => void send(files));
  if (!may) return <p className="p-4 text-ink-3">{t('forbidden')}</p>;
  const rows = news ? fileRows(news, uploads) : [];
  return (
    <div {...handlers} className="relative flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-3 border-b border-line p-2">
        <Button size="sm" disabled={!news} onClick={() => void pickFiles({ multiple: true }).then(send)}>
          <FileUp aria-hidden />
          {t('add')}
        </Button>
        {news && news.used > 0 && (
          <span className="ml-auto pr-1 text-xs text-ink-3 tabular-nums">
            {t('space', { used: bytes(news.used), limit: bytes(news.limit) })}
          </span>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty loading={!news} />
      ) : (
        <ul aria-label={t('list')} className="min-h-0 flex-1 overflow-y-auto">
          {rows.map((row) => (
            <FileLine key={row.key} row={row} />
          ))}
        </ul>
      )}
      {over && (
        <div className="pointer-events-none absolute inset-1 grid place-items-center rounded-md border-2 border-dashed border-focus bg-panel/85 font-medium">
          {t('dropHere')}
        </div>
      )}
    </div>
  );
}

function Empty({ loading }: { loading: boolean }) {
  const t = useTranslations('files');
  if (loading) return <p className="flex-1 p-4 text-ink-3">{t('loading')}</p>;
  return (
    <div className="flex-1 p-4">
      <p className="font-medium text-ink-2">{t('empty')}</p>
      <p className="mt-1 max-w-80 text-ink-3">{t('emptyLead')}</p>
    </div>
  );
}
