'use client';

import { SearchX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';

/** Sessions exist, but none fits the search and filters. */
export function NoneFits({ onClear }: { onClear: () => void }) {
  const t = useTranslations('wall');
  return (
    <div className="grid place-items-center gap-1 rounded-lg border border-dashed border-line-strong px-4 py-16 text-center">
      <SearchX aria-hidden className="mb-2 size-6 text-ink-3" />
      <h2 className="text-md font-semibold">{t('none.title')}</h2>
      <p className="text-ink-2">{t('none.lead')}</p>
      <Button className="mt-3" onClick={onClear}>
        {t('filters.clear')}
      </Button>
    </div>
  );
}
