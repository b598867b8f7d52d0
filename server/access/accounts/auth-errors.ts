import { APIError } from 'better-auth/api';
import { WheelhouseError } from '@/lib/errors/error';
import type { ErrorCode } from '@/lib/errors/codes';

/** Our own code for a passkey that did not verify its user. */
export const USER_NOT_VERIFIED = 'USER_NOT_VERIFIED';

const LOCK_MS = 900_000;
/** The person starts again with their password. */
const AGAIN = { again: 'password' };
const TOO_LATE = 'This took too long, or was done already. Sign in with your password again.';

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The caller compares their clock with the server's, which codes depend on. */
  readonly clock?: true;
}

/** What errors of better-auth mean for the caller, by their code. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  INVALID_EMAIL_OR_PASSWORD: { code: 'UNAUTHENTICATED', message: 'The address or the password is wrong.' },
  INVALID_PASSWORD: {
    code: 'FORBIDDEN',
    message: 'This is not your present password. Choose a new one first if you have forgotten it.',
    details: { proof: 'password' },
  },
  INVALID_CODE: {
    code: 'UNAUTHENTICATED',
    message: 'This code is wrong. Take the one that is shown now.',
    clock: true,
  },
  INVALID_BACKUP_CODE: { code: 'UNAUTHENTICATED', message: 'This recovery code is wrong, or was used already.' },
  INVALID_TWO_FACTOR_COOKIE: { code: 'UNAUTHENTICATED', message: TOO_LATE, details: AGAIN },
  TOTP_NOT_ENABLED: { code: 'UNAUTHENTICATED', message: TOO_LATE, details: AGAIN },
  BACKUP_CODES_NOT_ENABLED: { code: 'UNAUTHENTICATED', message: TOO_LATE, details: AGAIN },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    code: 'UNAUTHENTICATED',
    message: 'Five codes were wrong. Sign in with your password again.',
    clock: true,
    details: AGAIN,
  },
  CHALLENGE_NOT_FOUND: { code: 'UNAUTHENTICATED', message: 'This took too long, or was done already. Try again.' },
  PASSKEY_NOT_FOUND: { code: 'UNAUTHENTICATED', message: 'This passkey is not known here.' },
  AUTHENTICATION_FAILED: { code: 'UNAUTHENTICATED', message: 'This passkey could not be verified.' },
  FAILED_TO_VERIFY_REGISTRATION: { code: 'UNAUTHENTICATED', message: 'This passkey could not be verified.' },
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: {
    code: 'UNAUTHENTICATED',
    message: 'This passkey was begun by somebody else.',
  },
  [USER_NOT_VERIFIED]: {
    code: 'UNAUTHENTICATED',
    message: 'This passkey did not check who uses it: it needs a PIN, a fingerprint or a face.',
  },
  ACCOUNT_TEMPORARILY_LOCKED: {
    code: 'RATE_LIMITED',
    message: 'Too many wrong codes for this account. Try again in a quarter of an hour, or sign in with a passkey.',
    details: { retryInMs: LOCK_MS },
  },
};

/**
 * The error for the caller. better-auth's own messages are not passed on; an error that is not listed stays what it is,
 * a fault of ours.
 *
 * @param now the time of the server
 * @param signedIn the caller is signed in, and stays so: what is not proved is forbidden
 */
export function meaningOf(thrown: unknown, now: Date, signedIn: boolean): unknown {
  const meaning = thrown instanceof APIError ? MEANINGS[thrown.body?.code ?? ''] : undefined;
  if (!meaning) return thrown;
  const details = { ...(meaning.clock && { now: now.toISOString() }), ...meaning.details };
  const code = signedIn && meaning.code === 'UNAUTHENTICATED' ? 'FORBIDDEN' : meaning.code;
  return new WheelhouseError(code, meaning.message, { details, cause: thrown });
}

/** The sign-ins of the person have ended since they gave their password, or they have another one. */
export function tooLate(): WheelhouseError {
  return new WheelhouseError('UNAUTHENTICATED', TOO_LATE, { details: AGAIN });
}

/** Of a server with PASSWORD_SIGN_IN=false. */
export function noPasswords(): WheelhouseError {
  return new WheelhouseError('UNSUPPORTED', 'Passwords are switched off on this server.', {
    hint: 'Sign in in another way; the page of the sign-in shows which there are.',
  });
}
