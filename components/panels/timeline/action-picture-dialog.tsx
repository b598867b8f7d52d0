'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useEventLine } from '@/components/messages/use-event-line';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { rowOfAction } from '@/components/ui/row-of-action';
import { ActionPicture, type PicturedEvent } from './action-picture';

export interface ActionPictureDialogProps {
  session: string;
  you: string | undefined;
  /** The event whose picture is shown; undefined while the dialog is closed. */
  event: PicturedEvent | undefined;
  /** The events before and after it that have pictures. */
  older: PicturedEvent | undefined;
  newer: PicturedEvent | undefined;
  onShow: (event: PicturedEvent | undefined) => void;
}

/** Shows an action picture, and leads to its neighbours by button or arrow key (TL2). */
export function ActionPictureDialog({ session, you, event, older, newer, onShow }: ActionPictureDialogProps) {
  const t = useTranslations('cockpit.timeline');
  const format = useFormatter();
  const line = useEventLine();
  const step = (to: PicturedEvent | undefined) => to && onShow(to);
  useArrows(event && { ArrowLeft: () => step(older), ArrowRight: () => step(newer) });
  if (!event) return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onShow(undefined)}
      title={<bdi>{line(event, you)}</bdi>}
      description={t('pictureAt', {
        time: format.dateTime(new Date(event.picture.at), {
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
          hourCycle: 'h23',
        }),
      })}
      className="sm:w-[min(94vw,1000px)]"
      returnFocus={() => rowOfAction(event.id)}
      footer={
        <>
          <Button size="sm" disabled={!older} onClick={() => step(older)}>
            <ChevronLeft aria-hidden />
            {t('pictureOlder')}
          </Button>
          <Button size="sm" disabled={!newer} onClick={() => step(newer)}>
            {t('pictureNewer')}
            <ChevronRight aria-hidden />
          </Button>
        </>
      }
    >
      <div data-lease={event.actor.kind === 'system' ? 'idle' : event.actor.kind}>
        <ActionPicture key={event.id} session={session} event={event} />
      </div>
    </Dialog>
  );
}

/** Handles the arrow keys while the dialog is open. */
function useArrows(keys: Readonly<Record<'ArrowLeft' | 'ArrowRight', () => void>> | undefined): void {
  useEffect(() => {
    if (!keys) return;
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft' || key === 'ArrowRight') keys[key]();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}
