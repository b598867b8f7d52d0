import { createHmac, timingSafeEqual } from 'node:crypto';

/** What one link of a session's chain covers: everything of the row but its own hash. */
export interface Link {
  readonly workspace: string;
  readonly session: string;
  readonly seq: number;
  readonly event_id: string;
  readonly phase: string;
  readonly kind: string;
  readonly actor: string;
  readonly payload: string;
  readonly prev_hash: string;
}

export interface Head {
  readonly workspace: string;
  readonly session: string;
  readonly seq: number;
  readonly hash: string;
}

/** The hash before the first row. */
export const GENESIS = '0'.repeat(64);

/**
 * The keyed hash chain of a timeline (TL1, T21): without the key nobody can make a link, or a head that fits another
 * length.
 */
export class Chain {
  readonly #key: Buffer;

  /** @param key 32 secret bytes, kept outside the database. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  hash(link: Link): string {
    const { workspace, session, seq, event_id, phase, kind, actor, payload, prev_hash } = link;
    return this.#mac(['link', workspace, session, seq, event_id, phase, kind, actor, payload, prev_hash]);
  }

  /** Signs the end of the chain, so that a cut tail shows. */
  seal(head: Head): string {
    return this.#mac(['head', head.workspace, head.session, head.seq, head.hash]);
  }

  /** Signs how many rows there are in all timelines together. */
  count(rows: number): string {
    return this.#mac(['count', rows]);
  }

  /** Constant-time comparison of two hashes in hex. */
  same(a: string, b: string): boolean {
    const left = Buffer.from(a, 'hex');
    const right = Buffer.from(b, 'hex');
    return left.length === 32 && right.length === 32 && timingSafeEqual(left, right);
  }

  /** JSON of an array is unambiguous: no two different links give the same text. */
  #mac(parts: readonly (string | number)[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex');
  }
}
