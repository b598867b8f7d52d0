'use client';

import { Clock, Eye, LogOut, ShipWheel, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useEnd } from '@/components/messages/use-end';
import { PresenceRow } from '@/components/presence/presence-row';
import { LookMenu } from '@/components/shell/look-menu';
import { Avatar } from '@/components/ui/avatar';
import { BrandMark } from '@/components/ui/brand-mark';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { FormDialog } from '@/components/ui/form-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';
import { asWheelhouseError } from '@/lib/errors/error';
import { guestNameSchema, pickedName } from '@/lib/links/guest-name';
import { linkGrantSchema, type LinkOffer } from '@/lib/links/link-terms';
import type { ParticipantView } from '@/lib/protocol/views';

export interface GuestBarProps {
  /** The name of what is shared. */
  session: string;
  offer: LinkOffer;
  /** What the link gives at this moment. */
  grants: readonly string[];
  you: ParticipantView | undefined;
  onRename: (name: string) => Promise<void>;
  onLeave: () => void;
}

/** The banner of a guest: who shares, what the link gives, until when, under which name; and the way out. */
export function GuestBar({ session, offer, grants, you, onRename, onLeave }: GuestBarProps) {
  const t = useTranslations('guest');
  const format = useFormatter();
  const drives = grants.includes('drive');
  const what = linkGrantSchema.options.filter((grant) => grants.includes(grant)).map((grant) => t(`what.${grant}`));
  const time = useEnd(offer.expiresAt);
  const Icon = drives ? ShipWheel : Eye;
  return (
    <header
      aria-label={t('bar')}
      className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line bg-panel px-3 max-sm:py-1.5 pointer-coarse:min-h-12"
    >
      <BrandMark className="size-[22px] shrink-0" />
      <h1 className="sr-only">
        <bdi>{session}</bdi>
      </h1>
      <div className="flex min-w-0 flex-1 items-center gap-x-3 max-sm:flex-col max-sm:items-start max-sm:text-xs max-sm:leading-tight">
        <p className="max-w-full min-w-0 truncate font-semibold" title={t('by', { by: offer.by })}>
          <bdi>{t('by', { by: offer.by })}</bdi>
        </p>
        <p className="flex max-w-full min-w-0 items-center gap-1.5 text-ink-2">
          <Icon aria-hidden className="size-4 shrink-0 text-ink-3 max-sm:hidden" />
          <span className="truncate">{t('may', { what: format.list(what) })}</span>
        </p>
        <p className="flex max-w-full min-w-0 items-center gap-1.5 text-ink-2" title={t('untilIs', { time })}>
          <Clock aria-hidden className="size-4 shrink-0 text-ink-3 max-sm:hidden" />
          <span className="truncate">
            {t('until', { time })}
            {offer.tab !== null && ` · ${t('oneTab')}`}
          </span>
        </p>
      </div>
      <PresenceRow />
      {you && <OwnName you={you} onRename={onRename} />}
      <LookMenu />
      <IconButton label={t('leave')} className="sm:hidden" onClick={onLeave}>
        <LogOut aria-hidden />
      </IconButton>
      <Button variant="ghost" className="max-sm:hidden" onClick={onLeave}>
        <LogOut aria-hidden />
        {t('leave')}
      </Button>
    </header>
  );
}

/** The name of the guest, which they may change. */
function OwnName({ you, onRename }: { you: ParticipantView; onRename: (name: string) => Promise<void> }) {
  const t = useTranslations('guest.name');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        className="min-w-0 max-w-56 shrink-0 px-2 max-sm:px-1.5"
        aria-label={t('change', { name: you.name })}
        title={t('change', { name: you.name })}
        onClick={() => setOpen(true)}
      >
        <UserRound aria-hidden className="max-sm:hidden" />
        <bdi className="truncate max-sm:hidden">{you.name}</bdi>
        <span className="sm:hidden">
          <Avatar person={{ ...you, name: pickedName(you.name) }} size={24} />
        </span>
      </Button>
      {open && <NameDialog name={pickedName(you.name)} onRename={onRename} onClose={() => setOpen(false)} />}
    </>
  );
}

function NameDialog({
  name,
  onRename,
  onClose,
}: {
  name: string;
  onRename: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const t = useTranslations('guest.name');
  const task = useTask();
  // A guest without a name has a number.
  const [draft, setDraft] = useState(/^\d+$/u.test(name) ? '' : name);
  const good = guestNameSchema.safeParse(draft.trim()).success;
  const refused = task.error !== undefined && asWheelhouseError(task.error).code === 'BAD_REQUEST';
  const wrong = refused || (draft.trim() !== '' && !good);
  return (
    <FormDialog
      title={t('title')}
      description={t('lead')}
      className="sm:w-[min(94vw,420px)]"
      word={t('save')}
      busy={task.busy}
      usable={good}
      onSubmit={() => void task.run(() => onRename(draft.trim()), onClose)}
      onClose={onClose}
    >
      <Field
        autoFocus
        label={t('label')}
        value={draft}
        maxLength={40}
        autoComplete="nickname"
        problem={wrong ? t('wrong') : undefined}
        onChange={(event) => setDraft(event.target.value)}
      />
      {task.error !== undefined && !refused && <ProblemNote title={t('failed')} thrown={task.error} />}
    </FormDialog>
  );
}
