'use client';

import { Eye } from 'lucide-react';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { PHONE, useMedia } from '@/components/ui/use-media';
import { answersByBack } from './answers-by-back';
import { useCockpit } from './cockpit-context';
import { NoteBeside, NoteSheet } from './hand-back-note';

/** Id of the button that takes the lease or gives it back; the key that leaves the page focuses it. */
export const LEASE_BUTTON = 'lease-button';

/** Size of that button, as classes. */
export const LARGE = 'h-9 px-5 max-sm:h-11 max-sm:min-w-40 max-sm:flex-1 max-sm:text-md';

/** Id of the bar around the button. */
export const LEASE_BAR = 'lease-bar';

/** The large button: takes the lease, or hands it back with a note for the agent. */
export function LeaseButton() {
  const { mine, live, lease, mayDrive } = useCockpit();
  const byKeys = useFocusInBar(mine);
  // A person's lease must be asked for: `LeaseRequestBar` shows the large button then.
  if (!live || (!mine && mayDrive && lease.holder?.kind === 'human')) return null;
  if (!mine && !mayDrive) return <OnlyWatch />;
  return (
    <div className="contents" onClickCapture={byKeys}>
      {mine ? <GiveBack /> : <Take />}
    </div>
  );
}

/**
 * Moves the focus to the bar when the lease changed hands after a key press: the pressed button is gone, and the same
 * key, still held down, would press the button in its place. Returns the handler that notes whether a click came from a
 * key.
 */
function useFocusInBar(mine: boolean): (event: MouseEvent) => void {
  const keys = useRef(false);
  useEffect(() => {
    if (keys.current && document.activeElement === document.body) document.getElementById(LEASE_BAR)?.focus();
    keys.current = false;
  }, [mine]);
  return ({ detail }) => {
    keys.current = detail === 0;
  };
}

/** Replaces the button for people who may not drive, also when that was just taken from them. */
function OnlyWatch() {
  const t = useTranslations('cockpit.lease');
  return (
    <p role="status" className="flex min-h-9 items-center gap-2 text-ink-2 max-sm:min-h-11 max-sm:flex-1">
      <Eye aria-hidden className="size-4 shrink-0" />
      {t('onlyWatch')}
    </p>
  );
}

function Take() {
  const t = useTranslations('cockpit.lease');
  const { changing, take, tab, online } = useCockpit();
  return (
    <Button
      id={LEASE_BUTTON}
      variant="lease"
      size="lg"
      data-lease="human"
      className={LARGE}
      busy={changing === 'take'}
      disabled={!tab || !online}
      onClick={() => void take()}
    >
      {t(changing === 'take' ? 'taking' : 'take')}
    </Button>
  );
}

function GiveBack() {
  const t = useTranslations('cockpit.lease');
  const asks = useTranslations('question');
  const phone = useMedia(PHONE);
  const { tab, takenFrom, changing, giveBack, online } = useCockpit();
  const [note, setNote] = useState('');
  const agent = takenFrom?.name;
  const question = tab && answersByBack(tab.control);
  const give = async (result?: 'could-not') => {
    if (await giveBack(note, result)) setNote('');
  };
  return (
    <form
      className="flex min-w-0 items-center gap-2 max-sm:flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      {agent !== undefined &&
        (phone ? (
          <NoteSheet agent={agent} note={note} onNote={setNote} />
        ) : (
          <NoteBeside agent={agent} note={note} onNote={setNote} />
        ))}
      {question && (
        <Button
          size="lg"
          className="h-9 max-sm:h-11"
          busy={changing === 'give'}
          disabled={!online}
          onClick={() => void give('could-not')}
        >
          {asks('couldNot')}
        </Button>
      )}
      <Button
        id={LEASE_BUTTON}
        type="submit"
        variant="lease"
        size="lg"
        data-lease={agent === undefined ? 'human' : 'agent'}
        className="h-9 px-5 max-sm:h-11 max-sm:flex-1 max-sm:px-3 max-sm:text-md"
        busy={changing === 'give'}
        disabled={!online}
      >
        {changing !== 'give' && question
          ? asks('doneBack')
          : t(changing === 'give' ? 'handingBack' : agent === undefined ? 'release' : 'handBack')}
      </Button>
    </form>
  );
}
