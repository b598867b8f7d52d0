'use client';

import { useMemo } from 'react';
import type { SessionView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { sessionNameMessage } from '@/lib/messages/session-name';
import { useMessageText } from './use-message-text';

/** Puts default session names into the reader's language. The same session gives the same object. */
export function useNamedSession(): (session: SessionView) => SessionView {
  const say = useMessageText();
  return useMemo(() => rememberNames(say), [say]);
}

function rememberNames(say: (said: Message) => string): (session: SessionView) => SessionView {
  const named = new WeakMap<SessionView, SessionView>();
  return (session) => {
    const said = sessionNameMessage(session.name);
    if (!said) return session;
    const own = named.get(session) ?? { ...session, name: say(said) };
    named.set(session, own);
    return own;
  };
}
