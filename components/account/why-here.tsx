'use client';

import { TriangleAlert } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { isErrorCode } from '@/lib/errors/codes';

const REASONS = ['UNAUTHENTICATED', 'UNSUPPORTED', 'TIMEOUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN'] as const;

/**
 * Says what went wrong before this page opened: a used sign-in link (`?used`), or a failure of the provider
 * (`?oidc=<code>`). `connecting`: on the account page, which a failed connection with the provider leads to.
 */
export function WhyHere({ connecting = false }: { connecting?: boolean }) {
  const t = useTranslations('account');
  const query = useSearchParams();
  const code = query.get('oidc') ?? '';
  const failed = connecting ? 'page.provider.failed' : 'oidcFailed';
  const reason =
    query.has('used') && !connecting ? t('usedLink') : code === '' ? undefined : t(`${failed}.${reasonOf(code)}`);
  if (reason === undefined) return null;
  return (
    <div role="alert" className="flex gap-3 rounded-md border border-human/40 bg-human-soft p-3">
      <TriangleAlert aria-hidden className="mt-px size-4 shrink-0 text-human" />
      <p>{reason}</p>
    </div>
  );
}

/** The key of the sentence for a failure of the provider. */
function reasonOf(code: string): (typeof REASONS)[number] {
  return REASONS.find((one) => isErrorCode(code) && one === code) ?? 'UNAUTHENTICATED';
}
