'use client';

import { Check, EyeOff, MapPin, MessageSquareReply, Send } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { Ago } from '@/components/messages/times';
import { useLink } from '@/components/session-client/use-session-client';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { colourOf } from '@/components/ui/initials';
import { LEASE_ICONS } from '@/components/ui/lease-chip';
import type { CommentView } from '@/lib/comments/comment';
import { elementName } from './element-name';
import { CommentForm } from './comment-form';
import { CommentMark } from './comment-mark';
import { mentionParts } from './mention';
import { commentsApi } from './api';
import { discardDraft, draftOn, selectThread, useDraft, useTalk } from './talk-state';
import type { Thread } from './threads';

/** A thread shows its newest answers; a press shows all. */
const ANSWERS = 20;

/** A comment with its answers, and what this reader may do with them. */
export function ThreadItem({ thread: { first, answers } }: { thread: Thread }) {
  const t = useTranslations('talk');
  const { session } = useCockpit();
  const selected = useTalk((state) => state.selected === first.id);
  const draft = draftOn.answer(first.id);
  const begun = useDraft(draft).text !== '';
  // What was begun is there again when the panel is.
  const [answering, setAnswering] = useState<'begun' | 'asked' | false>(begun && 'begun');
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, answers.length - ANSWERS);
  const item = useRef<HTMLLIElement>(null);
  useFocusInList(item);
  useEffect(() => {
    if (selected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const close = () => {
    setAnswering(false);
    // The form takes the focus with it.
    requestAnimationFrame(() => item.current?.querySelector<HTMLElement>('[data-answer]')?.focus());
  };
  return (
    <li
      ref={item}
      data-comment={first.id}
      className={cn('border-b border-line px-3 py-2.5', selected && 'bg-sel shadow-[inset_2px_0_0_var(--focus)]')}
    >
      <Entry comment={first} />
      {hidden > 0 && (
        <Button variant="ghost" size="sm" className="mt-1.5 -ml-2" onClick={() => setAll(true)}>
          {t('earlier', { n: hidden })}
        </Button>
      )}
      {answers.length > 0 && (
        <ul
          aria-label={t('answers', { n: answers.length })}
          className="mt-2 flex flex-col gap-2 border-l border-line-strong pl-3"
        >
          {answers.slice(hidden).map((answer) => (
            <li key={answer.id}>
              <Entry comment={answer} />
            </li>
          ))}
        </ul>
      )}
      {first.resolved && (
        <p className="mt-1.5 flex items-center gap-1 text-2xs text-ok">
          <Check aria-hidden className="size-3" />
          <bdi>{t('resolvedBy', { name: first.resolved.by.name })}</bdi>
        </p>
      )}
      {answering ? (
        <div className="mt-2">
          <CommentForm
            draft={draft}
            autoFocus={answering === 'asked'}
            label={t('answerTo', { name: first.by.name })}
            word={t('answer')}
            onSend={(text) => commentsApi.add(session.id, first.tab, { text, reply: first.id })}
            onSent={close}
            onClose={close}
            onDiscard={() => {
              discardDraft(draft);
              close();
            }}
          />
        </div>
      ) : (
        first.open && <Commands comment={first} onAnswer={() => setAnswering('asked')} />
      )}
    </li>
  );
}

/** When a thread leaves its list, as one that is resolved, the list gets the focus that was in it. */
function useFocusInList(item: RefObject<HTMLLIElement | null>): void {
  useLayoutEffect(() => {
    const thread = item.current;
    return () => {
      if (thread?.contains(document.activeElement)) thread.closest<HTMLElement>('[role="region"]')?.focus();
    };
  }, [item]);
}

function Commands({ comment, onAnswer }: { comment: CommentView; onAnswer: () => void }) {
  const t = useTranslations('talk');
  const { session, you, mayDrive, online } = useCockpit();
  const guest = useLink() !== undefined;
  const attempt = useAttempt();
  const [busy, setBusy] = useState<'resolve' | 'pass'>();
  const run = async (what: 'resolve' | 'pass') => {
    if (busy) return;
    setBusy(what);
    await attempt(commentsApi[what](session.id, comment.id), t(`${what}Failed`));
    setBusy(undefined);
  };
  return (
    <div className="mt-1.5 -ml-2 flex flex-wrap gap-1">
      <Button variant="ghost" size="sm" data-answer disabled={!online} onClick={onAnswer}>
        <MessageSquareReply aria-hidden />
        {t('answer')}
      </Button>
      {isKeptFromAgents(comment) && mayDrive && !guest && (
        <Button variant="ghost" size="sm" busy={busy === 'pass'} disabled={!online} onClick={() => void run('pass')}>
          <Send aria-hidden />
          {t('pass')}
        </Button>
      )}
      {(mayDrive || comment.by.id === you?.id) && (
        <Button
          variant="ghost"
          size="sm"
          busy={busy === 'resolve'}
          disabled={!online}
          onClick={() => void run('resolve')}
        >
          <Check aria-hidden />
          {t('resolve')}
        </Button>
      )}
    </div>
  );
}

/** A comment of somebody who only watches, which nobody has passed on. */
function isKeptFromAgents({ by, forAgents, passed }: CommentView): boolean {
  return by.kind === 'human' && !forAgents && !passed;
}

function Entry({ comment }: { comment: CommentView }) {
  const t = useTranslations('talk');
  const common = useTranslations('common');
  const { session, you } = useCockpit();
  const { by, at, passed } = comment;
  const colour = session.participants.find(({ id }) => id === by.id)?.colour ?? colourOf(by.id);
  const Agent = LEASE_ICONS.agent;
  return (
    <div className="min-w-0">
      <p className="flex min-w-0 items-center gap-1.5">
        {by.kind === 'agent' ? (
          <Agent aria-hidden className="size-4.5 shrink-0 text-agent" />
        ) : (
          <Avatar person={{ ...by, colour }} size={18} />
        )}
        <bdi className="min-w-0 truncate font-medium">{by.id === you?.id ? common('you') : by.name}</bdi>
        <span className="ml-auto shrink-0 text-2xs text-ink-3">
          <Ago since={at} />
        </span>
      </p>
      <p className="mt-0.5 break-words whitespace-pre-wrap">
        <CommentText comment={comment} />
      </p>
      <Place comment={comment} colour={colour} />
      {isKeptFromAgents(comment) && (
        <p className="mt-1 flex items-center gap-1 text-2xs text-ink-3">
          <EyeOff aria-hidden className="size-3" />
          {t('onlyPeople')}
        </p>
      )}
      {passed && (
        <p className="mt-1 flex items-center gap-1 text-2xs text-ink-3">
          <Send aria-hidden className="size-3" />
          <bdi>{t('passedBy', { name: passed.by.name })}</bdi>
        </p>
      )}
    </div>
  );
}

/** The text with its mentions in bold; those of this reader stand out. */
function CommentText({ comment: { text, mentions } }: { comment: CommentView }) {
  const { session, you } = useCockpit();
  const named = session.participants.filter(({ id }) => mentions.includes(id));
  const mine = named.find(({ id }) => id === you?.id)?.name.toLowerCase();
  const parts = mentionParts(
    text,
    named.map(({ name }) => name),
  );
  return (
    <bdi>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <strong
            key={index}
            className={cn(
              'font-semibold',
              part.slice(1).toLowerCase() === mine && 'rounded-xs bg-human-soft px-0.5 text-human',
            )}
          >
            {part}
          </strong>
        ),
      )}
    </bdi>
  );
}

/** What the comment is about. A press shows it on the picture, in its tab. */
function Place({ comment: { id, anchor, state, tab, open, seq }, colour }: { comment: CommentView; colour: number }) {
  const t = useTranslations('talk');
  const { session, pickTab, tab: shown } = useCockpit();
  const other = tab === shown?.id ? undefined : session.tabs.find((one) => one.id === tab);
  const what = anchor && (elementName(anchor) ?? t('place'));
  if (!anchor && !other) return null;
  const there = open && state !== 'gone';
  const words = (
    <>
      {anchor?.box && there ? (
        <CommentMark number={seq} colour={colour} small />
      ) : (
        <MapPin aria-hidden className="size-3.5 shrink-0" />
      )}
      <bdi className="min-w-0 truncate">{[what, other && (other.title || other.url)].filter(Boolean).join(' · ')}</bdi>
    </>
  );
  const looks = 'mt-1 flex max-w-full items-center gap-1.5 text-xs';
  if (!there) return <p className={cn(looks, 'text-ink-3')}>{words}</p>;
  return (
    <button
      type="button"
      title={t('show')}
      className={cn(looks, 'rounded-sm text-ink-2 hover:text-ink hover:underline pointer-coarse:min-h-8')}
      onClick={() => {
        if (other) pickTab(tab);
        selectThread(id);
      }}
    >
      {words}
    </button>
  );
}
