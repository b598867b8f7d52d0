'use client';

import { useId, type ReactNode } from 'react';
import { cn } from './cn';

export interface CheckProps {
  label: ReactNode;
  /** Help below the label. */
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  className?: string;
  onChange: (checked: boolean) => void;
}

const boxClass = 'mt-px size-4 shrink-0 accent-ink disabled:opacity-55 pointer-coarse:size-5';

/** A checkbox with a label and a line of help. */
export function Check({ label, hint, checked, disabled, className, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className={cn('flex items-start gap-2.5', className)}>
      <input
        id={id}
        type="checkbox"
        className={boxClass}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Words id={id} label={label} hint={hint} dim={disabled} />
    </div>
  );
}

export interface RadioChoice<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Shown below while it is chosen. */
  readonly more?: ReactNode;
}

export interface RadiosProps<T extends string> {
  legend: ReactNode;
  choices: readonly RadioChoice<T>[];
  value: T;
  disabled?: boolean;
  className?: string;
  onChange: (value: T) => void;
}

/** One choice out of a few, all of them in sight with a line of help. */
export function Radios<T extends string>({ legend, choices, value, disabled, className, onChange }: RadiosProps<T>) {
  const name = useId();
  return (
    <fieldset className={className} disabled={disabled}>
      <legend className="mb-2 font-medium">{legend}</legend>
      <div className="flex flex-col gap-2.5">
        {choices.map((choice) => (
          <div key={choice.value} className="flex items-start gap-2.5">
            <input
              id={`${name}-${choice.value}`}
              type="radio"
              name={name}
              className={boxClass}
              checked={choice.value === value}
              aria-describedby={choice.hint ? `${name}-${choice.value}-hint` : undefined}
              onChange={() => onChange(choice.value)}
            />
            <div className="min-w-0 flex-1">
              <Words id={`${name}-${choice.value}`} label={choice.label} hint={choice.hint} dim={disabled} />
              {choice.value === value && choice.more}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Words({ id, label, hint, dim }: { id: string; label: ReactNode; hint: ReactNode; dim: boolean | undefined }) {
  return (
    <div className={cn('min-w-0', dim && 'opacity-70')}>
      <label htmlFor={id} className="cursor-pointer">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}
