import type { HelpAnswer, HelpRequest } from '@/lib/help/help-request';
import type { HelpRefusal } from '@/lib/help/reduce';
import type { Message } from '@/lib/messages/message';

/**
 * The timeline message of a help request that was opened, claimed, given up by who was on it, or closed; undefined when
 * only its outcome was delivered (TL1).
 */
export function helpRequestMessage(question: HelpRequest, before: HelpRequest | undefined): Message | undefined {
  if (question.state === 'open') {
    const { reason } = question.asked;
    if (!before) return { code: 'questionAsked', reason };
    return question.claimed ? { code: 'questionClaimed', reason } : { code: 'questionUnclaimed' };
  }
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

function saidOfAnswer(name: string, { result, note }: HelpAnswer): Message {
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

/** The hint for a refusal; undefined where the error table's hint is enough. */
export function hintOfRefusal({ said, details }: HelpRefusal): string | undefined {
  switch (said.code) {
    case 'questionBefore': {
      const question = JSON.stringify(details?.['question'] ?? '');
      return `Wait for its answer: {"do":"ask-human","question":${question}}; or take it back first: {"do":"answer","question":${question},"result":"withdrawn"}.`;
    }
    case 'questionsSeveral':
      return 'Give "question": one of details.questions.';
    case 'noQuestion':
      return NO_REQUEST_HINT;
    case 'questionsFull':
      return 'Wait until people have answered some, or take back what is not needed any more: {"do":"answer","question":"q_…","result":"withdrawn"}.';
    default:
      return undefined;
  }
}

export const NO_REQUEST_HINT =
  'GET …/control lists the open ones of a tab in "questions". Leave "question" out to ask anew, or to answer the only open one.';
