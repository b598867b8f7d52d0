import { createHash } from 'node:crypto';

/*
 * The hash chain of a timeline (TL1, TL2): each row's digest covers its payload and the digest before it, and the newest
 * digest is signed (`signer.ts`). `bin/verify/proof.mjs` implements the same in a program that shares no code with the
 * server. Never change what is digested: add a version 2.
 */

/** The digest before the first row. It contains the session's id, so rows of another session do not fit. */
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
