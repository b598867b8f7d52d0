import type { ControlView } from '@/lib/protocol/views';
import type { HelpRequestView } from '@/lib/help/help-request';

/** The question that handing the wheel back answers: that of the agent which gets it (CO6). */
export function answersByBack({ questions = [], takenFrom }: ControlView): HelpRequestView | undefined {
  return questions.find(({ by }) => by.id === takenFrom?.id);
}
