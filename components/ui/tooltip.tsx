'use client';

import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Kbd } from './kbd';

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={350} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

export interface TooltipProps {
  /** The text; the tooltip stays hidden when it is empty. */
  text: ReactNode;
  /** Keys with the same effect, such as `['Mod', 'K']`. */
  keys?: readonly string[];
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}

/** A short name or explanation for the only child. The child must already have an accessible name. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  if (!text) return <>{children}</>;
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-fade items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs font-medium text-panel"
        >
          {text}
          {keys && <Kbd keys={keys} inverse />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
