'use client';

import { Download, Eraser } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { api, harUrl } from '@/components/session-client/api';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Tooltip } from '@/components/ui/tooltip';
import { fitsRequests } from '@/lib/buffers/filter';
import { ChoiceMenu } from './choice-menu';
import { RequestRow } from './request-row';
import { BufferList } from './buffer-list';
import { useBuffers } from './use-buffers';

const ALL = 'all';
const KINDS = [ALL, 'failed', 'document', 'fetch', 'script', 'stylesheet', 'image', 'websocket'] as const;

/** Shows the requests of the tab, live (PS1, PS2). */
export function NetworkPanel({ tab }: { tab: string }) {
  const t = useTranslations('buffers');
  const { session } = useCockpit();
  const buffers = useBuffers(session.id, tab);
  const attempt = useAttempt();
  const [kind, setKind] = useState<string>(ALL);
  const [search, setSearch] = useState('');
  const requests = buffers?.requests;
  const found = useMemo(
    () =>
      (requests ?? [])
        .filter(fitsRequests({ ...filterOf(kind), filter: search === '' ? undefined : search }))
        .map((entry) => ({ key: String(entry.id), entry })),
    [requests, kind, search],
  );
  const none = buffers === undefined ? 'loading' : buffers.requests.length === 0 ? 'noRequests' : 'noneFits';
  return (
    <>
      <div className="flex shrink-0 items-center gap-1.5 border-b border-line p-2">
        <TextBox
          type="search"
          className="h-7 pointer-coarse:h-10"
          aria-label={t('findRequest')}
          placeholder={t('findRequest')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ChoiceMenu
          label={t('kind')}
          value={kind}
          choices={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChoose={setKind}
          on={kind !== ALL}
        />
        <Tooltip text={t('har')}>
          <Button asChild variant="ghost" size="icon-sm">
            <a href={harUrl(session.id, tab)} download={`${session.id}.har`} aria-label={t('har')}>
              <Download aria-hidden />
            </a>
          </Button>
        </Tooltip>
        <IconButton
          label={t('clear')}
          size="icon-sm"
          disabled={(buffers?.requests.length ?? 0) === 0}
          onClick={() => void attempt(api.clearBuffer(session.id, tab, 'requests'), t('clearFailed'))}
        >
          <Eraser aria-hidden />
        </IconButton>
      </div>
      {found.length === 0 ? (
        <p className="flex-1 p-4 text-ink-3">{t(none)}</p>
      ) : (
        <BufferList rows={found} label={t('requests')}>
          {({ entry }) => <RequestRow entry={entry} tab={tab} />}
        </BufferList>
      )}
      {(buffers?.dropped.requests ?? 0) > 0 && (
        <p className="shrink-0 border-t border-line px-3 py-1.5 text-xs text-human tabular-nums">
          {t('dropped', { n: buffers?.dropped.requests ?? 0 })}
        </p>
      )}
    </>
  );
}

/** The filter of a choice; `fetch` includes XHR. */
function filterOf(kind: string): { types?: readonly string[]; status?: string } {
  if (kind === ALL) return {};
  if (kind === 'failed') return { status: 'failed' };
  return { types: kind === 'fetch' ? ['fetch', 'xhr'] : [kind] };
}
