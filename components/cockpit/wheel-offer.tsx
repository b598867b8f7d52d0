'use client';

import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { PAGE_FIELD } from '@/components/viewport/viewport';
import { useCockpit } from './cockpit-context';

/** Shown calmly over the page when somebody who does not drive clicks or types in it. What they did is not repeated. */
export function WheelOffer({ onClose }: { onClose: () => void }) {
  const t = useTranslations('cockpit.offer');
  const { wheel, changing, take, online } = useCockpit();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const takeAndType = async () => {
    if ((await take()) && window.matchMedia('(pointer: fine)').matches) document.getElementById(PAGE_FIELD)?.focus();
  };
  const name = wheel.holder?.name ?? '';
  const other = wheel.holder?.kind === 'human';
  const who = wheel.holder ? t(other ? 'human' : 'agent', { name }) : t('free');
  const lead = other ? t('leadHuman') : t(wheel.holder ? 'leadAgent' : 'lead');
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-0 z-20 flex justify-center p-3">
      <section
        role="dialog"
        aria-label={t('label')}
        data-wheel={wheel.kind}
        className="pointer-events-auto flex max-w-full animate-rise flex-wrap items-center gap-x-5 gap-y-3 rounded-lg border border-line-strong bg-raised py-3 pr-3 pl-4 shadow-pop"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <div className="min-w-0">
          <p className="font-semibold text-wheel">
            <bdi>{who}</bdi>
          </p>
          <p className="max-w-96 text-ink-2">{lead}</p>
        </div>
        <div className="flex gap-2">
          {!other && (
            <Button
              ref={first}
              variant="wheel"
              data-wheel="human"
              busy={changing === 'take'}
              disabled={!online}
              onClick={() => void takeAndType()}
            >
              {t('take')}
            </Button>
          )}
          <Button {...(other && { ref: first })} onClick={onClose}>
            {t('watch')}
          </Button>
        </div>
      </section>
    </div>
  );
}
