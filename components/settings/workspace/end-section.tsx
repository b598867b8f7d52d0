'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { samePageIn } from '@/components/session-client/workspace';
import { Button } from '@/components/ui/button';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { Skeleton } from '@/components/ui/skeleton';
import { useTask } from '@/components/ui/use-task';
import { useLoaded } from '@/components/use-loaded';
import { cleanText } from '@/lib/text/clean';
import { Section } from '@/components/ui/section';
import { workspaceApi, type WorkspaceSettings } from '@/components/session-client/workspace-api';
import { MOST_NAME } from '@/components/shell/name-problem';

/** Ends the workspace: only its owners, never the first one of the server (AU2). */
export function EndSection({ settings, owns }: { settings: WorkspaceSettings; owns: boolean }) {
  const t = useTranslations('settings.workspace.end');
  const [asking, setAsking] = useState(false);
  const refused = settings.first ? t('first') : owns ? undefined : t('owners');
  if (asking && refused !== undefined) setAsking(false);
  return (
    <Section
      title={t('title')}
      lead={refused ?? t('lead')}
      action={
        refused === undefined && (
          <Button variant="danger" onClick={() => setAsking(true)}>
            {t('ask')}
          </Button>
        )
      }
    >
      {asking && <EndDialog name={settings.name} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function EndDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useTranslations('settings.workspace.end');
  const router = useRouter();
  const task = useTask();
  const [typed, setTyped] = useState('');
  const usable = cleanText(typed.normalize('NFC'), MOST_NAME) === name;
  // The page changes within the work: this dialog is gone as soon as the server has cut the connection.
  const end = () =>
    void task.run(async () => {
      await workspaceApi.end();
      // Where they cannot be listed, this page says by itself that its workspace has ended (WorkspaceGate).
      const rest = await workspaceApi.list().catch(() => []);
      const next = rest.find(({ home }) => home) ?? rest[0];
      if (next) router.push(samePageIn(next.id, ''));
      else onClose();
    });
  return (
    <FormDialog
      kind="alert"
      title={<bdi>{t('question', { name })}</bdi>}
      description={t('what')}
      word={t('do')}
      danger
      busy={task.busy}
      usable={usable}
      onSubmit={end}
      onClose={onClose}
    >
      <Counts />
      <Field
        autoFocus
        dir="auto"
        label={
          <>
            {t('type')} <bdi className="font-mono text-sm select-all">{name}</bdi>
          </>
        }
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
    </FormDialog>
  );
}

/** What ends with the workspace. */
function Counts() {
  const t = useTranslations('settings.workspace.end');
  const { data, error } = useLoaded(workspaceApi.counts);
  if (error !== undefined) return <ProblemNote title={t('countFailed')} thrown={error} />;
  if (!data) return <Skeleton className="h-4 w-3/5" />;
  return (
    <ul className="flex list-disc flex-col gap-0.5 pl-5">
      {(['sessions', 'browsers', 'keys', 'invitations', 'members'] as const)
        .filter((what) => data[what] > 0)
        .map((what) => (
          <li key={what}>{t(`count.${what}`, { n: data[what] })}</li>
        ))}
    </ul>
  );
}
