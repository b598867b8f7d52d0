import type { ControlView } from '@/lib/protocol/views';
import type { QuestionView } from '@/lib/question/question';

/** The question that handing the wheel back answers: that of the agent which gets it (CO6). */
export function answersByBack({ questions = [], takenFrom }: ControlView): QuestionView | undefined {
  return questions.find(({ by }) => by.id === takenFrom?.id);
}
