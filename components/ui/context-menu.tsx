'use client';

import { ContextMenu as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { itemClass, popClass } from './menu';

/** A context menu: right button, long press or menu key. Not modal, like `Menu`. */
export function ContextMenu(props: Omit<ComponentProps<typeof Primitive.Root>, 'modal'>) {
  return <Primitive.Root modal={false} {...props} />;
}

/** Wraps the element that has the menu. */
export function ContextMenuTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger asChild {...props} />;
}

export function ContextMenuContent(props: Omit<ComponentProps<typeof Primitive.Content>, 'className'>) {
  return (
    <Primitive.Portal>
      <Primitive.Content collisionPadding={8} className={popClass} {...props} />
    </Primitive.Portal>
  );
}

export function ContextMenuItem(props: Omit<ComponentProps<typeof Primitive.Item>, 'className'>) {
  return <Primitive.Item className={itemClass} {...props} />;
}

export function ContextMenuSeparator() {
  return <Primitive.Separator className="mx-1 my-1 h-px bg-line" />;
}
