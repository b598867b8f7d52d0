import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const chipClass = cva(
  'inline-flex max-w-full items-center gap-1.5 rounded-full font-semibold whitespace-nowrap [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        /** Coloured by the nearest `data-lease`. */
        lease: 'bg-lease-soft text-lease',
        neutral: 'bg-sel text-ink-2',
        ok: 'bg-ok-soft text-ok',
        danger: 'bg-stuck-soft text-stuck',
      },
      size: {
        sm: 'h-5 px-2 text-2xs [&_svg]:size-3',
        md: 'h-6 px-2.5 text-xs [&_svg]:size-3.5',
      },
    },
    defaultVariants: { tone: 'neutral', size: 'md' },
  },
);

export type ChipProps = ComponentProps<'span'> & VariantProps<typeof chipClass>;

/** A small rounded label: an icon and a word or two. */
export function Chip({ tone, size, className, ...rest }: ChipProps) {
  return <span className={cn(chipClass({ tone, size }), className)} {...rest} />;
}
