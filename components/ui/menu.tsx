'use client';

import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

/** Classes of an item and of the popup, for both kinds of menu. */
export const itemClass =
  'flex h-8 w-full cursor-default items-center gap-2 rounded-sm px-2 text-base text-ink outline-none select-none data-disabled:text-ink-3 data-disabled:opacity-70 data-highlighted:bg-hover pointer-coarse:h-10 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3';

export const popClass =
  'z-50 min-w-44 animate-rise overflow-y-auto rounded-md border border-line-strong bg-raised p-1 shadow-pop';

/**
 * A dropdown menu. Not modal: a modal menu hides the rest of the page from screen readers while parts of it stay
 * focusable.
 */
export function Menu(props: Omit<ComponentProps<typeof DropdownMenu.Root>, 'modal'>) {
  return <DropdownMenu.Root modal={false} {...props} />;
}

/** Wraps one button: `<MenuTrigger><Button/></MenuTrigger>`. */
export function MenuTrigger({ children }: { children: ReactNode }) {
  return <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>;
}

export function MenuContent({
  className,
  align = 'end',
  sideOffset = 6,
  ...rest
}: ComponentProps<typeof DropdownMenu.Content>) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(popClass, 'max-h-(--radix-dropdown-menu-content-available-height)', className)}
        {...rest}
      />
    </DropdownMenu.Portal>
  );
}

export type MenuItemProps = ComponentProps<typeof DropdownMenu.Item> & { danger?: boolean };

export function MenuItem({ danger = false, className, ...rest }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={cn(itemClass, danger && 'text-stuck data-highlighted:bg-stuck-soft [&_svg]:text-stuck', className)}
      {...rest}
    />
  );
}

export const MenuRadioGroup = DropdownMenu.RadioGroup;

export function MenuRadioItem({ className, children, ...rest }: ComponentProps<typeof DropdownMenu.RadioItem>) {
  return (
    <DropdownMenu.RadioItem className={cn(itemClass, 'justify-between gap-6', className)} {...rest}>
      <span className="flex items-center gap-2">{children}</span>
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden className="text-ink!" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  );
}

export function MenuCheckItem({ className, children, ...rest }: ComponentProps<typeof DropdownMenu.CheckboxItem>) {
  return (
    <DropdownMenu.CheckboxItem className={cn(itemClass, 'justify-between gap-6', className)} {...rest}>
      <span className="flex items-center gap-2">{children}</span>
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden className="text-ink!" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof DropdownMenu.Label>) {
  return <DropdownMenu.Label className={cn('px-2 pt-1.5 pb-1 text-xs font-medium text-ink-3', className)} {...rest} />;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}
