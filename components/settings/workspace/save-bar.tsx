'use client';

import { GitCompareArrows } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Setting } from './use-setting';

export interface SaveBarProps<T> {
  setting: Setting<T>;
  /** Whether the draft can be saved. */
  usable: boolean;
  /** A value in words. */
  say: (value: T) => ReactNode;
}

/** Below a setting that was changed: save or undo; or whose change holds, when another admin was faster. */
export function SaveBar<T>({ setting, usable, say }: SaveBarProps<T>) {
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
    <div role="alert" className="flex gap-3 rounded-md border border-human/40 bg-human-soft p-3">
      <GitCompareArrows aria-hidden className="mt-px size-4 shrink-0 text-human" />
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
    </div>
  );
}
