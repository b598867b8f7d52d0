import { describe, expect, it } from 'vitest';
import { lastAction, typingNow } from './shown-actions';
import type { TimelineEvent } from '@/lib/protocol/views';

const bot = { id: 'a1', name: 'buyer-bot', kind: 'agent' } as const;
const ana = { id: 'p1', name: 'Ana', kind: 'human' } as const;
const event = (seq: number, more: Partial<TimelineEvent>): TimelineEvent => ({
  seq,
  id: `x${seq}`,
  phase: 'intent',
  at: '',
  actor: bot,
  door: 'http',
  tab: 't1',
  kind: 'click',
  text: '',
  ...more,
});

describe('what an agent does, shown over the picture', () => {
  it('gives the last point of an agent in this tab, not of people, other tabs or what is old', () => {
    const events = [
      event(1, { point: { x: 1, y: 1 } }),
      event(2, { point: { x: 2, y: 2 }, kind: 'hover' }),
      event(3, { tab: 't2', point: { x: 3, y: 3 } }),
      event(4, { actor: ana, point: { x: 4, y: 4 } }),
    ];
    expect(lastAction(events, 't1', 0)).toEqual({ id: 'x2', name: 'buyer-bot', x: 2, y: 2, press: false });
    expect(lastAction(events, 't1', 2)).toBeUndefined();
  });

  it('tells typing until something else begins', () => {
    const typing = event(1, { kind: 'type' });
    expect(typingNow([typing, event(2, { id: 'x1', phase: 'outcome', kind: 'type' })], 't1', 0)).toEqual(typing);
    expect(typingNow([typing, event(2, { kind: 'click' })], 't1', 0)).toBeUndefined();
    expect(typingNow([typing], 't1', 1)).toBeUndefined();
  });
});
