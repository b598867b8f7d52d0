import type { Reply } from '@/lib/actions/reply';
import type { HelpRequests } from './help-requests';
import type { ReceiptOutbox } from './receipt-outbox';

/**
 * What rides on the replies to a participant's actions beside their own outcomes: receipts of hand-backs, and answers
 * of people (CO5, CO6).
 */
export class ReplyAttachments {
  constructor(
    private readonly receipts: ReceiptOutbox,
    private readonly questions: HelpRequests,
  ) {}

  /** @param action id that its sender gave it. What rode on the reply to another one has arrived. */
  sends(participant: string, action: string | undefined): void {
    this.receipts.heard(participant, action);
    this.questions.heard(participant, action);
  }

  /**
   * The receipt rides on the first reply after the wheel came back; a refusal because a person drives is too early for
   * it. The same action sent again carries the same (F7).
   */
  ride(participant: string, action: string | undefined, reply: Reply): Reply {
    const early = reply.error?.code === 'CONTROL_HELD' || reply.error?.code === 'CONTROL_LOST';
    const handoff = early ? undefined : this.receipts.tell(participant, action);
    const answers = this.questions.tell(participant, action);
    return { ...reply, ...(handoff && { handoff }), ...(answers.length > 0 && { answers }) };
  }
}
