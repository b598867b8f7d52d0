'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from './cn';
import { IconButton } from './icon-button';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One sentence under the title. */
  description?: ReactNode;
  /** `alert` for confirmations that must be answered: it has no close button. */
  kind?: 'dialog' | 'alert';
  className?: string;
  /** The element to focus after closing, when the element that opened the dialog (such as a menu item) is gone. */
  returnFocus?: () => HTMLElement | null;
  /** Buttons, right aligned at the bottom. */
  footer?: ReactNode;
  children?: ReactNode;
}

/** A modal dialog with focus trap and Escape; on a phone it is a sheet at the bottom edge. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  kind = 'dialog',
  className,
  returnFocus,
  footer,
  children,
}: DialogProps) {
  const t = useTranslations('common');
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          role={kind === 'alert' ? 'alertdialog' : 'dialog'}
          onOpenAutoFocus={focusContent}
          onCloseAutoFocus={(event) => {
            const target = returnFocus?.();
            if (!target) return;
            event.preventDefault();
            target.focus();
          }}
          {...(!description && { 'aria-describedby': undefined })}
          className={cn(
            'fixed z-40 flex max-h-[92dvh] animate-rise flex-col overflow-hidden border border-line-strong bg-panel shadow-pop outline-none',
            'inset-x-0 bottom-0 rounded-t-xl',
            'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(92vw,480px)] sm:-translate-1/2 sm:rounded-lg',
            className,
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-base text-ink-2">{description}</Radix.Description>
              )}
            </div>
            {kind === 'dialog' && (
              <IconButton
                label={t('close')}
                size="icon-sm"
                className="-mt-0.5 -mr-1.5"
                onClick={() => onOpenChange(false)}
              >
                <X aria-hidden />
              </IconButton>
            )}
          </header>
          {children && <div className="min-h-0 overflow-y-auto px-5 pb-4">{children}</div>}
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line bg-bg px-5 py-3">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the dialog itself unless a part has autofocus: a focused close button would show its tooltip at once. */
function focusContent(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}
