'use client';

import { ArrowDownToLine, ArrowUpFromLine, CircleAlert, Download, Trash2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { FileName } from '@/components/files/file-name';
import { Progress } from '@/components/files/progress';
import type { FileRow } from '@/components/files/rows';
import { dropUpload, type Upload } from '@/components/files/uploads';
import { Ago } from '@/components/messages/times';
import { useBytes } from '@/components/messages/use-bytes';
import { api, fileUrl } from '@/components/session-client/api';
import { useLink, useYou } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { Tooltip } from '@/components/ui/tooltip';
import { useProblem } from '@/components/ui/use-problem';
import type { DownloadView, FileView } from '@/lib/files/views';

/** One file of the session, a running or failed upload, or a download. */
export function FileLine({ row }: { row: FileRow }) {
  if (row.sort === 'upload') return <UploadLine upload={row.upload} />;
  return row.sort === 'download' ? <DownloadLine download={row.download} /> : <KeptLine file={row.file} />;
}

interface LineProps {
  name: string;
  icon: ReactNode;
  about: ReactNode;
  failed?: boolean;
  bar?: ReactNode;
  children: ReactNode;
}

function Line({ name, icon, about, failed = false, bar, children }: LineProps) {
  return (
    <li className="grid min-h-12 grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2.5 border-b border-line py-1.5 pr-2 pl-3">
      <span className={cn('[&_svg]:size-4', failed ? 'text-stuck' : 'text-ink-3')}>{icon}</span>
      <div className="min-w-0">
        <FileName name={name} className="font-medium" />
        <p className={cn('text-xs', failed ? 'text-stuck' : 'truncate text-ink-3 tabular-nums')}>{about}</p>
        {bar && <div className="mt-1">{bar}</div>}
      </div>
      <div className="flex items-center">{children}</div>
    </li>
  );
}

function UploadLine({ upload }: { upload: Upload }) {
  const t = useTranslations('files');
  const bytes = useBytes();
  const describe = useProblem();
  const { name, size, sent, problem } = upload;
  const failed = problem !== undefined;
  const going =
    sent === 0
      ? t('waiting', { size: bytes(size) })
      : t('sending', { sent: bytes(Math.min(sent, size)), size: bytes(size) });
  return (
    <Line
      name={name}
      icon={failed ? <CircleAlert aria-hidden /> : <ArrowUpFromLine aria-hidden />}
      failed={failed}
      about={failed ? <bdi>{describe(problem).what}</bdi> : going}
      bar={!failed && <Progress done={sent} total={size} label={name} />}
    >
      <IconButton
        label={t(failed ? 'dismiss' : 'cancel', { name })}
        size="icon-sm"
        side="left"
        onClick={() => dropUpload(upload)}
      >
        <X aria-hidden />
      </IconButton>
    </Line>
  );
}

function DownloadLine({
  download: { id, name, state, received, total, failure = 'broken' },
}: {
  download: DownloadView;
}) {
  const t = useTranslations('files');
  const bytes = useBytes();
  const attempt = useAttempt();
  const guest = useLink() !== undefined;
  const { session } = useCockpit();
  const failed = state === 'failed';
  const going =
    total > 0
      ? t('arriving', { received: bytes(received), total: bytes(total) })
      : t('arrivingUnknown', { received: bytes(received) });
  return (
    <Line
      name={name}
      icon={failed ? <CircleAlert aria-hidden /> : <ArrowDownToLine aria-hidden />}
      failed={failed}
      about={failed ? t(failure) : going}
      bar={!failed && <Progress done={received} total={total} label={name} />}
    >
      {!guest && (
        <IconButton
          label={t(failed ? 'dismiss' : 'cancel', { name })}
          size="icon-sm"
          side="left"
          onClick={() => void attempt(api.dropDownload(session.id, id), t('cancelFailed'))}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </Line>
  );
}

function KeptLine({ file: { name, size, from, by, createdAt } }: { file: FileView }) {
  const t = useTranslations('files');
  const bytes = useBytes();
  const { session } = useCockpit();
  const [asks, setAsks] = useState(false);
  const self = useYou()?.name === by ? 'yes' : 'no';
  const origin =
    from === 'download'
      ? by === undefined
        ? t('downloadedAlone')
        : t('downloaded', { name: by, self })
      : by === undefined
        ? t('addedBy')
        : t('added', { name: by, self });
  const about = (
    <>
      {bytes(size)} · <bdi>{origin}</bdi> · <Ago since={createdAt} />
    </>
  );
  return (
    <Line
      name={name}
      icon={from === 'download' ? <ArrowDownToLine aria-hidden /> : <ArrowUpFromLine aria-hidden />}
      about={asks ? t('removeAsk') : about}
    >
      {asks ? (
        <Removal name={name} onDone={() => setAsks(false)} />
      ) : (
        <>
          <Tooltip text={t('save', { name })} side="left">
            <Button asChild variant="ghost" size="icon-sm">
              <a href={fileUrl(session.id, name)} download={name} aria-label={t('save', { name })}>
                <Download aria-hidden />
              </a>
            </Button>
          </Tooltip>
          <IconButton label={t('remove', { name })} size="icon-sm" side="left" onClick={() => setAsks(true)}>
            <Trash2 aria-hidden />
          </IconButton>
        </>
      )}
    </Line>
  );
}

/** Asks in the line itself whether to delete the file: deleting is for all participants and cannot be undone. */
function Removal({ name, onDone }: { name: string; onDone: () => void }) {
  const t = useTranslations('files');
  const attempt = useAttempt();
  const { session } = useCockpit();
  const remove = async () => {
    if (!(await attempt(api.deleteFile(session.id, name), t('removeFailed')))) onDone();
  };
  return (
    <div
      role="group"
      aria-label={t('removeAsk')}
      className="flex gap-1.5"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone();
      }}
    >
      <Button autoFocus size="sm" onClick={onDone}>
        {t('removeNo')}
      </Button>
      <Button size="sm" variant="danger" onClick={() => void remove()}>
        {t('removeYes')}
      </Button>
    </div>
  );
}
