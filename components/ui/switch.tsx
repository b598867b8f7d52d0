'use client';

import { Switch as Radix } from 'radix-ui';
import { useId, type ReactNode } from 'react';

export interface SwitchProps {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** An on/off setting with its label. */
export function Switch({ label, checked, onCheckedChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onCheckedChange}
        className="relative h-5 w-9 shrink-0 rounded-full border border-edge bg-sel transition-colors disabled:opacity-55 data-[state=checked]:border-ink data-[state=checked]:bg-ink"
      >
        <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-ink-2 transition-transform data-[state=checked]:translate-x-[18px] data-[state=checked]:bg-panel" />
      </Radix.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
