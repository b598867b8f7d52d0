'use client';

import { Globe } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { draftOf, policyOf, usePolicyWords, type PolicyDraft } from '@/components/egress/policy-draft';
import { PolicyChoice } from '@/components/egress/policy-choice';
import { TryAddress } from '@/components/egress/try-address';
import { ListState } from '@/components/ui/section';
import { call } from '@/components/session-client/api';
import { egressPolicySchema, type EgressPolicy } from '@/lib/egress/policy';
import { workspaceApi } from '@/components/session-client/workspace-api';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { FormDialog } from '@/components/ui/form-dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';
import { useLoaded } from '@/components/use-loaded';

/** Where the pages of this session may go, in a sentence, and the way to see and change it (GU1). */
export function OutgoingSection() {
  const t = useTranslations('cockpit.outgoing');
  const { session } = useCockpit();
  // The pages of an attached Chrome do not use our proxy.
  const is = session.egress?.state === 'advisory' ? 'advisory' : (session.narrowed ?? 'workspace');
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-4 py-2">
      <Globe aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 text-ink-2">{t(`is.${is}`)}</p>
      <OutgoingButton />
    </div>
  );
}

/** Opens the outgoing access of this session. Not in an attached Chrome, where no policy can be enforced. */
export function OutgoingButton() {
  const t = useTranslations('cockpit.outgoing');
  const { session } = useCockpit();
  const [open, setOpen] = useState(false);
  if (session.egress?.state === 'advisory') return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open && <OutgoingDialog session={session.id} onClose={() => setOpen(false)} />}
    </>
  );
}

const policySchema = z.object({
  /** Its own; null: all that the workspace allows. */
  egress: egressPolicySchema.nullable(),
  workspace: egressPolicySchema.nullable(),
  mayChange: z.boolean(),
});

const path = (session: string) => `/sessions/${encodeURIComponent(session)}/policy`;

/** Where the pages of a session may go. */
const sessionPolicyApi = {
  view: (session: string) => call('GET', path(session), policySchema),
  /** `seen`: the policy that was shown; CONFLICT when another moderator has changed it meanwhile. */
  change: (session: string, egress: EgressPolicy, seen: EgressPolicy | null) =>
    call('PATCH', path(session), policySchema, { egress, seen }),
} as const;

const WIDE = 'sm:w-[min(94vw,560px)]';

/** Where the pages of a session may go: its moderators change it, the others read it (GU1). Mounted only while open. */
function OutgoingDialog({ session, onClose }: { session: string; onClose: () => void }) {
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
  const policy =
    data && draft ? (
      <>
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
      </>
    ) : (
      <ListState loading error={error} failed={t('loadFailed')} />
    );
  if (readOnly)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={t('title')}
        description={t(data ? 'readOnly' : 'lead')}
        className={WIDE}
        footer={
          <Button variant="primary" onClick={onClose}>
            {common('close')}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">{policy}</div>
      </Dialog>
    );
  return (
    <FormDialog
      title={t('title')}
      description={t('lead')}
      className={WIDE}
      word={t('save')}
      busy={task.busy}
      usable={egress !== undefined}
      onSubmit={() => void (egress && task.run(() => sessionPolicyApi.change(session, egress, seen), onClose))}
      onClose={onClose}
    >
      {policy}
      {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
    </FormDialog>
  );
}
