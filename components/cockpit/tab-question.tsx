'use client';

import { useTranslations } from 'use-intl';
import { HelpRequestNote } from '@/components/help/help-request-note';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { toast } from '@/components/ui/toast';
import type { HelpResult } from '@/lib/help/help-request';
import { answersByBack } from './answers-by-back';
import { useCockpit } from './cockpit-context';
import { useAttempt } from './use-attempt';

/**
 * Shows the oldest open help request of the shown tab. A person who took the lease from the asking agent answers by
 * handing it back.
 */
export function TabQuestion() {
  const t = useTranslations('question');
  const client = useSessionClient();
  const attempt = useAttempt();
  const { session, tab, you, live, mine, mayDrive } = useCockpit();
  const questions = tab?.control.questions ?? [];
  // One that another person is on can wait behind one that calls.
  const first = questions.find(({ claimed }) => !claimed || claimed.by.id === you?.id) ?? questions[0];
  if (!tab || !first || !live) return null;
  const claim = (on: boolean) =>
    attempt(
      client.request('control', {
        session: session.id,
        tab: tab.id,
        do: on ? 'claim' : 'unclaim',
        question: first.id,
      }),
      t('claimFailed'),
    );
  const answer = async (result: HelpResult, note: string) => {
    const request = {
      session: session.id,
      tab: tab.id,
      do: 'answer',
      question: first.id,
      result,
      ...(note === '' ? {} : { note }),
    } as const;
    const arrived = await attempt(client.request('control', request), t('failed'));
    if (arrived) toast.success(t('answered', { name: first.by.name }));
    return arrived;
  };
  return (
    <HelpRequestNote
      question={first}
      more={questions.length - 1}
      byHandingBack={mine && answersByBack(tab.control) === first}
      you={you?.id}
      mayAnswer={mayDrive}
      onAnswer={answer}
      onClaim={claim}
    />
  );
}
