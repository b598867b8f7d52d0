import type { ControlView } from '@/lib/protocol/views';
import type { HelpRequestView } from '@/lib/help/help-request';

/** The question that handing the lease back answers: that of the agent which gets it (CO6). */
export function answersByBack({ questions = [], takenFrom }: ControlView): HelpRequestView | undefined {
  return questions.find(({ by }) => by.id === takenFrom?.id);
}
