'use client';

import { useTranslations } from 'use-intl';
import { api } from '@/components/session-client/api';
import { Button, type ButtonProps } from '@/components/ui/button';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';

/** Keeps a session that is about to end because nobody uses it (SE1). Shows a failure as a toast. */
export function StayButton({ session, ...rest }: { session: string } & Pick<ButtonProps, 'size' | 'className'>) {
  const t = useTranslations('cockpit.idle');
  const fail = useProblemToast();
  const { busy, run } = useTask();
  const stay = () => void run(() => api.stay(session).catch((thrown: unknown) => fail(t('stayFailed'), thrown)));
  return (
    <Button variant="primary" busy={busy} onClick={stay} {...rest}>
      {t('stay')}
    </Button>
  );
}
