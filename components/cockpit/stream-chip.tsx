'use client';

import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import type { StreamSaid } from './stream-word';

const DOTS = { ok: 'bg-ok', quiet: 'bg-idle', warn: 'bg-human' } as const;

/** State of the stream (FR5): live, still, behind, paused, lost. */
export function StreamChip({ said, className }: { said: StreamSaid; className?: string }) {
  const t = useTranslations('cockpit.stream');
  return (
    <span
      role="status"
      className={cn(
        'inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap',
        said.tone === 'warn' ? 'text-human' : 'text-ink-2',
        className,
      )}
    >
      <span aria-hidden className={cn('size-1.5 rounded-full', DOTS[said.tone])} />
      {t(said.word, { seconds: said.seconds })}
    </span>
  );
}
