'use client';

import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { BrowserGone } from './browser-gone';
import { useCockpit } from './cockpit-context';
import { useTabActions } from './use-tab-actions';
import { PAGE_PANEL } from './tab-item';

/** The session has no open tab. */
export function NoTab() {
  const t = useTranslations('cockpit');
  const { live } = useCockpit();
  const deeds = useTabActions();
  if (!live) {
    return (
      <div id={PAGE_PANEL} className="relative flex-1 bg-bg">
        <BrowserGone />
      </div>
    );
  }
  return (
    <div id={PAGE_PANEL} className="grid flex-1 place-items-center bg-bg p-6 text-center">
      <div>
        <p className="text-md font-semibold">{t('page.noTab')}</p>
        <p className="mt-1 text-ink-2">{t('page.noTabLead')}</p>
        <Button className="mt-4" onClick={() => void deeds.open()}>
          <Plus aria-hidden />
          {t('tabs.new')}
        </Button>
      </div>
    </div>
  );
}
