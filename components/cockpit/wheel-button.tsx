'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { WillBeTold } from '@/components/receipt/will-be-told';
import { Button } from '@/components/ui/button';
import { TextBox } from '@/components/ui/field';
import { Tooltip } from '@/components/ui/tooltip';
import { answersByBack } from './answers-by-back';
import { useCockpit } from './cockpit-context';

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
  const { tab, changing, giveBack } = useCockpit();
  const [note, setNote] = useState('');
  const [writing, setWriting] = useState(false);
  const asks = useTranslations('question');
  const agent = tab?.control.takenFrom?.name;
  const question = tab && answersByBack(tab.control);
  const give = async (result?: 'could-not') => {
    if (await giveBack(note, result)) setNote('');
  };
  return (
    <form
      className="flex min-w-0 items-center gap-2 max-sm:w-full max-sm:flex-col max-sm:items-stretch "
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      {agent !== undefined && (
        <div className="flex min-w-0 items-center gap-1 sm:contents">
          <WillBeTold name={agent} writing={writing} />
          <TextBox
            aria-label={t('note', { name: agent })}
            placeholder={t('notePlaceholder', { name: agent })}
            maxLength={1_000}
            className="h-9 sm:w-56 xl:w-96"
            value={note}
            onChange={(event) => setNote(event.target.value)}
            onFocus={() => setWriting(true)}
            onBlur={() => setWriting(false)}
          />
        </div>
      )}
      {question && (
        <Button size="lg" className="h-9 max-sm:h-11" busy={changing === 'give'} onClick={() => void give('could-not')}>
          {asks('couldNot')}
        </Button>
      )}
      <Button id={WHEEL_BUTTON} type="submit" variant="wheel" size="lg" data-wheel={agent === undefined ? 'human' : 'agent'} className="h-9 px-5 max-sm:h-11 max-sm:w-full max-sm:text-md" busy={changing === 'give'}>
        {changing !== 'give' && question ? asks('doneBack') : t(changing === 'give' ? 'handingBack' : agent === undefined ? 'release' : 'handBack')}
      </Button>
    </form>
  );
}
