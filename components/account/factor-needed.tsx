'use client';

import { CircleCheck, ShieldAlert } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRights, useWorkspace } from '@/components/session-client/use-session-client';
import { useWorkspacePath } from '@/components/session-client/workspace';
import { Button } from '@/components/ui/button';

/** Says that the workspace waits for a second factor, and leads back to it once there is one. */
export function FactorNeeded() {
  const t = useTranslations('rights.account');
  const rights = useRights();
  const name = useWorkspace()?.name ?? '';
  const wall = useWorkspacePath()('');
  const needed = rights?.withheld === 'SECOND_FACTOR_NEEDED';
  const [was, setWas] = useState(false);
  if (needed && !was) setWas(true);
  if (needed)
    return (
      <div role="alert" className="flex gap-3 rounded-md border border-human/40 bg-human-soft p-3">
        <ShieldAlert aria-hidden className="mt-px size-4 shrink-0 text-human" />
        <p>{t('needed', { name })}</p>
      </div>
    );
  if (!was || !rights) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-panel p-3">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-ok" />
      <p className="min-w-0 flex-1 basis-48">{t('done', { name })}</p>
      <Button asChild>
        <Link href={wall}>{t('open', { name })}</Link>
      </Button>
    </div>
  );
}
