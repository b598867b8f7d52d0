import { BoundedMap } from '@/lib/async/bounded-map';
import { joinReceipts, type Receipt } from '@/lib/actions/receipt';
import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { Logger } from '@/server/telemetry/logger';
import { Unacknowledged } from '@/server/session/unacknowledged';
import type { SessionLedger } from '@/server/session/ledger';

/**
 * Agents of one session for whom something may wait; who has waited longest is forgotten first. Each has one, and that
 * is bounded.
 */
const MOST_WAITING = 100;

export interface ReceiptOutboxDeps {
  /** Those of the last run. */
  readonly known: readonly ReceiptRecord[];
  readonly ledger: Pick<SessionLedger, 'saveReceipt' | 'forgetReceipts'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * What agents have not been told yet of the work of people (CO5). Stored until it is certain that they were, so that a
 * restart of the server loses none.
 */
export class ReceiptOutbox {
  readonly #waiting: BoundedMap<string, Receipt>;
  readonly #unacknowledged: Unacknowledged<Receipt>;
  readonly #closed = new Set<string>();

  constructor(private readonly deps: ReceiptOutboxDeps) {
    this.#waiting = new BoundedMap(MOST_WAITING, (participant) => this.#drop(participant));
    this.#unacknowledged = new Unacknowledged(deps.clock, (participant) => this.#tidy(participant));
    for (const { participant, receipt } of deps.known) this.#waiting.set(participant, receipt);
  }

  /**
   * Gives the agent this one, together with what it has not heard yet. The function takes it back. Throws STORE_BUSY.
   */
  async put(participant: string, receipt: Receipt): Promise<() => void> {
    const before = this.#waiting.get(participant);
    await this.#store(participant, joined([before, receipt]));
    if (this.closed(participant)) {
      this.#drop(participant);
      return () => undefined;
    }
    // What waited may have been told meanwhile.
    this.#set(participant, joined([this.#waiting.get(participant), receipt]));
    return () => {
      this.#set(participant, before);
      this.#quietly(participant, 'a receipt of a hand-back that did not happen is still stored', () =>
        this.#store(participant, this.#waiting.get(participant)),
      );
    };
  }

  /**
   * What waits for this agent, and what went with replies of which it is not certain that they arrived; it waits on.
   */
  of(participant: string): Receipt | undefined {
    return joined([...this.#unacknowledged.all(participant), this.#waiting.get(participant)]);
  }

  /**
   * What goes with the reply to this action: what waits, and what went with it before. Without an id of its sender it
   * is not asked for again.
   */
  tell(participant: string, action: string | undefined): Receipt | undefined {
    const news = this.#waiting.get(participant);
    const receipt = joined([this.#unacknowledged.with(participant, action), news]);
    if (!news || !receipt) return receipt;
    this.#waiting.delete(participant);
    if (action === undefined) this.#tidy(participant);
    else this.#unacknowledged.keep(participant, action, receipt);
    return receipt;
  }

  /** The agent sends this action: what went with others has arrived. */
  heard(participant: string, action: string | undefined): void {
    this.#unacknowledged.heard(participant, action);
  }

  /** Whose key has ended is told nothing any more. */
  close(participant: string): void {
    this.#closed.add(participant);
    this.#drop(participant);
  }

  closed(participant: string): boolean {
    return this.#closed.has(participant);
  }

  /** Everybody for whom one waits, or may have to be told again. */
  get waiting(): string[] {
    return [...this.#waiting.keys(), ...this.#unacknowledged.participants];
  }

  /** The session has ended: nothing of it stays. */
  end(): void {
    this.#waiting.clear();
    this.#unacknowledged.clear();
    this.#quietly(undefined, LEFT_OVER, () => this.deps.ledger.forgetReceipts());
  }

  #set(participant: string, receipt: Receipt | undefined): void {
    this.#waiting.delete(participant);
    if (receipt) this.#waiting.set(participant, receipt);
  }

  #drop(participant: string): void {
    this.#unacknowledged.heard(participant);
    this.#tidy(participant);
  }

  /** Something of this agent's is over. */
  #tidy(participant: string): void {
    this.#quietly(participant, LEFT_OVER, () => this.#store(participant, this.#waiting.get(participant)));
  }

  /** For the next run, which does not know what went out already: told twice, then, is better than not at all. */
  #store(participant: string, waiting: Receipt | undefined): Promise<void> {
    const receipt = joined([...this.#unacknowledged.all(participant), waiting]);
    if (receipt) return this.deps.ledger.saveReceipt({ participant, receipt });
    return this.deps.ledger.forgetReceipts(participant);
  }

  /** Not worth an answer that fails for it. */
  #quietly(participant: string | undefined, what: string, work: () => Promise<void>): void {
    work().catch((error: unknown) => this.deps.logger.warn({ participant, reason: messageOf(error) }, what));
  }
}

const LEFT_OVER = 'a receipt that nobody waits for is still stored';

function joined(receipts: readonly (Receipt | undefined)[]): Receipt | undefined {
  const given = receipts.filter((receipt) => receipt !== undefined);
  return given.length === 0 ? undefined : given.reduce(joinReceipts);
}
