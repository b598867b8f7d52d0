'use client';

import { ShieldAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { WorkspaceEntry } from '@/components/session-client/workspace-api';

/** Marks a workspace in a list that waits for a second factor of this person (AU2). */
export function FactorMark({ workspace: { withheld } }: { workspace: WorkspaceEntry }) {
  const t = useTranslations('shell.workspaces');
  if (withheld !== 'SECOND_FACTOR_NEEDED') return null;
  return (
    <span className="flex shrink-0 items-center gap-1 text-xs text-human">
      <ShieldAlert aria-hidden className="size-3.5 shrink-0" />
      {t('waits')}
    </span>
  );
}
