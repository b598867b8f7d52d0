'use client';

import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { cn } from './cn';
import { IconButton } from './icon-button';
import { useCopy, type CopyState } from './use-copy';

const ICONS = { idle: Copy, copied: Check, failed: TriangleAlert } as const;
const NAMES = { idle: 'copy', copied: 'copied', failed: 'copyFailed' } as const satisfies Record<CopyState, string>;

/** A button that copies `text` and shows the result. */
export function CopyButton({ text, className }: { text: string; className?: string }) {
  const t = useTranslations('common');
  const { state, copy } = useCopy();
  const Icon = ICONS[state];
  return (
    <>
      <IconButton
        label={t(NAMES[state])}
        size="icon-sm"
        side="left"
        className={cn(state === 'copied' && 'text-ok', className)}
        onClick={() => void copy(text)}
      >
        <Icon aria-hidden />
      </IconButton>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : t(NAMES[state])}
      </span>
    </>
  );
}

export interface CopySnippetProps {
  code: string;
  /** Name for screen readers. */
  label: string;
  /** `sm` for narrow places. Long lines are scrolled sideways, never wrapped. */
  size?: 'sm' | 'md';
  className?: string;
}

/** Code with a copy button. */
export function CopySnippet({ code, label, size = 'md', className }: CopySnippetProps) {
  return (
    <div className={cn('flex min-w-0 items-start rounded-md border border-line bg-bg', className)}>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cn(
          'max-h-96 min-w-0 flex-1 overflow-auto rounded-md p-3 font-mono leading-[18px] text-ink [scrollbar-width:thin]',
          size === 'sm' ? 'text-2xs' : 'text-xs',
        )}
      >
        <code>{code}</code>
      </pre>
      <CopyButton text={code} className="m-1.5 ml-0" />
    </div>
  );
}
