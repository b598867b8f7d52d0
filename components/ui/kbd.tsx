'use client';

import { Fragment, useSyncExternalStore } from 'react';
import { cn } from './cn';

const MAC_SIGNS: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↵' };
const OTHER_SIGNS: Readonly<Record<string, string>> = { Mod: 'Ctrl', Enter: '↵' };
const never = () => () => undefined;

/** Whether the reader's keyboard has a Command key. */
export function useIsMac(): boolean {
  return useSyncExternalStore(
    never,
    () => /Mac|iPhone|iPad/.test(navigator.userAgent),
    () => false,
  );
}

/** Keys to press together. `Mod` is Command on Apple machines and Ctrl elsewhere. */
export function Kbd({
  keys,
  inverse = false,
  className,
}: {
  keys: readonly string[];
  inverse?: boolean;
  className?: string;
}) {
  const mac = useIsMac();
  const signs = mac ? MAC_SIGNS : OTHER_SIGNS;
  return (
    <span className={cn('inline-flex items-center gap-0.5 font-sans', className)}>
      {keys.map((key) => (
        <Fragment key={key}>
          <kbd
            className={cn(
              'inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-xs border px-1 font-sans text-2xs font-medium',
              inverse ? 'border-panel/30 text-panel' : 'border-line-strong bg-hover text-ink-2',
            )}
          >
            {signs[key] ?? key}
          </kbd>
        </Fragment>
      ))}
    </span>
  );
}
