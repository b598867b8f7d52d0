'use client';

import { Button, type ButtonProps } from './button';
import { Tooltip, type TooltipProps } from './tooltip';

export type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'size' | 'asChild'> & {
  /** Accessible name, also shown as the tooltip. */
  label: string;
  size?: 'icon' | 'icon-sm';
  keys?: TooltipProps['keys'];
  side?: TooltipProps['side'];
};

/** An icon-only button, whose name is its accessible name and its tooltip. */
export function IconButton({ label, keys, side, size = 'icon', variant = 'ghost', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys && { keys })} {...(side && { side })}>
      <Button aria-label={label} size={size} variant={variant} {...rest} />
    </Tooltip>
  );
}
