'use client';

import { MapPin, MapPinOff, MessageSquareText, X } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { openTabs } from '@/components/cockpit/shown-tab';
import { commentsApi } from '@/components/comments/api';
import { CommentForm } from '@/components/comments/comment-form';
import { useMarksShown } from '@/components/comments/comment-marks';
import { cn } from '@/components/ui/cn';
import { useMayCommentOnPage } from '@/components/comments/may-comment';
import { adoptDrafts, changeDraft, draftOn, selectThread, useDraft, useTalk } from '@/components/comments/talk-state';
import { ThreadItem } from '@/components/comments/thread-item';
import { groupsOf, type Thread, type ThreadGroups } from '@/components/comments/threads';
import { useSees } from '@/components/comments/unread';
import { useComments } from '@/components/comments/use-comments';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Skeleton } from '@/components/ui/skeleton';

/** Groups of open threads, in the order of the panel. */
const OPEN_GROUPS = ['here', 'gone', 'elsewhere'] as const;

/** Threads of a group that are shown at first, and that a press adds. */
const PART = 50;

/** The talk of a session: comments on its pages, with answers of people and agents (TL3). */
export function TalkPanel() {
  const t = useTranslations('talk');
  const { session, tab } = useCockpit();
  useSees(session);
  const comments = useComments();
  const [marked, mark] = useMarksShown();
  const selected = useTalk((state) => state.selected);
  const groups = useMemo(() => groupsOf(comments ?? [], tab?.id), [comments, tab?.id]);
  const [wanted, setWanted] = useState<{ past: boolean; for: string | undefined }>({ past: false, for: undefined });
  // A thread that was chosen elsewhere is shown wherever it is.
  const isPast = groups.past.some(({ first }) => first.id === selected);
  const past = wanted.for === selected ? wanted.past : isPast;
  const open = OPEN_GROUPS.reduce((sum, group) => sum + countOf(groups[group]), 0);
  return (
    <>
      <Say />
      <div role="group" aria-label={t('which')} className="flex shrink-0 gap-1 border-b border-line px-2 py-1.5">
        <Which on={!past} onChoose={() => setWanted({ past: false, for: selected })}>
          {t('open', { n: open })}
        </Which>
        <Which on={past} onChoose={() => setWanted({ past: true, for: selected })}>
          {t('past', { n: countOf(groups.past) })}
        </Which>
        <IconButton
          label={t('onPage')}
          size="icon-sm"
          aria-pressed={marked}
          className={cn('ml-auto', marked && 'text-ink')}
          onClick={() => mark(!marked)}
        >
          {marked ? <MapPin aria-hidden /> : <MapPinOff aria-hidden />}
        </IconButton>
      </div>
      <div
        role="region"
        aria-label={t('list')}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {comments === undefined ? <Loading /> : <Groups groups={groups} names={past ? ['past'] : OPEN_GROUPS} />}
      </div>
    </>
  );
}

/** Number of comments, with answers. */
function countOf(threads: readonly Thread[]): number {
  return threads.reduce((sum, { answers }) => sum + 1 + answers.length, 0);
}

/** The form for a new comment on the shown tab, or on the element that was chosen. */
function Say() {
  const t = useTranslations('talk');
  const { session, tab, mine } = useCockpit();
  const draft = draftOn.tab(session.id, tab?.id ?? '');
  const { element } = useDraft(draft);
  const mayOnPage = useMayCommentOnPage();
  const open = openTabs(session)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => adoptDrafts(session.id, open.split(' '), draft), [session.id, open, draft]);
  if (!tab) return null;
  if (tab.control.private && !mine) return <p className="border-b border-line p-3 text-ink-3">{t('private')}</p>;
  // Of a page that cannot be commented on, the tab still can.
  const chosen = mayOnPage ? element : undefined;
  const send = async (text: string) => {
    const { id } = await commentsApi.add(session.id, tab.id, { text, ...(chosen && { ref: chosen.ref }) });
    selectThread(id);
  };
  return (
    <div className="shrink-0 border-b border-line p-2">
      <CommentForm
        key={chosen?.ref}
        draft={draft}
        quiet
        autoFocus={chosen !== undefined}
        label={t(chosen ? 'onElement' : 'onTab')}
        word={t('send')}
        about={
          chosen && (
            <p className="flex items-center gap-1 rounded-sm bg-sel pl-2 text-xs text-ink-2">
              <bdi className="min-w-0 flex-1 truncate">{chosen.name}</bdi>
              <IconButton label={t('notOn')} size="icon-sm" onClick={() => changeDraft(draft, { element: undefined })}>
                <X aria-hidden />
              </IconButton>
            </p>
          )
        }
        onSend={send}
      />
    </div>
  );
}

function Which({ on, onChoose, children }: { on: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <Button variant="ghost" size="sm" aria-pressed={on} className={on ? 'bg-sel text-ink' : ''} onClick={onChoose}>
      {children}
    </Button>
  );
}

function Groups({ groups, names }: { groups: ThreadGroups; names: readonly (keyof ThreadGroups)[] }) {
  const t = useTranslations('talk');
  const filled = names.filter((name) => groups[name].length > 0);
  if (filled.length === 0)
    return (
      <div className="flex flex-col items-center gap-2 p-6 text-center text-ink-3">
        <MessageSquareText aria-hidden className="size-6" />
        <p className="text-balance">{t(names.includes('past') ? 'nonePast' : 'none')}</p>
      </div>
    );
  return filled.map((name) => (
    <section key={name} aria-label={t(`group.${name}`)}>
      {name !== 'here' && name !== 'past' && (
        <h3 className="border-b border-line bg-bg px-3 py-1 text-xs font-medium text-ink-2">{t(`group.${name}`)}</h3>
      )}
      <Threads threads={groups[name]} />
    </section>
  ));
}

function Threads({ threads }: { threads: readonly Thread[] }) {
  const t = useTranslations('talk');
  const selected = useTalk((state) => state.selected);
  const [count, setCount] = useState(PART);
  const shown = Math.max(count, threads.findIndex(({ first }) => first.id === selected) + 1);
  return (
    <>
      <ul>
        {threads.slice(0, shown).map((thread) => (
          <ThreadItem key={thread.first.id} thread={thread} />
        ))}
      </ul>
      {threads.length > shown && (
        <div className="flex justify-center p-3">
          <Button size="sm" onClick={() => setCount(shown + PART)}>
            {t('more', { n: threads.length - shown })}
          </Button>
        </div>
      )}
    </>
  );
}

function Loading() {
  const t = useTranslations('common');
  return (
    <div role="status" aria-label={t('loading')} className="p-3">
      {['w-32', 'w-56', 'w-44'].map((width) => (
        <Skeleton key={width} className={`mb-2.5 h-3 ${width}`} />
      ))}
    </div>
  );
}
