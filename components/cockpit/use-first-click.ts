'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoom } from '@/components/room/use-room';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import type { AimedPress } from '@/components/viewport/viewport';
import type { PopupView } from '@/lib/protocol/popup';
import { useCockpit } from './cockpit-context';
import { drivenHere } from './driven-here';
import { firstClickStep } from './first-click-step';

/** A question for the wheel is over by then: five seconds to answer, and the way there and back. Milliseconds. */
const OVER_MS = 7_000;

export interface FirstClickParts {
  readonly press: AimedPress;
  /** It is decided: taken, asked in vain, or not wanted. */
  readonly close: () => void;
  readonly onPopup: (popup: PopupView) => void;
  /** Told to screen readers. */
  readonly onSaid: (words: string) => void;
}

/** Takes the wheel, or asks a person for it, and has the server make the click that was made before (FR4, CO3, CO4). */
export function useFirstClick({ press, close, onPopup, onSaid }: FirstClickParts) {
  const t = useTranslations('cockpit.firstClick');
  const room = useRoom();
  const tell = useProblemToast();
  const { session, tab, you, take, wheel, mine } = useCockpit();
  const kept = useRef<Promise<string | undefined>>(undefined);
  const asked = useRef(false);
  const [phase, setPhase] = useState<'offered' | 'busy' | 'asking'>('offered');
  const onTab = tab && { session: session.id, tab: tab.id };

  const keep = useEffectEvent(() => {
    const { geometry, x, y, button, modifiers } = press;
    kept.current =
      onTab &&
      room.request('click.keep', { ...onTab, geometry, x, y, button, modifiers }).then(
        ({ click }) => click,
        () => undefined,
      );
  });
  useEffect(() => keep(), []);

  const make = async () => {
    close();
    const click = await kept.current;
    drivenHere(session.id, true);
    if (!onTab || click === undefined) return void toast.message(t('notMade'), { description: t('again') });
    try {
      const { clicked, why, popup } = await room.request('click.make', { ...onTab, click });
      if (popup) onPopup(popup);
      if (clicked) onSaid(t('made'));
      else
        toast.message(t('notMade'), { description: `${why === undefined ? '' : t(`dropped.${why}`)} ${t('again')}` });
    } catch (thrown) {
      tell(t('notMade'), thrown);
    }
  };
  const takeIt = async () => {
    setPhase('busy');
    if (await take()) await make();
    else close();
  };
  const ask = async () => {
    if (!onTab) return;
    setPhase('busy');
    try {
      await room.request('control', { ...onTab, do: 'request' });
      setPhase('asking');
    } catch (thrown) {
      tell(t('notMade'), thrown);
      close();
    }
  };
  /** Also takes back a question that is open. */
  const stop = () => {
    close();
    if (phase === 'asking' && onTab)
      room.request('control', { ...onTab, do: 'release' }).catch((thrown: unknown) => tell(t('notMade'), thrown));
  };

  const drop = useEffectEvent(() => {
    close();
    toast.message(t('notMade'), { description: t('kept', { name: wheel.holder?.name ?? '' }) });
  });
  const look = useEffectEvent(() => {
    if (!tab) return;
    asked.current ||= tab.control.asked?.by.id === you?.id;
    const step = firstClickStep(tab.control, you?.id, asked.current);
    if (step === 'make') void make();
    if (step === 'drop') drop();
  });
  // The wheel was taken by another button meanwhile: the offer has nothing to give any more.
  useEffect(() => {
    if (mine && phase === 'offered') close();
  }, [mine, phase, close]);
  useEffect(() => {
    if (phase === 'asking') look();
  }, [phase, tab?.control]);
  useEffect(() => {
    if (phase !== 'asking') return undefined;
    const over = setTimeout(() => drop(), OVER_MS);
    return () => clearTimeout(over);
  }, [phase]);
  return { phase, take: takeIt, ask, stop };
}
