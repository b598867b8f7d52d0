'use client';

import { Lock } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useNameWorkspace } from '@/components/session-client/use-session-client';
import { useLoaded } from '@/components/use-loaded';
import { administers } from '@/lib/rights/roles';
import { ListState, SettingsFrame } from '../settings-frame';
import { workspaceApi } from './api';
import { EgressSection } from './egress-section';
import { EndSection } from './end-section';
import { IdleSection } from './idle-section';
import { NameSection } from './name-section';
import { SecondFactorSection } from './second-factor-section';

/** What the admins of a workspace set for all of it; the others read it (AU2). */
export function WorkspacePage() {
  const t = useTranslations('settings.workspace');
  const { data: settings, error, reload, take } = useLoaded(workspaceApi.settings);
  const name = useNameWorkspace();
  useEffect(() => {
    if (settings) name(settings.name);
  }, [settings, name]);
  const readOnly = !settings?.role || !administers(settings.role);
  const loaded = settings && { settings, readOnly, take, reload };
  return (
    <SettingsFrame page="general" title={t('title')} lead={t('lead')}>
      {loaded ? (
        <>
          {readOnly && (
            <p role="note" className="flex items-center gap-2.5 rounded-md border border-line bg-raised px-3 py-2">
              <Lock aria-hidden className="size-4 shrink-0 text-ink-3" />
              {t('readOnly')}
            </p>
          )}
          <NameSection loaded={loaded} />
          <EgressSection loaded={loaded} />
          <IdleSection loaded={loaded} />
          <SecondFactorSection loaded={loaded} />
          <EndSection loaded={loaded} />
        </>
      ) : (
        <ListState loading error={error} failed={t('failed')} />
      )}
    </SettingsFrame>
  );
}
