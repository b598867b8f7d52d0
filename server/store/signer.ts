import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { sha256 } from './chain';

/** The end of a timeline. */
export interface Head {
  readonly session: string;
  readonly seq: number;
  /** Digest of row `seq`. */
  readonly digest: string;
  /** When it was signed, ISO 8601. */
  readonly at: string;
}

export interface SignedHead extends Head {
  /** Base64, as `key` is: the public half in DER. */
  readonly signature: string;
  readonly key: string;
}

/** The public half in the form for clients. */
export interface PublicKey {
  readonly algorithm: 'ed25519';
  /** SPKI in DER, base64. */
  readonly key: string;
  /** SHA-256 of the DER, hex: short enough to be compared by eye or kept elsewhere. */
  readonly fingerprint: string;
}

/** The bytes that PKCS #8 puts before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs with the server's own Ed25519 key (TL1): a holder of the public key can check the signature. */
export class Signer {
  readonly publicKey: PublicKey;
  readonly #secret: KeyObject;
  readonly #public: KeyObject;

  /** @param seed 32 secret bytes, kept outside the database */
  constructor(seed: Buffer) {
    this.#secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.#public = createPublicKey(this.#secret);
    const der = this.#public.export({ format: 'der', type: 'spki' });
    this.publicKey = { algorithm: 'ed25519', key: der.toString('base64'), fingerprint: sha256(der) };
  }

  /** The public half in PEM. */
  get pem(): string {
    return String(this.#public.export({ format: 'pem', type: 'spki' }));
  }

  /** Takes 35 µs (Node 20). Returns base64. */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#secret).toString('base64');
  }

  signHead(head: Head): SignedHead {
    return { ...head, signature: this.sign(headText(head)), key: this.publicKey.key };
  }

  verifies(text: string, signature: string): boolean {
    return verify(null, Buffer.from(text), this.#public, Buffer.from(signature, 'base64'));
  }
}

/** The signed text of a picture: which row it belongs to, and which file it is. */
export function pictureText({
  session,
  seq,
  sha256,
  at,
}: {
  session: string;
  seq: number;
  sha256: string;
  at: string;
}): string {
  return `wheelhouse timeline picture 1\n${session}\n${seq}\n${sha256}\n${at}`;
}

/** The signed text of a head. Exports call the head the end of the timeline. */
export function headText({ session, seq, digest, at }: Head): string {
  return `wheelhouse timeline end 1\n${session}\n${seq}\n${digest}\n${at}`;
}
