'use client';

import { Download, ListFilter } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useEventLine } from '@/components/messages/use-event-line';
import { api, timelineExportUrl } from '@/components/session-client/api';
import { useLink, useTimeline } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import {
  Menu,
  MenuContent,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/menu';
import { Tooltip } from '@/components/ui/tooltip';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { TimelineFilter } from '@/lib/timeline/search';
import { choicesOf, filterRows, toRows, type RowChoices } from './rows';
import { OlderButton, TimelineList } from './timeline-list';

const ALL = '';

/** The session's timeline, live: with search, filters by actor and kind, and download (TL2). */
export function TimelinePanel() {
  const t = useTranslations('cockpit.timeline');
  const { session, you } = useCockpit();
  const line = useEventLine();
  const timeline = useTimeline(session.id);
  const [search, setSearch] = useState('');
  const [actor, setActor] = useState(ALL);
  const [kind, setKind] = useState(ALL);
  const filter = useMemo(() => ({ actor: actor || undefined, kind: kind || undefined, search }), [actor, kind, search]);
  const dug = useOlderFound(filter);
  const guest = useLink() !== undefined;
  const rows = useMemo(() => toRows([...dug.events, ...timeline]), [dug.events, timeline]);
  const choices = useMemo(() => choicesOf(rows), [rows]);
  const found = useMemo(
    () => filterRows(rows, filter, (event) => line(event, you?.id)).toReversed(),
    [rows, filter, line, you],
  );
  const filtered = search.trim() !== '' || actor !== ALL || kind !== ALL;
  return (
    <>
      <div className="flex shrink-0 items-center gap-1.5 border-b border-line p-2">
        <TextBox
          type="search"
          className="h-7 pointer-coarse:h-10"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <FilterMenu choices={choices} actor={actor} kind={kind} onActor={setActor} onKind={setKind} />
        {!guest && (
          <Tooltip text={t('export')}>
            <Button asChild variant="ghost" size="icon-sm">
              <a href={timelineExportUrl(session.id)} download={`${session.id}.jsonl`} aria-label={t('export')}>
                <Download aria-hidden />
              </a>
            </Button>
          </Tooltip>
        )}
      </div>
      <TimelineList
        rows={found}
        none={t(timeline.length === 0 ? 'empty' : 'nothing')}
        older={!filtered ? <OlderButton /> : !guest && <SearchOlderButton dug={dug} />}
      />
    </>
  );
}

interface OlderFound {
  /** Events that the server found before those of this page, oldest first, for the present filter. */
  readonly events: readonly TimelineEvent[];
  /** True when the server may find more. */
  readonly more: boolean;
  readonly search: () => Promise<void>;
}

const NONE: readonly TimelineEvent[] = [];

/** Searches the server for events before the first one of this page. */
function useOlderFound(filter: TimelineFilter): OlderFound {
  const { session } = useCockpit();
  const first = useTimeline(session.id)[0]?.seq ?? 0;
  const [found, setFound] = useState<{ filter: TimelineFilter; events: readonly TimelineEvent[]; all: boolean }>();
  const [events, all] = found?.filter === filter ? [found.events, found.all] : [NONE, false];
  const before = events[0]?.seq ?? first;
  const search = async () => {
    const more = await api.searchTimeline(session.id, before, filter);
    setFound({ filter, events: [...more, ...events], all: more.length === 0 });
  };
  return { events, more: before > 1 && !all, search };
}

function SearchOlderButton({ dug }: { dug: OlderFound }) {
  const t = useTranslations('cockpit.timeline');
  const common = useTranslations('common');
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  if (!dug.more) return null;
  const search = async () => {
    setBusy(true);
    await attempt(dug.search(), common('retry'));
    setBusy(false);
  };
  return (
    <div className="flex justify-center p-3">
      <Button size="sm" busy={busy} onClick={() => void search()}>
        {t('searchOlder')}
      </Button>
    </div>
  );
}

interface FilterMenuProps {
  choices: RowChoices;
  actor: string;
  kind: string;
  onActor: (actor: string) => void;
  onKind: (kind: string) => void;
}

function FilterMenu({ choices, actor, kind, onActor, onKind }: FilterMenuProps) {
  const t = useTranslations('cockpit.timeline');
  const common = useTranslations('common');
  const { you } = useCockpit();
  const kindName = useKindName();
  const on = actor !== ALL || kind !== ALL;
  return (
    <Menu>
      <MenuTrigger>
        <IconButton label={t('filter')} size="icon-sm" variant={on ? 'secondary' : 'ghost'}>
          <ListFilter aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        <MenuRadioGroup value={actor} onValueChange={onActor}>
          <MenuLabel>{t('who')}</MenuLabel>
          <MenuRadioItem value={ALL}>{t('everyone')}</MenuRadioItem>
          {choices.actors.map(({ id, name }) => (
            <MenuRadioItem key={id} value={id}>
              <bdi>{id === you?.id ? common('you') : name}</bdi>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuRadioGroup value={kind} onValueChange={onKind}>
          <MenuLabel>{t('what')}</MenuLabel>
          <MenuRadioItem value={ALL}>{t('everything')}</MenuRadioItem>
          {choices.kinds.map((name) => (
            <MenuRadioItem key={name} value={name}>
              {kindName(name)}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}

const NAMED = [
  'control',
  'dialog',
  'navigation',
  'tab',
  'session',
  'join',
  'leave',
  'browser',
  'refused',
  'blocked',
  'click',
  'hover',
  'focus',
  'highlight',
  'drag',
  'type',
  'press',
  'check',
  'select',
  'fill',
  'upload',
  'navigate',
  'history',
  'scroll',
  'scrollIntoView',
  'wait',
  'evaluate',
  'extract',
  'snapshot',
  'screenshot',
  'pdf',
  'resize',
  'download',
  'files',
  'input',
] as const;

/** Names a kind of event; a kind without a name is shown as the API has it. */
function useKindName(): (kind: string) => string {
  const t = useTranslations('cockpit.timeline.kinds');
  return (kind) => {
    const named = NAMED.find((name) => name === kind);
    return named ? t(named) : kind;
  };
}
