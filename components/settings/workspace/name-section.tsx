'use client';

import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/field';
import { Section } from '../settings-frame';
import type { WorkspaceSettings } from './api';
import { SaveBar } from './save-bar';
import { useNameProblem } from './use-name-problem';
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
      <form
        className="flex max-w-[64ch] flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) setting.save();
        }}
      >
        <Field
          label={t('label')}
          value={setting.draft}
          dir="auto"
          readOnly={loaded.readOnly}
          problem={problem}
          onChange={(event) => setting.edit(event.target.value)}
        />
        <SaveBar setting={setting} usable={!problem} say={(name) => t('quoted', { name })} />
      </form>
    </Section>
  );
}
