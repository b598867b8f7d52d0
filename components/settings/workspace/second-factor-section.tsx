'use client';

import { useTranslations } from 'use-intl';
import { Check } from '@/components/ui/check';
import { Section } from '@/components/ui/section';
import type { WorkspaceSettings } from '@/components/session-client/workspace-api';
import { SettingForm } from './setting-form';
import { useSetting, type LoadedSettings } from './use-setting';

const pick = ({ policy }: WorkspaceSettings) => policy.secondFactor;
const toChange = (secondFactor: boolean) => ({ policy: { secondFactor } });

/** Whether people need a second factor here (AU2). */
export function SecondFactorSection({ loaded }: { loaded: LoadedSettings }) {
  const t = useTranslations('settings.workspace.secondFactor');
  const setting = useSetting(loaded, pick, toChange);
  return (
    <Section title={t('title')} lead={t('lead')}>
      <SettingForm setting={setting} say={(required) => t(required ? 'required' : 'free')}>
        <Check
          label={t('label')}
          hint={t('hint')}
          checked={setting.draft}
          disabled={loaded.readOnly}
          onChange={setting.edit}
        />
      </SettingForm>
    </Section>
  );
}
