'use client';

import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { cn } from './cn';
import { IconButton } from './icon-button';
import { useCopy, type CopyState } from './use-copy';

const ICONS = { idle: Copy, copied: Check, failed: TriangleAlert } as const;
const NAMES = { idle: 'copy', copied: 'copied', failed: 'copyFailed' } as const satisfies Record<CopyState, string>;

/** A button that copies `text` and says so. */
export function CopyButton({ text, className }: { text: string; className?: string }) {
  const t = useTranslations('common');
  const { state, copy } = useCopy();
  const Icon = ICONS[state];
  return (
    <>
      <IconButton label={t(NAMES[state])} size="icon-sm" side="left" className={cn(state === 'copied' && 'text-ok', className)} onClick={() => void copy(text)}>
        <Icon aria-hidden />
      </IconButton>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : t(NAMES[state])}
      </span>
    </>
  );
}

/** Code to take away: one block, scrolled sideways rather than wrapped, with its copy button. `label` names it for screen readers. */
export function CopySnippet({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <div className={cn('relative min-w-0 rounded-md border border-line bg-bg', className)}>
      <pre tabIndex={0} role="region" aria-label={label} className="max-h-72 overflow-auto p-3 pr-11 font-mono text-xs leading-[18px] text-ink">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} className="absolute top-1.5 right-1.5 bg-bg" />
    </div>
  );
}
