'use client';

import { Copy } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { renderSVG } from 'uqr';
import { SecretOnce } from '@/components/settings/secret-once';
import { Button } from '@/components/ui/button';
import { useCopy } from '@/components/ui/use-copy';
import type { NewLink } from '@/lib/links/link-view';
import { useEnd } from '@/components/messages/use-end';

/** The address of a new link, shown once: to copy, and as a QR code for a phone. */
export function MadeLinkView({ link }: { link: NewLink }) {
  const t = useTranslations('share');
  const common = useTranslations('common');
  const time = useEnd(link.expiresAt);
  const { state, copy } = useCopy();
  const picture = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(link.url, { border: 2 }))}`,
    [link.url],
  );
  return (
    <section aria-label={t('made')} className="flex flex-col gap-3">
      <h3 className="font-medium">{t('made')}</h3>
      <SecretOnce kind="link" secret={link.url}>
        {t(link.password ? 'oncePasscode' : 'once', { time })}
      </SecretOnce>
      <div className="flex flex-wrap items-center gap-4 max-sm:flex-col">
        <img src={picture} alt={t('qr')} className="size-40 shrink-0 rounded-md bg-white" />
        <Button autoFocus variant="primary" size="lg" className="max-sm:w-full" onClick={() => void copy(link.url)}>
          <Copy aria-hidden />
          {state === 'copied' ? common('copied') : t('copy')}
        </Button>
      </div>
    </section>
  );
}
