import type { Clock } from '@/lib/budget/clock';
import { authorOf } from '@/lib/comments/room';
import { isAgentOf, type Credential } from '@/server/access/principal';
import type { SessionLedger } from '@/server/session/ledger';
import { Unacknowledged } from '@/server/session/unacknowledged';

/** The names of one key whose comments are remembered; agents choose their names. */
const MOST_NAMES = 100;

/**
 * Which comments each agent has got (TL3), until the comment is done or removed, or the agent's key ends. Of more than
 * `MOST_NAMES` names of a key the one that got nothing for longest is forgotten.
 */
export class Deliveries {
  /** By agent, the one that got something last at the end. */
  readonly #got = new Map<string, Set<string>>();
  readonly #unacknowledged: Unacknowledged<readonly string[]>;

  /** @param isWaiting whether a comment is there, and neither it nor its thread is done */
  constructor(
    known: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly ledger: Pick<SessionLedger, 'commentsDelivered' | 'forgetDeliveries'>,
    private readonly isWaiting: (comment: string) => boolean,
    clock: Clock,
  ) {
    for (const [agent, ids] of known) this.#got.set(agent, new Set([...ids].filter(isWaiting)));
    this.#unacknowledged = new Unacknowledged(clock, (agent, ids) => this.arrived(agent, ids));
  }

  /** What the agent has got, or will have got when its next action comes. */
  of(agent: string): ReadonlySet<string> {
    return new Set([...(this.#got.get(agent) ?? []), ...this.#unacknowledged.all(agent).flat()]);
  }

  has(agent: string, comment: string): boolean {
    const got = this.#got.get(agent)?.has(comment) ?? false;
    return got || this.#unacknowledged.all(agent).some((ids) => ids.includes(comment));
  }

  /** What went with the reply to this action. */
  with(agent: string, action: string | undefined): readonly string[] {
    return this.#unacknowledged.with(agent, action) ?? [];
  }

  /** These go with the reply to this action. */
  sent(agent: string, action: string, comments: readonly string[]): void {
    this.#unacknowledged.keep(agent, action, comments);
  }

  /** The agent sent another action: it has received what went with earlier replies. */
  heard(agent: string, action: string | undefined): void {
    this.#unacknowledged.heard(agent, action);
  }

  arrived(agent: string, comments: readonly string[]): void {
    const waiting = comments.filter((id) => this.isWaiting(id));
    if (waiting.length === 0) return;
    const before = this.#got.get(agent);
    if (!before) this.#makeRoom(agent);
    this.#got.delete(agent);
    this.#got.set(agent, new Set([...(before ?? []), ...waiting]));
    void this.ledger.commentsDelivered(agent, waiting);
  }

  /** These comments wait for no agent any more. */
  done(comments: readonly string[]): void {
    for (const got of this.#got.values()) for (const id of comments) got.delete(id);
    void this.ledger.forgetDeliveries({ comments });
  }

  keyEnded(key: Credential): void {
    for (const agent of [...this.#got.keys()]) if (isAgentOf(key, agent)) this.#forget(agent);
  }

  #makeRoom(agent: string): void {
    const names = [...this.#got.keys()].filter((one) => authorOf(one) === authorOf(agent));
    if (names.length >= MOST_NAMES && names[0] !== undefined) this.#forget(names[0]);
  }

  #forget(agent: string): void {
    this.#got.delete(agent);
    void this.ledger.forgetDeliveries({ agent });
  }
}
