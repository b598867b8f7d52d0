'use client';

import { useTranslations } from 'use-intl';
import { Check } from '@/components/ui/check';
import { Section } from '../settings-frame';
import type { WorkspaceSettings } from './api';
import { SaveBar } from './save-bar';
import { useSetting, type LoadedSettings } from './use-setting';

const pick = ({ policy }: WorkspaceSettings) => policy.secondFactor;
const toChange = (secondFactor: boolean) => ({ policy: { secondFactor } });

/** Whether people need a second factor here (AU2). */
export function SecondFactorSection({ loaded }: { loaded: LoadedSettings }) {
  const t = useTranslations('settings.workspace.secondFactor');
  const setting = useSetting(loaded, pick, toChange);
  return (
    <Section title={t('title')} lead={t('lead')}>
      <form
        className="flex max-w-[64ch] flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setting.save();
        }}
      >
        <Check
          label={t('label')}
          hint={t('hint')}
          checked={setting.draft}
          disabled={loaded.readOnly}
          onChange={setting.edit}
        />
        <SaveBar setting={setting} usable say={(required) => t(required ? 'required' : 'free')} />
      </form>
    </Section>
  );
}
