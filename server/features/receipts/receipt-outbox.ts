import { BoundedMap } from '@/lib/async/bounded-map';
import { joinReceipts, type Receipt } from '@/lib/actions/receipt';
import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import type { ReceiptRecord } from '@/server/store/receipts';
import type { Logger } from '@/server/telemetry/logger';
import { Unacknowledged } from '@/server/session/unacknowledged';
import type { SessionLedger } from '@/server/session/ledger';
import type { OutgoingReceipt } from '@/server/session/feature-slots';

/**
 * Most agents of one session with a waiting receipt, one bounded receipt each; the agent that has waited longest is
 * dropped first.
 */
const MOST_WAITING = 100;

export interface ReceiptOutboxDeps {
  /** Receipts that the last run of the server left. */
  readonly known: readonly ReceiptRecord[];
  readonly ledger: Pick<SessionLedger, 'saveReceipt' | 'forgetReceipts'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Receipts of people's work that agents have not acknowledged yet (CO5). They stay stored until they are acknowledged,
 * so that a restart of the server loses none.
 */
export class ReceiptOutbox {
  readonly #waiting: BoundedMap<string, Receipt>;
  readonly #unacknowledged: Unacknowledged<Receipt>;
  /** Receipts that are being stored with a change of leases. */
  readonly #storing = new Map<string, Receipt>();
  readonly #closed = new Set<string>();

  constructor(private readonly deps: ReceiptOutboxDeps) {
    this.#waiting = new BoundedMap(MOST_WAITING, (participant) => this.#drop(participant));
    this.#unacknowledged = new Unacknowledged(deps.clock, (participant) => this.#tidy(participant));
    for (const { participant, receipt } of deps.known) this.#waiting.set(participant, receipt);
  }

  /** Prepares a receipt for the agent, joined with what it has not acknowledged yet. The caller stores its row. */
  put(participant: string, receipt: Receipt): OutgoingReceipt {
    this.#storing.set(participant, receipt);
    return {
      record: { participant, receipt: this.#unseen(participant) ?? receipt },
      stored: () => {
        this.#storing.delete(participant);
        // The key of the agent may have ended, and the receipt that waited may have been sent, during the store.
        if (this.closed(participant)) this.#drop(participant);
        else this.#set(participant, joined([this.#waiting.get(participant), receipt]));
      },
      withdrawn: () => {
        this.#storing.delete(participant);
        this.#tidy(participant);
      },
    };
  }

  /** The agent's waiting receipt joined with those sent in replies but not acknowledged; removes none of them. */
  of(participant: string): Receipt | undefined {
    return joined([...this.#unacknowledged.all(participant), this.#waiting.get(participant)]);
  }

  /**
   * The receipt to send with the reply to this action: the waiting one, joined with the one already sent with it.
   * Without an action id the agent cannot ask for the reply again, so the receipt counts as delivered.
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

  /** The agent sent another action: it has received the receipts that went with earlier replies. */
  heard(participant: string, action: string | undefined): void {
    this.#unacknowledged.heard(participant, action);
  }

  /** The agent's key has ended: drops its receipts and takes no more. */
  close(participant: string): void {
    this.#closed.add(participant);
    this.#drop(participant);
  }

  closed(participant: string): boolean {
    return this.#closed.has(participant);
  }

  /** Ids of agents with a waiting or unacknowledged receipt. */
  get waiting(): string[] {
    return [...this.#waiting.keys(), ...this.#unacknowledged.participants];
  }

  /** The session has ended: deletes its receipts. */
  end(): void {
    this.#waiting.clear();
    this.#unacknowledged.clear();
    this.#quietly(undefined, LEFT_OVER, () => this.deps.ledger.forgetReceipts());
  }

  #set(participant: string, receipt: Receipt | undefined): void {
    this.#waiting.delete(participant);
    if (receipt) this.#waiting.set(participant, receipt);
  }

  /** All receipts that this agent has not acknowledged, joined. */
  #unseen(participant: string): Receipt | undefined {
    return joined([
      ...this.#unacknowledged.all(participant),
      this.#waiting.get(participant),
      this.#storing.get(participant),
    ]);
  }

  #drop(participant: string): void {
    this.#waiting.delete(participant);
    this.#unacknowledged.heard(participant);
    this.#tidy(participant);
  }

  /**
   * Stores what is left for this agent after something was acknowledged or dropped: unacknowledged receipts with the
   * waiting one, so that after a restart an agent may get a receipt twice, but never loses one.
   */
  #tidy(participant: string): void {
    const receipt = this.#unseen(participant);
    const { ledger } = this.deps;
    this.#quietly(participant, LEFT_OVER, () =>
      receipt ? ledger.saveReceipt({ participant, receipt }) : ledger.forgetReceipts(participant),
    );
  }

  /** Runs work whose failure must not fail the caller's answer; logs the failure. */
  #quietly(participant: string | undefined, what: string, work: () => Promise<void>): void {
    work().catch((error: unknown) => this.deps.logger.warn({ participant, reason: messageOf(error) }, what));
  }
}

const LEFT_OVER = 'a receipt that nobody waits for is still stored';

function joined(receipts: readonly (Receipt | undefined)[]): Receipt | undefined {
  const given = receipts.filter((receipt) => receipt !== undefined);
  return given.length === 0 ? undefined : given.reduce(joinReceipts);
}
