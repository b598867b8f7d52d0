'use client';

import { Popover } from 'radix-ui';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { PAGE_FIELD, PAGE_PICTURE } from '@/components/viewport/viewport';
import { useCockpit } from './cockpit-context';
import { useFirstClick, type FirstClickParts } from './use-first-click';

/**
 * Offers the wheel right at the pointer to somebody who clicked a page that they do not drive; the click is made when
 * they get it.
 */
export function FirstClick(parts: FirstClickParts) {
  const t = useTranslations('cockpit.firstClick');
  const { wheel, tab } = useCockpit();
  const { phase, take, ask, stop } = useFirstClick(parts);
  const { x, y } = parts.press.at;
  const pointer = useMemo(
    () => ({ current: { getBoundingClientRect: () => new DOMRect(x - 6, y - 6, 12, 12) } }),
    [x, y],
  );
  const name = wheel.holder?.name ?? '';
  const other = wheel.holder?.kind === 'human';
  const asking = phase === 'asking';
  const lead = other ? t('leadHuman', { name }) : wheel.holder ? t('lead', { name }) : undefined;
  return (
    <Popover.Root open onOpenChange={(open) => !open && stop()}>
      <Popover.Anchor virtualRef={pointer} />
      <Popover.Portal>
        <Popover.Content
          aria-label={t('label')}
          data-wheel={wheel.kind}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 w-[min(320px,calc(100vw-16px))] animate-rise overflow-hidden rounded-lg border border-line-strong bg-raised p-3 shadow-pop"
          onPointerDownOutside={(event) => {
            // Another press on the picture is another offer, not the end of this one.
            if (event.target instanceof Element && event.target.closest(`#${PAGE_PICTURE}`)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (window.matchMedia('(pointer: fine)').matches)
              document.getElementById(PAGE_FIELD)?.focus({ preventScroll: true });
          }}
        >
          <p className="font-semibold">
            <bdi>{asking ? t('waiting', { name }) : other ? t('askHuman', { name }) : t('ask')}</bdi>
          </p>
          {!asking && lead !== undefined && (
            <p className="mt-0.5 text-sm text-ink-2">
              <bdi>{lead}</bdi>
            </p>
          )}
          <div className="mt-3 flex justify-end gap-2">
            <Button className="pointer-coarse:h-11 pointer-coarse:flex-1" onClick={stop}>
              {t(asking ? 'stop' : 'notNow')}
            </Button>
            {!asking && (
              <Button
                autoFocus
                variant="wheel"
                data-wheel="human"
                className="pointer-coarse:h-11 pointer-coarse:flex-1"
                busy={phase === 'busy'}
                onClick={() => void (other ? ask() : take())}
              >
                {t(other ? 'request' : 'take')}
              </Button>
            )}
          </div>
          {asking && (
            <span
              aria-hidden
              className="absolute inset-x-0 bottom-0 h-0.5 origin-left animate-run-out bg-wheel"
              style={{ animationDuration: `${tab?.control.asked?.ms ?? 0}ms` }}
            />
          )}
        </Popover.Content>
      </Popover.Portal>
      <span
        aria-hidden
        className="pointer-events-none fixed z-30 size-3 rounded-full border-2 border-focus bg-focus/20"
        style={{ left: x - 6, top: y - 6 }}
      />
    </Popover.Root>
  );
}
