'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessions, useWallWatch } from '@/components/session-client/use-session-client';
import { useCallNotices, useCallSound } from './call-settings';
import { SeenCalls, openCalls, type HelpCall } from './new-calls';
import { playChime } from './chime';

/** Reports new help requests on every page, by sound and by notification as far as these are switched on (CO6). */
export function Calls() {
  const sound = useCallSound();
  const notices = useCallNotices();
  return sound.on || notices.on ? <Calling sound={sound.on} notices={notices.on} /> : null;
}

function Calling({ sound, notices }: { sound: boolean; notices: boolean }) {
  useWallWatch();
  const sessions = useSessions();
  const t = useTranslations('question');
  const router = useRouter();
  const [book] = useState(() => new SeenCalls());
  const tell = useEffectEvent((calls: readonly HelpCall[]) => {
    if (calls.length === 0) return;
    if (sound) playChime();
    if (notices && !document.hasFocus())
      for (const call of calls)
        notify(t('asks', { name: call.name }), call, () =>
          router.push(`/sessions/${encodeURIComponent(call.session)}`),
        );
  });
  useEffect(() => {
    if (sessions) tell(book.fresh(openCalls(sessions)));
  }, [book, sessions]);
  return null;
}

/**
 * Shows one notification for each help request, also when several windows are open: the browser shows only one of a
 * tag.
 */
function notify(title: string, { id, reason }: HelpCall, open: () => void): void {
  try {
    const notice = new Notification(title, { body: reason, tag: id });
    notice.addEventListener('click', () => {
      window.focus();
      open();
      notice.close();
    });
  } catch (refused) {
    // Phones allow notifications from service workers only, and throw a TypeError.
    if (!(refused instanceof TypeError)) throw refused;
  }
}
