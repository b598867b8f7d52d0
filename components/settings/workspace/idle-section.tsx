'use client';

import { useTranslations } from 'use-intl';
import { Select } from '@/components/ui/select';
import { Section } from '../settings-frame';
import type { WorkspaceSettings } from './api';
import { idleChoices, idleMsOf, idleNameOf, useIdleWords } from './idle';
import { SaveBar } from './save-bar';
import { useSetting, type LoadedSettings } from './use-setting';

const pick = ({ policy }: WorkspaceSettings) => policy.idleMs;
const toChange = (idleMs: number | null) => ({ policy: { idleMs } });

/** After how long without use the sessions of the workspace end (SE1). */
export function IdleSection({ loaded }: { loaded: LoadedSettings }) {
  const t = useTranslations('settings.workspace.idle');
  const say = useIdleWords();
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
        {loaded.readOnly ? (
          <p>
            <span className="text-ink-2">{t('label')}</span> {say(setting.draft)}
          </p>
        ) : (
          <Select
            label={t('label')}
            value={idleNameOf(setting.draft)}
            className="sm:w-64"
            options={idleChoices(setting.draft).map((ms) => ({ value: idleNameOf(ms), label: say(ms) }))}
            onValueChange={(name) => setting.edit(idleMsOf(name))}
          />
        )}
        <SaveBar setting={setting} usable say={say} />
      </form>
    </Section>
  );
}
