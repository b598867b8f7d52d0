'use client';

import { Lock } from 'lucide-react';
import { useTranslations } from 'use-intl';

/** Over the picture of who holds it privately: nobody else sees it. Presses go through to the page. */
export function PrivateMark() {
  const t = useTranslations('cockpit.private');
  return (
    <p
      data-wheel="human"
      className="pointer-events-none absolute top-6 left-1/2 z-10 flex -translate-x-1/2 items-center max-sm:hidden gap-1.5 rounded-full bg-wheel px-3 py-1 text-xs font-semibold whitespace-nowrap text-on-wheel shadow-pop"
    >
      <Lock aria-hidden className="size-3.5 shrink-0" />
      {t('sign')}
    </p>
  );
}
