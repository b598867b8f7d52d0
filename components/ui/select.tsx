'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { useId, type ReactNode } from 'react';
import { cn } from './cn';

export interface SelectOption<T extends string> {
  value: T;
  label: ReactNode;
}

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  onValueChange: (value: T) => void;
  options: readonly SelectOption<T>[];
  /** `line` puts the label above; `inside` keeps it for screen readers only. */
  labelled?: 'line' | 'inside';
  className?: string;
}

/** One choice out of a short list. */
export function Select<T extends string>({
  label,
  value,
  onValueChange,
  options,
  labelled = 'line',
  className,
}: SelectProps<T>) {
  const id = useId();
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text);
    if (chosen) onValueChange(chosen.value);
  };
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      {labelled === 'line' && (
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
      )}
      <Radix.Root value={value} onValueChange={choose}>
        <Radix.Trigger
          id={id}
          {...(labelled === 'inside' && { 'aria-label': label })}
          className="inline-flex h-8 w-full min-w-0 items-center justify-between gap-2 rounded-sm border border-edge bg-panel px-2.5 text-left text-base focus-visible:outline-offset-0 pointer-coarse:h-10 [&>span]:truncate"
        >
          <Radix.Value />
          <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-rise overflow-hidden rounded-md border border-line-strong bg-raised p-1 shadow-pop"
          >
            <Radix.Viewport>
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-8 cursor-default items-center justify-between gap-4 rounded-sm px-2 text-base outline-none select-none data-highlighted:bg-hover pointer-coarse:h-10"
                >
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  <Radix.ItemIndicator>
                    <Check aria-hidden className="size-4" />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </div>
  );
}
