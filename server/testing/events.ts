import type { NewTimelineEvent } from '@/server/store/timeline';

/** A timeline event of an agent's click. */
export function clickEvent(id: string, more: Partial<NewTimelineEvent> = {}): NewTimelineEvent {
  return {
    id,
    phase: 'event',
    actor: { id: 'k_1', name: 'Agent', kind: 'agent' },
    door: 'http',
    kind: 'click',
    text: 'click button "Buy"',
    ...more,
  };
}
