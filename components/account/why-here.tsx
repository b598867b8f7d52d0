'use client';

import { TriangleAlert } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { AttentionNote } from '@/components/ui/attention-note';
import { ProblemNote } from '@/components/ui/problem-note';
import { isErrorCode } from '@/lib/errors/codes';
import { asWheelhouseError } from '@/lib/errors/error';

const REASONS = ['UNAUTHENTICATED', 'UNSUPPORTED', 'TIMEOUT', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN'] as const;
/** Of these a page knows what to do next; the cure of other errors comes with them. */
const OF_THE_PROVIDER = ['UNSUPPORTED', 'TIMEOUT'] as const;

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
    <AttentionNote role="alert" icon={TriangleAlert}>
      <p>{reason}</p>
    </AttentionNote>
  );
}

/** The key of the sentence for a failure of the provider. */
function reasonOf(code: string): (typeof REASONS)[number] {
  return REASONS.find((one) => isErrorCode(code) && one === code) ?? 'UNAUTHENTICATED';
}

/** Says why the way to the provider did not begin. */
export function ProviderProblem({ thrown, connecting = false }: { thrown: unknown; connecting?: boolean }) {
  const t = useTranslations('account');
  const { code } = asWheelhouseError(thrown);
  const known = OF_THE_PROVIDER.find((one) => one === code);
  return (
    <ProblemNote
      title={t(connecting ? 'page.provider.notBegun' : 'notBegun')}
      thrown={thrown}
      say={known && t(`${connecting ? 'page.provider.failed' : 'oidcFailed'}.${known}`)}
    />
  );
}
