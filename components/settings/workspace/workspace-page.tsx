'use client';

import { Lock } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useNameWorkspace, useRights } from '@/components/session-client/use-session-client';
import { useLoaded } from '@/components/use-loaded';
import { administers } from '@/lib/rights/roles';
import { SettingsFrame } from '../settings-frame';
import { ListState } from '@/components/ui/section';
import { workspaceApi } from '@/components/session-client/workspace-api';
import { EgressSection } from './egress-section';
import { EndSection } from './end-section';
import { IdleSection } from './idle-section';
import { NameSection } from './name-section';
import { SecondFactorSection } from './second-factor-section';
import type { LoadedSettings } from './use-setting';

/** What the admins of a workspace set for all of it; the others read it (AU2). */
export function WorkspacePage() {
  const t = useTranslations('settings.workspace');
  const { data: settings, error, reload, take } = useLoaded(workspaceApi.settings);
  const name = useNameWorkspace();
  useEffect(() => {
    if (settings) name(settings.name);
  }, [settings, name]);
  return (
    <SettingsFrame page="general" title={t('title')} lead={t('lead')}>
      {settings ? (
        <WorkspaceSections settings={settings} take={take} reload={reload} />
      ) : (
        <ListState loading error={error} failed={t('failed')} />
      )}
    </SettingsFrame>
  );
}

/** The sections, for the role that this person has now, which may change while the page is open (AU3). */
export function WorkspaceSections({ settings, take, reload }: Omit<LoadedSettings, 'readOnly'>) {
  const t = useTranslations('settings.workspace');
  const rights = useRights();
  const role = rights ? rights.role : settings.role;
  const readOnly = !role || !administers(role);
  const loaded = { settings, readOnly, take, reload };
  return (
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
      <EndSection settings={settings} owns={role === 'owner'} />
    </>
  );
}
