'use client';

import { ListChecks, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ReportedList, useReportedSoFar, PendingReport } from '@/components/receipt/pending-report';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TextBox } from '@/components/ui/field';

interface NoteProps {
  /** Name of the agent that gets the lease back. */
  agent: string;
  note: string;
  onNote: (note: string) => void;
}

const MOST_LETTERS = 1_000;

/**
 * The text field for the note of a hand-back. While the field has the focus, a list above it shows what the receipt
 * will report.
 */
export function NoteBeside({ agent, note, onNote }: NoteProps) {
  const t = useTranslations('cockpit.lease');
  const [writing, setWriting] = useState(false);
  return (
    <>
      <PendingReport name={agent} writing={writing} />
      <TextBox
        aria-label={t('note', { name: agent })}
        placeholder={t('notePlaceholder', { name: agent })}
        maxLength={MOST_LETTERS}
        className="h-9 sm:w-56 xl:w-96"
        value={note}
        onChange={(event) => onNote(event.target.value)}
        onFocus={() => setWriting(true)}
        onBlur={() => setWriting(false)}
      />
    </>
  );
}

/** The note and the list in a dialog, for phones, where the bar has no room for a field. */
export function NoteSheet({ agent, note, onNote }: NoteProps) {
  const t = useTranslations('cockpit.lease');
  const common = useTranslations('common');
  const receipt = useTranslations('receipt');
  const [open, setOpen] = useState(false);
  const done = useReportedSoFar();
  const Icon = note.trim() === '' ? ListChecks : PencilLine;
  return (
    <>
      <Button
        className="h-11 px-3 tabular-nums"
        aria-haspopup="dialog"
        aria-label={`${t('note', { name: agent })}. ${receipt('willBeToldOf', { name: agent, n: done.length })}`}
        onClick={() => setOpen(true)}
      >
        <Icon aria-hidden />
        {done.length}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={<bdi>{t('note', { name: agent })}</bdi>}
        footer={
          <Button size="lg" variant="primary" className="w-full" onClick={() => setOpen(false)}>
            {common('close')}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <TextBox
            aria-label={t('note', { name: agent })}
            placeholder={t('notePlaceholder', { name: agent })}
            maxLength={MOST_LETTERS}
            className="h-11"
            value={note}
            onChange={(event) => onNote(event.target.value)}
          />
          <section>
            <ReportedList name={agent} done={done} />
          </section>
        </div>
      </Dialog>
    </>
  );
}
