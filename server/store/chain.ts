import { createHash } from 'node:crypto';

/*
 * The hash chain of a timeline (TL1, TL2): each row's digest covers its payload and the digest before it, the newest digest is signed
 * (`signer.ts`). `bin/verify/proof.mjs` says the same in a program that shares nothing with the server. Never change what is digested:
 * make a version 2.
 */

/** The digest before the first row. It names the session, so no row of another one fits. */
export function digestBefore(session: string): string {
  return sha256(`wheelhouse timeline 1\n${session}`);
}

/** @param payload the row as it is stored, byte for byte */
export function digestOf(before: string, payload: string): string {
  return sha256(`${before}\n${payload}`);
}

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
