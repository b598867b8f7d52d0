'use client';

import { useTranslations } from 'use-intl';
import { useEventLine } from '@/components/messages/use-event-line';
import { Dialog } from '@/components/ui/dialog';
import { rowOfAction } from '@/components/ui/row-of-action';
import type { Receipt } from '@/lib/actions/receipt';
import type { TimelineEvent } from '@/lib/protocol/views';
import { ReceiptView } from './receipt-view';

/** A timeline row of a hand-back, with the receipt that the agent got. */
export type ReceiptEvent = TimelineEvent & { readonly receipt: Receipt };

export function hasReceipt(event: TimelineEvent): event is ReceiptEvent {
  return event.receipt !== undefined;
}

/** Shows the receipt of a hand-back, opened from its timeline row (CO5). */
export function ReceiptDialog({
  event,
  you,
  onClose,
}: {
  event: ReceiptEvent;
  you: string | undefined;
  onClose: () => void;
}) {
  const t = useTranslations('receipt');
  const line = useEventLine();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={<bdi className="break-words">{line(withoutNote(event), you)}</bdi>}
      description={<bdi>{t('lead', { name: event.receipt.to ?? t('agent') })}</bdi>}
      className="sm:w-[min(92vw,620px)]"
      returnFocus={() => rowOfAction(event.id)}
    >
      <ReceiptView receipt={event.receipt} />
    </Dialog>
  );
}

/** Leaves the note out of the title: the dialog shows the whole note in a part of its own. */
function withoutNote(event: ReceiptEvent): TimelineEvent {
  const { said } = event;
  if (said?.code === 'wheelBackNote') return { ...event, said: { code: 'wheelBack', name: said.name } };
  return said?.code === 'wheelGivenNote' ? { ...event, said: { code: 'wheelGiven', name: said.name } } : event;
}
