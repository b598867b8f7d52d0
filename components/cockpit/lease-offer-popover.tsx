'use client';

import { Popover } from 'radix-ui';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import type { XY } from '@/components/viewport/input/page-point';
import { PAGE_FIELD, PAGE_PICTURE } from '@/components/viewport/viewport';
import { useCockpit } from './cockpit-context';
import { useLeaseRequest } from './lease-request-bar';

/**
 * Offers the lease to a person who clicks or types in a page that they do not drive: at the pointer, or at the page's
 * lower edge. That click or key is not sent to the page.
 */
export function LeaseOfferPopover({ at, onClose }: { at: XY | undefined; onClose: () => void }) {
  const t = useTranslations('cockpit.offer');
  const { lease } = useCockpit();
  const anchor = useMemo(
    () => ({
      current: { getBoundingClientRect: () => (at ? new DOMRect(at.x - 6, at.y - 6, 12, 12) : bottomOfPage()) },
    }),
    [at],
  );
  const name = lease.holder?.name ?? '';
  const holder = lease.holder?.kind;
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          aria-label={t('label')}
          data-lease={lease.kind}
          side={at ? 'bottom' : 'top'}
          align={at ? 'start' : 'center'}
          sideOffset={6}
          collisionPadding={8}
          className="z-40 w-[min(340px,calc(100vw-16px))] animate-rise rounded-lg border border-line-strong bg-raised p-3 shadow-pop"
          onPointerDownOutside={(event) => {
            // A press on the picture opens the offer again at the new place, so it must not close it here.
            if (event.target instanceof Element && event.target.closest(`#${PAGE_PICTURE}`)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // An offer without a place came by a key: somebody on a touch screen has a keyboard, too.
            if (at === undefined || window.matchMedia('(pointer: fine)').matches)
              document.getElementById(PAGE_FIELD)?.focus({ preventScroll: true });
          }}
        >
          <p className="font-semibold text-lease">
            <bdi>{holder === undefined ? t('free') : t(holder === 'human' ? 'human' : 'agent', { name })}</bdi>
          </p>
          <p className="mt-0.5 text-sm text-ink-2">
            <bdi>{holder === 'human' ? t('leadHuman', { name }) : t(holder === undefined ? 'lead' : 'leadAgent')}</bdi>
          </p>
          <div className="mt-3 flex justify-end gap-2">
            <Button className={FOR_FINGERS} onClick={onClose}>
              {t('watch')}
            </Button>
            <TakeOrAsk onClose={onClose} />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const FOR_FINGERS = 'pointer-coarse:h-11 pointer-coarse:flex-1';

/**
 * Takes the lease from an agent, or asks the person who holds it; the lease bar then shows the request and its
 * remaining time.
 */
function TakeOrAsk({ onClose }: { onClose: () => void }) {
  const t = useTranslations('cockpit.offer');
  const { lease, changing, take, online } = useCockpit();
  const { send } = useLeaseRequest('request', useTranslations('cockpit.lease')('askFailed'));
  const asks = lease.holder?.kind === 'human';
  const ask = () => {
    send();
    onClose();
  };
  return (
    <Button
      autoFocus
      variant="lease"
      data-lease="human"
      className={FOR_FINGERS}
      busy={changing === 'take'}
      disabled={!online}
      onClick={() => (asks ? ask() : void take())}
    >
      {t(asks ? 'ask' : 'take')}
    </Button>
  );
}

/** The middle of the page's lower edge, in pixels of the window. */
function bottomOfPage(): DOMRect {
  const { left, width, bottom } =
    document.getElementById(PAGE_PICTURE)?.getBoundingClientRect() ??
    new DOMRect(0, 0, window.innerWidth, window.innerHeight);
  return new DOMRect(left + width / 2, Math.min(bottom, window.innerHeight) - 12, 0, 0);
}
