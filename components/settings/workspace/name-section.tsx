'use client';

import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/field';
import { Section } from '@/components/ui/section';
import type { WorkspaceSettings } from '@/components/session-client/workspace-api';
import { SettingForm } from './setting-form';
import { useNameProblem } from '@/components/shell/name-problem';
import { useSetting, type LoadedSettings } from './use-setting';

const pick = ({ name }: WorkspaceSettings) => name;
const toChange = (name: string) => ({ name });

/** The name of the workspace. */
export function NameSection({ loaded }: { loaded: LoadedSettings }) {
  const t = useTranslations('settings.workspace.name');
  const setting = useSetting(loaded, pick, toChange);
  const wrong = useNameProblem(setting.draft);
  const problem = setting.changed ? wrong : undefined;
  return (
    <Section title={t('title')} lead={t('lead')}>
      <SettingForm setting={setting} usable={!problem} say={(name) => t('quoted', { name })}>
        <Field
          label={t('label')}
          value={setting.draft}
          dir="auto"
          readOnly={loaded.readOnly}
          problem={problem}
          onChange={(event) => setting.edit(event.target.value)}
        />
      </SettingForm>
    </Section>
  );
}
