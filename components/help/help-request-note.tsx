'use client';

import { Hand, HandHelping, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Age } from '@/components/messages/times';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Dialog } from '@/components/ui/dialog';
import { TextBox } from '@/components/ui/field';
import { PHONE, useMedia } from '@/components/ui/use-media';
import { useTask } from '@/components/ui/use-task';
import { HELP_LIMITS, type HelpResult, type HelpRequestView } from '@/lib/help/help-request';
import { TimeLeft } from './time-left';

export interface HelpRequestNoteProps {
  question: HelpRequestView;
  /** Number of further open help requests of this tab. */
  more: number;
  /** True when the reader took the lease from the asking agent: handing it back answers the request. */
  byHandingBack: boolean;
  /** Participant id of the reader. */
  you: string | undefined;
  /** False for those who may only watch. */
  mayAnswer: boolean;
  /** Sends the answer; true when the server accepted it. */
  onAnswer: (result: HelpResult, note: string) => Promise<boolean>;
  /** Tells the others that the reader is on it, or no longer (CO4). */
  onClaim: (claim: boolean) => Promise<boolean>;
}

/**
 * Shows a help request of an agent: reason, instructions, age and time left, and the answers (CO6). On a phone one
 * line, with the rest in a dialog.
 */
export function HelpRequestNote(props: HelpRequestNoteProps) {
  const t = useTranslations('question');
  const phone = useMedia(PHONE);
  const { question, byHandingBack, mayAnswer, onAnswer } = props;
  return (
    <section
      data-lease={isTakenOn(props) ? 'human' : 'help'}
      aria-label={t('label', { name: question.by.name })}
      className="flex w-full min-w-0 basis-full flex-wrap items-end gap-x-4 gap-y-2 border-b border-line pb-2"
    >
      {phone ? (
        <Folded {...props} />
      ) : (
        <>
          <div className="min-w-0 flex-1 basis-80">
            <About {...props} />
            <p role="status" className="mt-1 font-semibold break-words text-lease">
              <bdi>{question.reason}</bdi>
            </p>
            <Task question={question} />
            <Claim {...props} />
          </div>
          {!byHandingBack && mayAnswer && <Answers key={question.id} name={question.by.name} onAnswer={onAnswer} />}
        </>
      )}
    </section>
  );
}

function Folded(props: HelpRequestNoteProps) {
  const t = useTranslations('question');
  const common = useTranslations('common');
  const [open, setOpen] = useState(false);
  const { question, you, byHandingBack, mayAnswer, onAnswer } = props;
  return (
    <div className="flex w-full min-w-0 items-center gap-2">
      <Hand aria-hidden className="size-4 shrink-0 text-lease" />
      <div role="status" className="min-w-0 flex-1 leading-tight">
        <p className="line-clamp-2 font-semibold break-words text-lease">
          <bdi>{question.reason}</bdi>
        </p>
        {question.claimed && (
          <p className="mt-0.5 truncate text-sm text-ink-2">
            <bdi>
              {question.claimed.by.id === you ? t('mine') : t('personOnIt', { name: question.claimed.by.name })}
            </bdi>
          </p>
        )}
      </div>
      <Button variant={byHandingBack || !mayAnswer ? 'secondary' : 'lease'} onClick={() => setOpen(true)}>
        {byHandingBack || !mayAnswer ? common('details') : t('answer')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={<bdi>{question.reason}</bdi>}
        description={t('label', { name: question.by.name })}
      >
        <div
          data-lease={isTakenOn(props) ? 'human' : 'help'}
          className="flex flex-col gap-3 pb-[env(safe-area-inset-bottom)]"
        >
          <About {...props} />
          <Task question={question} />
          <Claim {...props} />
          {!byHandingBack && mayAnswer && <Answers key={question.id} name={question.by.name} onAnswer={onAnswer} />}
        </div>
      </Dialog>
    </div>
  );
}

/** Name of the asker, age of the request, and the time left. */
function About(props: HelpRequestNoteProps) {
  const t = useTranslations('question');
  const { by, askedAt, leftMs } = props.question;
  const { more } = props;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
      <Chip tone="lease" size="sm" className="min-w-0">
        <Hand aria-hidden />
        <bdi className="truncate">{t(isTakenOn(props) ? 'label' : 'asks', { name: by.name })}</bdi>
      </Chip>
      <span className="tabular-nums">
        <Age since={askedAt} />
        {leftMs !== undefined && (
          <>
            {' · '}
            <TimeLeft key={leftMs} ms={leftMs} />
          </>
        )}
        {more > 0 && ` · ${t('more', { n: more })}`}
      </span>
    </p>
  );
}

/** Instructions, and the element that they are about. */
function Task({ question: { instructions, element } }: { question: HelpRequestView }) {
  const t = useTranslations('question');
  return (
    <>
      {instructions !== undefined && (
        <p className="mt-0.5 max-h-24 overflow-y-auto break-words whitespace-pre-wrap text-ink-2 max-sm:max-h-60">
          <bdi>{instructions}</bdi>
        </p>
      )}
      {element && (
        <p className="mt-0.5 truncate text-xs text-ink-3">
          <bdi>{t('about', { element: nameOf(element) })}</bdi>
        </p>
      )}
    </>
  );
}

/** True when another person is on it, so that it does not call the reader. */
function isTakenOn({ question: { claimed }, you }: HelpRequestNoteProps): boolean {
  return claimed !== undefined && claimed.by.id !== you;
}

/** Who is on it; for everybody else the button by which one says so (CO4). A person who drives need not say it. */
function Claim({ question: { claimed }, you, byHandingBack, mayAnswer, onClaim }: HelpRequestNoteProps) {
  const t = useTranslations('question');
  const { busy, run } = useTask();
  const mine = claimed?.by.id === you;
  const button = (claim: boolean) => (
    <Button size="sm" busy={busy} onClick={() => void run(() => onClaim(claim))}>
      {claim && <HandHelping aria-hidden />}
      {t(claim ? 'claim' : 'unclaim')}
    </Button>
  );
  if (!claimed) return byHandingBack || !mayAnswer ? null : <p className="mt-1.5">{button(true)}</p>;
  return (
    <p role="status" className="mt-1.5 flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <UserRoundCheck aria-hidden className="size-4 shrink-0 text-human" />
      <bdi className="min-w-0 font-medium break-words">
        {mine ? t('youOnIt') : t('personOnIt', { name: claimed.by.name })}
      </bdi>
      <span className="text-xs text-ink-3 tabular-nums">
        <Age since={claimed.at} />
      </span>
      {mine && button(false)}
    </p>
  );
}

/** Role and name, as in `textbox “Code”`; page-made text. */
function nameOf({ role, name }: NonNullable<HelpRequestView['element']>): string {
  return name === '' ? role : `${role} “${name}”`;
}

function Answers({ name, onAnswer }: { name: string; onAnswer: HelpRequestNoteProps['onAnswer'] }) {
  const t = useTranslations('question');
  const [note, setNote] = useState('');
  const { busy, run } = useTask();
  const answer = (result: HelpResult) => () => void run(() => onAnswer(result, note.trim()));
  return (
    <div className="flex min-w-0 items-center gap-2 max-sm:w-full max-sm:flex-wrap">
      <TextBox
        aria-label={t('note', { name })}
        placeholder={t('notePlaceholder', { name })}
        maxLength={HELP_LIMITS.note}
        className="sm:w-56 xl:w-80"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {note.trim() !== '' && (
        <Button busy={busy} className="max-sm:flex-1" onClick={answer('note')}>
          {t('sendNote')}
        </Button>
      )}
      <Button busy={busy} className="max-sm:flex-1" onClick={answer('could-not')}>
        {t('couldNot')}
      </Button>
      <Button variant="lease" busy={busy} className="max-sm:flex-1" onClick={answer('done')}>
        {t('done')}
      </Button>
    </div>
  );
}
