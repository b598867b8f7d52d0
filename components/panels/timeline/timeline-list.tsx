'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp, MessageSquareText, ReceiptText } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useAttempt } from '@/components/cockpit/use-attempt';
import { useOpenTalk } from '@/components/comments/talk-state';
import { hasReceipt, ReceiptDialog } from '@/components/receipt/receipt-dialog';
import { useSessionClient, useTimeline } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { useMedia } from '@/components/ui/use-media';
import { ActionPictureDialog } from './action-picture-dialog';
import { hasPicture, ActionPictureThumbnail } from './action-picture';
import type { TimelineRow } from './rows';
import { TimelineEntryRow } from './timeline-entry-row';

const ROW_PIXELS = { fine: 28, coarse: 40 } as const;

/**
 * The timeline, newest first. When a person has scrolled down, new rows do not move the list; a button says how many
 * came.
 */
export function TimelineList({ rows, none, older }: { rows: readonly TimelineRow[]; none: string; older: ReactNode }) {
  const t = useTranslations('cockpit.timeline');
  const { session, you } = useCockpit();
  const [open, setOpen] = useState<string>();
  const openTalk = useOpenTalk(session.id);
  const box = useRef<HTMLDivElement>(null);
  const rowPixels = ROW_PIXELS[useMedia('(pointer: coarse)') ? 'coarse' : 'fine'];
  const [keptSeq, keep] = useState<number>();
  const newer = keptSeq === undefined ? 0 : rows.filter((row) => row.seq > keptSeq).length;
  const shown = rows.slice(newer);
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPixels,
    overscan: 12,
    getItemKey: (index) => shown[index]?.key ?? index,
  });
  const toTop = () => {
    keep(undefined);
    box.current?.scrollTo({ top: 0 });
  };
  const events = rows.map(({ event }) => event);
  const pictured = events.filter(hasPicture);
  const told = events.filter(hasReceipt).find(({ id }) => id === open);
  const at = pictured.findIndex(({ id }) => id === open);
  if (rows.length === 0) {
    return (
      <div>
        <p className="p-4 text-ink-3">{none}</p>
        {older}
      </div>
    );
  }
  return (
    <div className="relative min-h-0 flex-1">
      {newer > 0 && (
        <Button
          size="sm"
          className="absolute top-2 left-1/2 z-10 -translate-x-1/2 rounded-full shadow-pop"
          onClick={toTop}
        >
          <ArrowUp aria-hidden />
          {t('newer', { n: newer })}
        </Button>
      )}
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={t('list')}
        className="size-full overflow-y-auto py-1 focus-visible:-outline-offset-2"
        onScroll={(event) => {
          const away = event.currentTarget.scrollTop > rowPixels;
          if (away !== (keptSeq !== undefined)) keep(away ? shown[0]?.seq : undefined);
        }}
      >
        <ol className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const row = shown[item.index];
            return (
              row && (
                <li
                  key={item.key}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <OpenLine row={row} you={you?.id} session={session.id} onOpen={setOpen} onTalk={openTalk} />
                </li>
              )
            );
          })}
        </ol>
        {older}
      </div>
      {told && <ReceiptDialog event={told} you={you?.id} onClose={() => setOpen(undefined)} />}
      <ActionPictureDialog
        session={session.id}
        you={you?.id}
        event={told ? undefined : pictured[at]}
        newer={pictured[at - 1]}
        older={at < 0 ? undefined : pictured[at + 1]}
        onShow={(event) => setOpen(event?.id)}
      />
    </div>
  );
}

/** A row that opens its receipt, its action picture or its comment. */
function OpenLine({
  row,
  you,
  session,
  onOpen,
  onTalk,
}: {
  row: TimelineRow;
  you: string | undefined;
  session: string;
  onOpen: (id: string) => void;
  onTalk: ReturnType<typeof useOpenTalk>;
}) {
  const t = useTranslations('cockpit.timeline');
  const receipt = useTranslations('receipt');
  const { event } = row;
  const talk = useTranslations('talk');
  const { comment } = event;
  const opens = hasReceipt(event) || hasPicture(event) || comment !== undefined;
  const line = <TimelineEntryRow row={row} you={you} className={cn('h-7 pointer-coarse:h-10', opens && 'pr-14')} />;
  if (!opens) return line;
  return (
    <button
      type="button"
      data-moment={event.id}
      title={comment === undefined ? (hasReceipt(event) ? receipt('open') : t('pictureOpen')) : talk('showThread')}
      className="relative block w-full cursor-pointer text-left hover:bg-hover focus-visible:-outline-offset-2"
      onClick={() => (comment === undefined ? onOpen(event.id) : onTalk({ thread: comment }))}
    >
      {line}
      <span className="absolute inset-y-0 right-3 flex items-center">
        {comment !== undefined && <MessageSquareText aria-hidden className="mx-2.5 size-4 text-ink-3" />}
        {hasReceipt(event) ? (
          <ReceiptText aria-hidden className="mx-2.5 size-4 text-ink-3" />
        ) : (
          hasPicture(event) && <ActionPictureThumbnail key={event.id} session={session} event={event} />
        )}
      </span>
    </button>
  );
}

/** Loads older events, while the page does not have the first one. */
export function OlderButton() {
  const t = useTranslations('cockpit.timeline');
  const common = useTranslations('common');
  const client = useSessionClient();
  const attempt = useAttempt();
  const { session } = useCockpit();
  const timeline = useTimeline(session.id);
  const [busy, setBusy] = useState(false);
  if ((timeline[0]?.seq ?? 0) <= 1) return null;
  const load = async () => {
    setBusy(true);
    await attempt(client.loadOlder(session.id), common('retry'));
    setBusy(false);
  };
  return (
    <div className="flex justify-center p-3">
      <Button size="sm" busy={busy} onClick={() => void load()}>
        {t('older')}
      </Button>
    </div>
  );
}
