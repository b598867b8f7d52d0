'use client';

import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';
import { useTranslations } from 'use-intl';

export { toast } from 'sonner';

/** Above whatever bar stands at the bottom; see globals.css. */
const TOAST_OFFSET = { bottom: 'var(--toast-bottom)' } as const;

/** Where toasts appear; mounted once by the layout. Toasts confirm and report: never the only place of an error that needs a decision. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  const t = useTranslations('common');
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      containerAriaLabel={t('notices')}
      position="bottom-right"
      gap={8}
      offset={TOAST_OFFSET}
      mobileOffset={TOAST_OFFSET}
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
