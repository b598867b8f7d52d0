'use client';

import { useTranslations } from 'use-intl';
import { draftOf, policyOf, usePolicyWords, type PolicyDraft } from '@/components/egress/policy-draft';
import { PolicyChoice } from '@/components/egress/policy-choice';
import { TryAddress } from '@/components/egress/try-address';
import { Section } from '@/components/ui/section';
import { workspaceApi, type WorkspaceSettings } from '@/components/session-client/workspace-api';
import { SettingForm } from './setting-form';
import { useSetting, type LoadedSettings } from './use-setting';

const pick = ({ policy }: WorkspaceSettings) => draftOf(policy.egress);
const toChange = (draft: PolicyDraft) => {
  const egress = policyOf(draft);
  return { policy: egress ? { egress } : {} };
};

/** Where the pages of the workspace may go (GU1). */
export function EgressSection({ loaded }: { loaded: LoadedSettings }) {
  const t = useTranslations('settings.workspace.egress');
  const say = usePolicyWords();
  const setting = useSetting(loaded, pick, toChange);
  const egress = policyOf(setting.draft);
  return (
    <Section title={t('title')} lead={t('lead')}>
      <SettingForm
        setting={setting}
        usable={egress !== undefined}
        say={say}
        below={
          <div className="border-t border-line pt-4">
            <TryAddress
              key={JSON.stringify(egress)}
              // Only admins try a policy that is not saved.
              check={egress && ((url) => workspaceApi.check(url, setting.changed ? { egress } : {}))}
            />
            {setting.changed && egress && <p className="mt-1.5 text-xs text-ink-3">{t('tryUnsaved')}</p>}
          </div>
        }
      >
        <PolicyChoice of="workspace" draft={setting.draft} readOnly={loaded.readOnly} onChange={setting.edit} />
      </SettingForm>
    </Section>
  );
}
