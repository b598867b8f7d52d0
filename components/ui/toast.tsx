'use client';

import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';
import { useTranslations } from 'use-intl';

import { PHONE, useMedia } from './use-media';

export { toast } from 'sonner';

/** Position of the toasts: above the bars at the bottom; on a phone below the top bar. See globals.css. */
const OFFSET = { bottom: 'var(--toast-bottom)', right: 'var(--toast-right)', top: 'var(--toast-top)' } as const;

/**
 * The region of toasts, mounted once by the layout. Toasts confirm and report; an error that needs a decision is shown
 * elsewhere, too.
 */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  const t = useTranslations('common');
  const phone = useMedia(PHONE);
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      containerAriaLabel={t('notices')}
      position={phone ? 'top-center' : 'bottom-right'}
      gap={8}
      offset={OFFSET}
      mobileOffset={OFFSET}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-2.5 rounded-md border border-line-strong bg-raised p-3 text-base text-ink shadow-pop font-sans sm:w-[356px]',
          content: 'min-w-0 flex-1',
          title: 'font-medium',
          description: 'mt-0.5 text-ink-2',
          icon: 'mt-px [&_svg]:size-4',
          error: '[&_[data-icon]]:text-stuck',
          success: '[&_[data-icon]]:text-ok',
          actionButton: 'h-7 shrink-0 rounded-sm border border-line-strong px-2.5 text-xs font-medium hover:bg-hover',
        },
      }}
    />
  );
}
