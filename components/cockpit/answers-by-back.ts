import type { ControlView } from '@/lib/protocol/views';
import type { HelpRequestView } from '@/lib/help/help-request';

/** Finds the open help request of the agent that would get the lease back: handing back answers it (CO6). */
export function answersByBack({ questions = [], takenFrom }: ControlView): HelpRequestView | undefined {
  return questions.find(({ by }) => by.id === takenFrom?.id);
}
