'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { PresenceRow } from '@/components/presence/presence-row';
import { ShareButton } from '@/components/share/share-button';
import { HeaderTools } from '@/components/shell/header-tools';
import { useDemo } from '@/components/shell/use-demo';
import { Age } from '@/components/messages/times';
import { Button } from '@/components/ui/button';
import { BrandMark } from '@/components/ui/brand-mark';
import { FlaggedChip } from '@/components/ui/flagged-chip';
import { LeaseChip } from '@/components/ui/lease-chip';
import { useCockpit } from './cockpit-context';
import { useRef, useState } from 'react';
import { api } from '@/components/session-client/api';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { TextBox } from '@/components/ui/field';
import { Tooltip } from '@/components/ui/tooltip';
import { useAttempt } from './use-attempt';

/** Longest session name that the server accepts. */
const MOST_NAME = 80;

/** The header: session name, lease, and the other people who are connected. */
export function TopBar() {
  const t = useTranslations('cockpit');
  const { session, lease } = useCockpit();
  const wall = useWorkspacePath()('');
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-panel px-3 pointer-coarse:h-12">
      <Link href={wall} aria-label={t('back')} title={t('back')} className="rounded-sm p-0.5">
        <BrandMark className="size-[22px]" />
      </Link>
      <SessionName id={session.id} name={session.name} />
      <LeaseChip lease={lease} className="min-w-0 shrink max-sm:max-w-[52vw] max-sm:shrink-0" />
      <p className="flex min-w-0 items-center gap-1.5 text-ink-2 max-md:hidden">
        {lease.holder && lease.kind !== 'human' && (
          <>
            <bdi className="truncate">{lease.holder.name}</bdi>
            <span aria-hidden>·</span>
          </>
        )}
        <span className="whitespace-nowrap">
          <Age since={lease.since} />
        </span>
      </p>
      <div className="min-w-0 flex-1" />
      <Flagged />
      <StopDemo />
      <PresenceRow />
      <ShareButton />
      <HeaderTools />
    </header>
  );
}

/**
 * Announces agents that act without the lease (F23): their refused actions show nowhere else. On a phone the people tab
 * shows them.
 */
function Flagged() {
  const { session } = useCockpit();
  const flagged = session.participants.filter((person) => person.flagged);
  return (
    <p role="status" className="flex min-w-0 gap-1.5 max-sm:sr-only">
      {flagged.map(({ id, name }) => (
        <FlaggedChip key={id} name={name} named className="min-w-0" />
      ))}
    </p>
  );
}

function StopDemo() {
  const t = useTranslations('demo');
  const { session } = useCockpit();
  const { session: demoSession, task, stop } = useDemo();
  if (demoSession !== session.id) return null;
  return (
    <Button size="sm" busy={task.busy} onClick={stop} className="max-sm:hidden">
      {t('stop')}
    </Button>
  );
}

/** The session's name; a click turns it into a field. Enter saves, Escape discards. */
function SessionName({ id, name }: { id: string; name: string }) {
  const t = useTranslations('cockpit.head');
  const attempt = useAttempt();
  const [draft, setDraft] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setDraft(undefined);
    requestAnimationFrame(() => button.current?.focus());
  };
  const save = () => {
    const wanted = draft?.trim() ?? '';
    close();
    if (wanted !== '' && wanted !== name) void attempt(api.renameSession(id, wanted), t('renameFailed'));
  };
  if (draft !== undefined) {
    return (
      <form
        className="min-w-0"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextBox
          autoFocus
          aria-label={t('name')}
          className="h-7 w-52 font-semibold pointer-coarse:h-9"
          maxLength={MOST_NAME}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
          }}
        />
      </form>
    );
  }
  return (
    <h1 className="max-w-64 min-w-0 shrink font-semibold">
      <Tooltip text={t('rename')}>
        <button
          ref={button}
          type="button"
          className="block w-full truncate rounded-sm px-1 py-0.5 hover:bg-hover"
          onClick={() => setDraft(name)}
        >
          <bdi>{name}</bdi>
        </button>
      </Tooltip>
    </h1>
  );
}
