'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { useConnection, useSessionClient } from '@/components/session-client/use-session-client';
import { takeHash } from '@/components/take-hash';
import { browserStorage } from '@/components/use-stored-choice';
import { asWheelhouseError } from '@/lib/errors/error';
import { guestNameSchema } from '@/lib/links/guest-name';
import { linkRefusalSchema, type LinkRefusal } from '@/lib/links/link-terms';
import { openLink } from './api';

/** Where the name is stored that a guest picked in this browser. */
const NAME = 'wh-guest-name';

export type OpeningState =
  | { readonly state: 'opening' }
  /** `wrong`: the last one was; `late`: too many were. */
  | { readonly state: 'passcode'; readonly problem?: 'wrong' | 'tooOften' }
  | { readonly state: 'failed'; readonly thrown: unknown }
  | { readonly state: 'over'; readonly why: LinkRefusal | 'left' }
  | { readonly state: 'in' };

export interface Visit {
  readonly is: OpeningState;
  /** Opens the link, again after a failure or with a passcode. */
  readonly open: (password?: string) => Promise<void>;
  readonly leave: () => void;
  /** Rejects with WheelhouseError. */
  readonly rename: (name: string) => Promise<void>;
}

/**
 * Opens the share link of this page: with the secret behind the `#`, which then leaves the address, its history and
 * every later request; after a reload with the cookie.
 */
export function useOpening(link: string): Visit {
  const client = useSessionClient();
  const connection = useConnection();
  const secret = useRef<string>(undefined);
  /** Of two attempts only the later one counts. */
  const attempts = useRef(0);
  const [is, set] = useState<OpeningState>({ state: 'opening' });
  const send = useCallback(
    (password?: string): Promise<void> => {
      const attempt = (attempts.current += 1);
      const name = guestNameSchema.safeParse(browserStorage.getItem(NAME)).data;
      return openLink(link, { secret: secret.current, name, password }).then(
        () => {
          if (attempt !== attempts.current) return;
          // From now on the cookie opens it.
          secret.current = undefined;
          client.reconnect();
          set({ state: 'in' });
        },
        (thrown: unknown) => {
          if (attempt === attempts.current) set(refused(thrown, password !== undefined));
        },
      );
    },
    [client, link],
  );
  useEffect(() => {
    const arrived = () => {
      if (!takeSecret(secret)) return;
      set({ state: 'opening' });
      void send();
    };
    takeSecret(secret);
    void send();
    // Somebody who opens the whole address in the same tab changes only what stands behind the `#`.
    window.addEventListener('hashchange', arrived);
    return () => window.removeEventListener('hashchange', arrived);
  }, [send]);
  const open = (password?: string) => {
    if (password === undefined) set({ state: 'opening' });
    return send(password);
  };
  const leave = () => {
    client.stop();
    set({ state: 'over', why: 'left' });
  };
  const rename = async (name: string) => {
    await openLink(link, { name });
    browserStorage.setItem(NAME, name);
    // The server reads the name at the handshake.
    client.reconnect();
  };
  const ended = is.state === 'in' && connection.state === 'link-over';
  return { is: ended ? { state: 'over', why: connection.why } : is, open, leave, rename };
}

/** Takes the secret out of the address; whether there was one. */
function takeSecret(secret: { current: string | undefined }): boolean {
  const found = takeHash();
  if (found !== '') secret.current = found;
  return found !== '';
}

function refused(thrown: unknown, hadPasscode: boolean): OpeningState {
  const { code, details } = asWheelhouseError(thrown);
  const why = linkRefusalSchema.safeParse(details?.['reason']).data;
  if (why === 'passcode') return { state: 'passcode', ...(hadPasscode && { problem: 'wrong' }) };
  if (why !== undefined) return { state: 'over', why };
  if (code === 'RATE_LIMITED' && hadPasscode) return { state: 'passcode', problem: 'tooOften' };
  return { state: 'failed', thrown };
}
