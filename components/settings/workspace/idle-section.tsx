'use client';

import { useTranslations } from 'use-intl';
import { Select } from '@/components/ui/select';
import { Section } from '@/components/ui/section';
import type { WorkspaceSettings } from '@/components/session-client/workspace-api';
import { SettingForm } from './setting-form';
import { useSetting, type LoadedSettings } from './use-setting';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Limits to choose from, milliseconds; null: none. */
const CHOICES = [null, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, DAY_MS, 7 * DAY_MS] as const;

/** The limits to choose from, with one that was set by the API at its place. */
function idleChoices(present: number | null): readonly (number | null)[] {
  if (CHOICES.some((one) => one === present)) return CHOICES;
  return [...CHOICES, present].sort((a, b) => (a ?? 0) - (b ?? 0));
}

function idleNameOf(ms: number | null): string {
  return ms === null ? 'never' : `${ms}`;
}

function idleMsOf(name: string): number | null {
  return name === 'never' ? null : Number(name);
}

/** A limit in words, in the largest unit that is whole. */
function useIdleWords(): (ms: number | null) => string {
  const t = useTranslations('settings.workspace.idle');
  return (ms) => {
    if (ms === null) return t('never');
    if (ms % DAY_MS === 0) return t('days', { n: ms / DAY_MS });
    return ms % HOUR_MS === 0 ? t('hours', { n: ms / HOUR_MS }) : t('minutes', { n: Math.round(ms / MINUTE_MS) });
  };
}

const pick = ({ policy }: WorkspaceSettings) => policy.idleMs;
const toChange = (idleMs: number | null) => ({ policy: { idleMs } });

/** After how long without use the sessions of the workspace end (SE1). */
export function IdleSection({ loaded }: { loaded: LoadedSettings }) {
  const t = useTranslations('settings.workspace.idle');
  const say = useIdleWords();
  const setting = useSetting(loaded, pick, toChange);
  return (
    <Section title={t('title')} lead={t('lead')}>
      <SettingForm setting={setting} say={say}>
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
      </SettingForm>
    </Section>
  );
}
