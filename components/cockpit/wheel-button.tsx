'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Tooltip } from '@/components/ui/tooltip';
import { PHONE, useMedia } from '@/components/ui/use-media';
import { answersByBack } from './answers-by-back';
import { useCockpit } from './cockpit-context';
import { NoteBeside, NoteSheet } from './hand-back-note';

/** The id by which leaving the page comes back to the cockpit. */
export const WHEEL_BUTTON = 'wheel-button';

/** The one large button: takes the wheel, or hands it back with a note that the agent reads. Full width on a phone. */
export function WheelButton() {
  const { mine, live } = useCockpit();
  if (!live) return null;
  return mine ? <GiveBack /> : <Take />;
}

function Take() {
  const t = useTranslations('cockpit.wheel');
  const { wheel, changing, take, tab } = useCockpit();
  const other = wheel.holder?.kind === 'human' ? wheel.holder.name : undefined;
  return (
    <Tooltip text={other === undefined ? undefined : t('heldByOther', { name: other })} side="top">
      <Button
        id={WHEEL_BUTTON}
        variant="wheel"
        size="lg"
        data-wheel="human"
        className="h-9 px-5 max-sm:h-11 max-sm:w-full max-sm:text-md"
        busy={changing === 'take'}
        disabled={!tab}
        aria-disabled={other !== undefined || undefined}
        onClick={() => void take()}
      >
        {t(changing === 'take' ? 'taking' : 'take')}
      </Button>
    </Tooltip>
  );
}

function GiveBack() {
  const t = useTranslations('cockpit.wheel');
  const asks = useTranslations('question');
  const phone = useMedia(PHONE);
  const { tab, changing, giveBack } = useCockpit();
  const [note, setNote] = useState('');
  const agent = tab?.control.takenFrom?.name;
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
      {agent !== undefined && (phone ? <NoteSheet agent={agent} note={note} onNote={setNote} /> : <NoteBeside agent={agent} note={note} onNote={setNote} />)}
      {question && (
        <Button size="lg" className="h-9 max-sm:h-11" busy={changing === 'give'} onClick={() => void give('could-not')}>
          {asks('couldNot')}
        </Button>
      )}
      <Button id={WHEEL_BUTTON} type="submit" variant="wheel" size="lg" data-wheel={agent === undefined ? 'human' : 'agent'} className="h-9 px-5 max-sm:h-11 max-sm:flex-1 max-sm:px-3 max-sm:text-md" busy={changing === 'give'}>
        {changing !== 'give' && question ? asks('doneBack') : t(changing === 'give' ? 'handingBack' : agent === undefined ? 'release' : 'handBack')}
      </Button>
    </form>
  );
}
