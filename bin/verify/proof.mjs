/**
 * Verifies the digests and signatures of an export of a timeline or of a workspace's log. Shares no code with the
 * server that wrote it.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** The digest before the first row. @param {object | undefined} end of a session's timeline, or a workspace's log */
export const digestBefore = (end) =>
  sha256(
    end?.workspace === undefined
      ? `wheelhouse timeline 1\n${end?.session}`
      : `wheelhouse workspace log 1\n${end.workspace}`,
  );

/** @param {string} payload the row as it stands in the file, without its proof, byte for byte */
export const digestOf = (before, payload) => sha256(`${before}\n${payload}`);

/** Does the signature fit the end of a timeline or of a log? @param {object} end as in the file */
export function isSigned({ workspace, session, seq, digest, at, signature, key }) {
  try {
    const whole = workspace === undefined ? `timeline end 1\n${session}` : `workspace log end 1\n${workspace}`;
    const text = `wheelhouse ${whole}\n${seq}\n${digest}\n${at}`;
    return (
      isBase64(key) &&
      isBase64(signature) &&
      verify(null, Buffer.from(text), publicKey(key), Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

/** Was this picture signed for this row? @param {object} picture as in the file */
export function isPictureSigned({ sha256, at, signature }, { session, seq, key }) {
  try {
    const text = `wheelhouse timeline picture 1\n${session}\n${seq}\n${sha256}\n${at}`;
    return isBase64(signature) && verify(null, Buffer.from(text), publicKey(key), Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** True for canonical base64: the same bytes have several spellings, of which exports use one. */
const isBase64 = (text) => Buffer.from(text, 'base64').toString('base64') === text;

/** @param {string} key SPKI in DER, base64 */
const publicKey = (key) => createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });

/** SHA-256 of the key's bytes, which is what names a key. @param {string} key base64 */
export const fingerprintOf = (key) => sha256(Buffer.from(key, 'base64'));

/**
 * @param {string} text a PEM file, the base64 of a key, or a fingerprint
 * @returns {string | undefined} the fingerprint
 */
export function readKey(text) {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return trimmed.toLowerCase();
  try {
    const key = trimmed.startsWith('-----') ? createPublicKey(trimmed) : publicKey(trimmed);
    return sha256(key.export({ format: 'der', type: 'spki' }));
  } catch {
    return undefined;
  }
}
