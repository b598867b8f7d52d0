'use client';

import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const Tabs = Radix.Root;
export const TabsContent = Radix.Content;

/** Needs an `aria-label`. */
export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn('flex items-center gap-0.5 overflow-x-auto', className)} {...rest} />;
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-sm px-2.5 font-medium text-ink-2 transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:bg-sel data-[state=active]:text-ink pointer-coarse:h-9 [&_svg]:size-3.5',
        className,
      )}
      {...rest}
    />
  );
}
