import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const buttonClass = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 border font-medium whitespace-nowrap select-none transition-colors disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'border-ink bg-ink text-panel hover:border-ink-2 hover:bg-ink-2',
        secondary: 'border-line-strong bg-raised text-ink hover:bg-hover',
        ghost:
          'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink data-[state=open]:bg-sel data-[state=open]:text-ink',
        danger: 'border-stuck bg-stuck text-(--on-stuck) hover:brightness-110',
        /** Filled with the colour of the nearest `data-lease`. */
        lease: 'border-lease bg-lease font-semibold text-on-lease hover:brightness-110',
      },
      size: {
        sm: 'h-7 rounded-sm px-2.5 text-xs pointer-coarse:h-9 pointer-coarse:px-3 [&_svg]:size-3.5',
        md: 'h-8 rounded-sm px-3 text-base pointer-coarse:h-10 [&_svg]:size-4',
        lg: 'h-9 rounded-md px-4 text-base pointer-coarse:h-11 [&_svg]:size-4',
        xl: 'h-11 rounded-md px-5 text-md font-semibold [&_svg]:size-[18px]',
        icon: 'size-8 rounded-sm p-0 pointer-coarse:size-10 [&_svg]:size-4',
        'icon-sm': 'size-7 rounded-sm p-0 pointer-coarse:size-9 [&_svg]:size-4',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonClass> & {
    /** Renders the only child (a link, a Radix trigger) with the looks of a button. */
    asChild?: boolean;
    /** Shows a spinner, keeps the focus and refuses clicks. */
    busy?: boolean;
  };

/**
 * The button of the interface. Icon-only sizes need an `aria-label`; see `IconButton`, which also shows it as a
 * tooltip.
 */
export function Button({
  variant,
  size,
  asChild,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const classes = cn(buttonClass({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type}
      className={classes}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
    </button>
  );
}
