'use client';

import { useId, type ComponentProps, type ReactNode } from 'react';
import { cn } from './cn';

const boxClass =
  'h-8 w-full min-w-0 rounded-sm border border-edge bg-panel px-2.5 text-base text-ink placeholder:text-ink-3 disabled:opacity-55 aria-invalid:border-stuck focus-visible:outline-offset-0 pointer-coarse:h-10 max-sm:text-lg';

/**
 * A text box without a label; give it an `aria-label` or use `Field`. 16 px on phones, so that their browsers do not
 * zoom in.
 */
export function TextBox({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(boxClass, className)} autoComplete="off" spellCheck={false} {...rest} />;
}

export interface FieldProps extends ComponentProps<'input'> {
  label: ReactNode;
  /** Help below the box. */
  hint?: ReactNode;
  /** What is wrong and how to correct it; replaces the hint. */
  problem?: ReactNode;
}

/** A labelled text box with help and error text tied to it. */
export function Field({ label, hint, problem, className, ...rest }: FieldProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <TextBox
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...rest}
      />
      {note && (
        <p
          id={`${id}-note`}
          role={problem ? 'alert' : undefined}
          className={cn('text-xs', problem ? 'text-stuck' : 'text-ink-3')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
