'use client';

import { useMemo } from 'react';
import type { SessionView } from '@/lib/protocol/views';
import type { Said } from '@/lib/said/said';
import { saidOfSessionName } from '@/lib/said/session-name';
import { useSaid } from './use-said';

/** Puts the name of a session that nobody named into the reader's language. The same session gives the same object. */
export function useNamedSession(): (session: SessionView) => SessionView {
  const say = useSaid();
  return useMemo(() => rememberNames(say), [say]);
}

function rememberNames(say: (said: Said) => string): (session: SessionView) => SessionView {
  const named = new WeakMap<SessionView, SessionView>();
  return (session) => {
    const said = saidOfSessionName(session.name);
    if (!said) return session;
    const own = named.get(session) ?? { ...session, name: say(said) };
    named.set(session, own);
    return own;
  };
}
