'use client';

import { GitCompareArrows } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { AttentionNote } from '@/components/ui/attention-note';
import { Button } from '@/components/ui/button';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Setting } from './use-setting';

interface SaveBarProps<T> {
  setting: Setting<T>;
  /** Whether the draft can be saved. */
  usable?: boolean;
  /** A value in words. */
  say: (value: T) => ReactNode;
}

/** The form of one setting: its fields, the bar that saves it, and what stands below. */
export function SettingForm<T>({
  children,
  below,
  ...bar
}: SaveBarProps<T> & { children: ReactNode; below?: ReactNode }) {
  const { setting, usable = true } = bar;
  return (
    <form
      className="flex max-w-[64ch] flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (usable) setting.save();
      }}
    >
      {children}
      <SaveBar {...bar} />
      {below}
    </form>
  );
}

/** Below a setting that was changed: save or undo; or whose change holds, when another admin was faster. */
function SaveBar<T>({ setting, usable = true, say }: SaveBarProps<T>) {
  const t = useTranslations('settings.workspace');
  const { theirs, changed, busy, error, choose } = setting;
  return (
    <>
      {error !== undefined && <ProblemNote title={t('saveFailed')} thrown={error} />}
      {theirs && <Overtaken value={say(theirs.value)} choose={choose} />}
      {changed && !theirs && (
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={busy} disabled={!usable}>
            {t('save')}
          </Button>
          <Button onClick={() => choose('theirs')}>{t('undo')}</Button>
        </div>
      )}
    </>
  );
}

function Overtaken({ value, choose }: { value: ReactNode; choose: (whose: 'mine' | 'theirs') => void }) {
  const t = useTranslations('settings.workspace.overtaken');
  return (
    <AttentionNote role="alert" icon={GitCompareArrows}>
      <div className="min-w-0 flex-1">
        <p className="font-medium text-human">{t('title')}</p>
        <p className="mt-0.5 break-words">
          {t('now')} <bdi>{value}</bdi>
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button onClick={() => choose('mine')}>{t('mine')}</Button>
          <Button onClick={() => choose('theirs')}>{t('theirs')}</Button>
        </div>
      </div>
    </AttentionNote>
  );
}
