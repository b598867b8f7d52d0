'use client';

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { settingsApi } from '@/components/settings/api';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-snippet';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';

export interface KeyMakerProps {
  /** The key made here; kept only while the dialog is open. */
  made: string | undefined;
  onMade: (key: string) => void;
}

/** Makes a key on demand and shows it once. */
export function KeyMaker({ made, onMade }: KeyMakerProps) {
  const t = useTranslations('wall.agent');
  const task = useTask();
  const [name, setName] = useState<string>(t('keyDefault'));
  const make = () =>
    void task.run(
      () => settingsApi.makeKey({ name: name.trim() }),
      ({ key }) => onMade(key),
    );
  if (made !== undefined) return <MadeKey made={made} />;
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') make();
      }}
    >
      <div className="flex items-end gap-2">
        <Field
          label={t('keyName')}
          value={name}
          maxLength={60}
          className="min-w-0 flex-1"
          onChange={(event) => setName(event.target.value)}
        />
        <Button variant="primary" type="submit" busy={task.busy} disabled={name.trim() === ''}>
          <KeyRound aria-hidden />
          {t('keyMake')}
        </Button>
      </div>
      <p className="text-xs text-ink-3">{t('keyWhy')}</p>
      {task.error !== undefined && <ProblemNote title={t('keyFailed')} thrown={task.error} />}
    </form>
  );
}

function MadeKey({ made }: { made: string }) {
  const t = useTranslations('wall.agent');
  return (
    <div role="status" className="rounded-md border border-ok/40 bg-ok-soft p-3">
      <div className="flex items-center gap-2">
        <KeyRound aria-hidden className="size-4 shrink-0 text-ok" />
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{made}</code>
        <CopyButton text={made} />
      </div>
      <p className="mt-1.5 text-xs text-ink-2">{t('keyOnce')}</p>
    </div>
  );
}
