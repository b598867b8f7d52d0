import { joinReceipts, type Receipt } from '@/lib/actions/receipt';
import { messageOf } from '@/lib/errors/error';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { Logger } from '@/server/telemetry/logger';
import type { SessionLedger } from './ledger';

/** Agents of one session for whom something may wait; who has waited longest is forgotten first. Each has one, and that is bounded. */
const MOST_WAITING = 100;

export interface ReceiptBoxDeps {
  /** Those of the last run. */
  readonly known: readonly ReceiptRecord[];
  readonly ledger: Pick<SessionLedger, 'saveReceipt' | 'forgetReceipts'>;
  readonly logger: Logger;
}

/** What agents have not been told yet of the work of people (CO5). Stored before it counts, so that a restart of the server loses none. */
export class ReceiptBox {
  readonly #waiting: Map<string, Receipt>;
  readonly #closed = new Set<string>();

  constructor(private readonly deps: ReceiptBoxDeps) {
    this.#waiting = new Map(deps.known.map(({ participant, receipt }) => [participant, receipt]));
  }

  /** Gives the agent this one, together with what it has not heard yet. The function takes it back. Throws STORE_BUSY. */
  put(participant: string, receipt: Receipt): () => void {
    const before = this.#waiting.get(participant);
    this.#set(participant, before ? joinReceipts(before, receipt) : receipt);
    return () => (before ? this.#quietly(participant, () => this.#set(participant, before)) : this.#drop(participant));
  }

  /** `consume` once it has been delivered. */
  of(participant: string, consume: boolean): Receipt | undefined {
    const receipt = this.#waiting.get(participant);
    if (receipt && consume) this.#drop(participant);
    return receipt;
  }

  /** Whose key has ended is told nothing any more. */
  close(participant: string): void {
    this.#closed.add(participant);
    this.of(participant, true);
  }

  closed(participant: string): boolean {
    return this.#closed.has(participant);
  }

  /** Everybody for whom one waits. */
  get waiting(): string[] {
    return [...this.#waiting.keys()];
  }

  /** The session has ended: nothing of it stays. */
  end(): void {
    this.#waiting.clear();
    this.#quietly(undefined, () => this.deps.ledger.forgetReceipts());
  }

  #set(participant: string, receipt: Receipt): void {
    this.deps.ledger.saveReceipt({ participant, receipt });
    this.#waiting.delete(participant);
    this.#waiting.set(participant, receipt);
    const [longest] = this.#waiting.keys();
    if (longest !== undefined && this.#waiting.size > MOST_WAITING) this.#drop(longest);
  }

  #drop(participant: string): void {
    this.#waiting.delete(participant);
    this.#quietly(participant, () => this.deps.ledger.forgetReceipts(participant));
  }

  /** Told twice, after a restart, is better than an answer that fails for it. */
  #quietly(participant: string | undefined, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.deps.logger.warn({ participant, reason: messageOf(error) }, 'a receipt that nobody waits for is still stored');
    }
  }
}
