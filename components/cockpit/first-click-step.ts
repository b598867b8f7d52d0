import type { ControlView } from '@/lib/protocol/views';

/** What becomes of a click whose maker asks a person for the wheel (CO4). */
export type FirstClickStep = 'wait' | 'make' | 'drop';

/**
 * @param you participant id of who asks
 * @param seen the server has shown the question before, so that it is over when it is gone
 */
export function firstClickStep(control: ControlView, you: string | undefined, seen: boolean): FirstClickStep {
  if (control.state === 'draining') return 'wait';
  if (control.holder?.id === you) return 'make';
  if (control.asked?.by.id === you) return 'wait';
  return seen ? 'drop' : 'wait';
}
