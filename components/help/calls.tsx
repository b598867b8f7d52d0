'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessions, useWallWatch } from '@/components/session-client/use-session-client';
import { useCallNotices, useCallSound } from './call-settings';
import { ToldComments } from '@/components/comments/unread';
import type { SessionView } from '@/lib/protocol/views';
import { sessionPath } from '@/components/session-client/workspace';
import { SeenCalls, openCalls, type HelpCall } from './new-calls';
import { playChime } from './chime';

/**
 * Reports new help requests and comments for this person on every page, by sound and by notification as far as these
 * are switched on (CO6).
 */
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
  const says = useTranslations('talk');
  const [book] = useState(() => new SeenCalls());
  const [told] = useState(() => new ToldComments());
  const [shown] = useState(() => new Map<string, Notification>());
  const tell = useEffectEvent((calls: readonly HelpCall[], commented: readonly SessionView[]) => {
    if (calls.length === 0 && commented.length === 0) return;
    if (sound) playChime();
    if (!notices || document.hasFocus()) return;
    for (const call of calls) {
      const open = () => router.push(sessionPath(call.session));
      const notice = notify(t('asks', { name: call.name }), call, open);
      if (notice) shown.set(call.id, notice);
    }
    for (const { id, name, comments } of commented) {
      const body = says('unread', { n: comments?.mine ?? 1 });
      notify(says('forYou', { session: name }), { id: `comments ${id}`, reason: body }, () =>
        router.push(sessionPath(id)),
      );
    }
  });
  useEffect(() => {
    if (!sessions) return;
    const calls = openCalls(sessions);
    closeOthers(shown, calls);
    tell(book.fresh(calls), told.fresh(sessions));
  }, [book, told, shown, sessions]);
  return null;
}

/** Closes the notifications of requests that call nobody any more: a person is on it, or it is closed. */
function closeOthers(shown: Map<string, Notification>, calls: readonly HelpCall[]): void {
  const calling = new Set(calls.filter(({ claimed }) => !claimed).map(({ id }) => id));
  for (const [id, notice] of shown)
    if (!calling.has(id)) {
      notice.close();
      shown.delete(id);
    }
}

/**
 * Shows one notification for each help request, also when several windows are open: the browser shows only one of a
 * tag.
 */
function notify(
  title: string,
  { id, reason }: Pick<HelpCall, 'id' | 'reason'>,
  open: () => void,
): Notification | undefined {
  try {
    const notice = new Notification(title, { body: reason, tag: id });
    notice.addEventListener('click', () => {
      window.focus();
      open();
      notice.close();
    });
    return notice;
  } catch (refused) {
    // Phones allow notifications from service workers only, and throw a TypeError.
    if (!(refused instanceof TypeError)) throw refused;
    return undefined;
  }
}
