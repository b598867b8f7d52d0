import type { Answer, Question } from '@/lib/question/question';
import type { Said } from '@/lib/said/said';

/** What the timeline says of a question that was asked or has ended; nothing of one whose outcome was only delivered (TL1). */
export function saidOfQuestion(question: Question): Said | undefined {
  if (question.state === 'open') return { code: 'questionAsked', reason: question.asked.reason };
  const { outcome, asked, delivered } = question;
  switch (outcome.state) {
    case 'answered':
      return delivered ? undefined : saidOfAnswer(asked.by.name, outcome.answer);
    case 'expired':
      return delivered ? undefined : { code: 'questionExpired' };
    case 'gone':
      return delivered ? undefined : { code: 'questionWithdrawn' };
    case 'withdrawn':
      return { code: 'questionWithdrawn' };
  }
}

function saidOfAnswer(name: string, { result, note }: Answer): Said {
  if (note === undefined) return { code: result === 'could-not' ? 'questionCouldNot' : 'questionDone', name };
  switch (result) {
    case 'done':
      return { code: 'questionDoneNote', name, note };
    case 'could-not':
      return { code: 'questionCouldNotNote', name, note };
    case 'note':
      return { code: 'questionNote', name, note };
  }
}
