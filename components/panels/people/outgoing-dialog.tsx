'use client';

import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { draftOf, policyOf, type PolicyDraft } from '@/components/egress/policy-draft';
import { PolicyChoice } from '@/components/egress/policy-choice';
import { sessionPolicyApi } from '@/components/egress/session-policy-api';
import { TryAddress } from '@/components/egress/try-address';
import { usePolicyWords } from '@/components/egress/use-policy-words';
import { ListState } from '@/components/settings/settings-frame';
import type { EgressPolicy } from '@/lib/egress/policy';
import { workspaceApi } from '@/components/settings/workspace/api';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { DialogButtons } from '@/components/ui/dialog-buttons';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';
import { useLoaded } from '@/components/use-loaded';

/** Where the pages of a session may go: its moderators change it, the others read it (GU1). Mounted only while open. */
export function OutgoingDialog({ session, onClose }: { session: string; onClose: () => void }) {
  const t = useTranslations('cockpit.outgoing');
  const common = useTranslations('common');
  const say = usePolicyWords();
  const { data, error } = useLoaded(useCallback(() => sessionPolicyApi.view(session), [session]));
  /** With the policy that was shown when the edit began. */
  const [typed, setTyped] = useState<{ draft: PolicyDraft; seen: EgressPolicy | null }>();
  const task = useTask();
  const draft = typed?.draft ?? (data && draftOf(data.egress));
  const seen = typed ? typed.seen : (data?.egress ?? null);
  const egress = draft && policyOf(draft);
  const readOnly = data?.mayChange !== true;
  const save = () =>
    void (egress && !readOnly && task.run(() => sessionPolicyApi.change(session, egress, seen), onClose));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('title')}
      description={t(readOnly && data ? 'readOnly' : 'lead')}
      className="sm:w-[min(94vw,560px)]"
      footer={
        readOnly ? (
          <Button variant="primary" onClick={onClose}>
            {common('close')}
          </Button>
        ) : (
          <DialogButtons
            form="outgoing-form"
            word={t('save')}
            busy={task.busy}
            usable={egress !== undefined}
            onClose={onClose}
          />
        )
      }
    >
      {data && draft ? (
        <form
          id="outgoing-form"
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <PolicyChoice
            of="session"
            draft={draft}
            readOnly={readOnly}
            onChange={(changed) => setTyped({ draft: changed, seen })}
          />
          {data.workspace && data.workspace.kind !== 'local' && (
            <p className="text-ink-2">
              {t('workspace')} <bdi>{say(draftOf(data.workspace))}</bdi>
            </p>
          )}
          <div className="border-t border-line pt-4">
            <TryAddress
              key={JSON.stringify(egress)}
              check={egress && ((url) => workspaceApi.check(url, { session: egress }))}
            />
          </div>
          {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
        </form>
      ) : (
        <ListState loading error={error} failed={t('loadFailed')} />
      )}
    </Dialog>
  );
}
