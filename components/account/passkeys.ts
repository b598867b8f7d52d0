'use client';

import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { asWheelhouseError } from '@/lib/errors/error';
import { accountApi } from '@/components/session-client/account-api';
import { useFailure } from './use-failure';

type SignInOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type MakeOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const hasChallenge = (value: unknown) => z.looseObject({ challenge: z.string() }).safeParse(value).success;
const signInOptions = z.custom<SignInOptions>(hasChallenge);
const makeOptions = z.custom<MakeOptions>(hasChallenge);

/** The browser's own refusals: the person closed its dialog, or let it time out; the device has that passkey. */
function refusalOf(thrown: unknown): 'cancelled' | 'exists' | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.name === 'InvalidStateError') return 'exists';
  return thrown.name === 'NotAllowedError' || thrown.name === 'AbortError' ? 'cancelled' : undefined;
}

/** Gives a function that says why a passkey did not work. */
export function usePasskeyProblem(): (thrown: unknown) => string {
  const t = useTranslations('account.passkeyRefused');
  const failure = useFailure();
  return (thrown) => {
    const refusal = refusalOf(thrown);
    return refusal === undefined ? failure('passkey', asWheelhouseError(thrown)) : t(refusal);
  };
}

/** Signs in with a passkey: the browser shows its own dialog. */
export function usePasskeySignIn(onSignedIn: () => void): {
  busy: boolean;
  problem: string | undefined;
  start: () => void;
} {
  const problemOf = usePasskeyProblem();
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false });
  const run = async () => {
    setState({ busy: true });
    try {
      const optionsJSON = signInOptions.parse(await accountApi.passkeyOptions());
      await accountApi.passkey(await startAuthentication({ optionsJSON }));
      onSignedIn();
    } catch (thrown) {
      setState({ busy: false, problem: problemOf(thrown) });
    }
  };
  return { busy: state.busy, problem: state.problem, start: () => void run() };
}

/** The answer of the browser to the server's options for a new passkey. */
export async function makePasskey(options: unknown): Promise<unknown> {
  return startRegistration({ optionsJSON: makeOptions.parse(options) });
}
