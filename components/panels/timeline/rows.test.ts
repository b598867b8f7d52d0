import { describe, expect, it } from 'vitest';
import { choicesOf, filterRows, toRows } from './rows';
import type { TimelineEvent } from '@/lib/protocol/views';

const bot = { id: 'a1', name: 'buyer-bot', kind: 'agent' } as const;
const ana = { id: 'p1', name: 'Ana', kind: 'human' } as const;

function event(seq: number, more: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    seq,
    id: `x${seq}`,
    phase: 'event',
    at: `2026-01-01T10:00:0${seq}Z`,
    actor: bot,
    door: 'http',
    kind: 'click',
    text: 'click button "Buy"',
    ...more,
  };
}

describe('timeline rows', () => {
  it('[TL1] puts an outcome to its intent: when it began, how it ended', () => {
    const rows = toRows([
      event(1, { id: 'a', phase: 'intent', element: { role: 'button', name: 'Buy' } }),
      event(2, { actor: ana, kind: 'join', text: 'joined' }),
      event(3, { id: 'a', phase: 'outcome', outcome: 'failed', code: 'COVERED', ms: 84, point: { x: 1, y: 2 } }),
    ]);
    expect(rows.map(({ seq, state }) => [seq, state])).toEqual([
      [1, 'failed'],
      [2, 'event'],
    ]);
    expect(rows[0]?.event).toMatchObject({
      at: '2026-01-01T10:00:01Z',
      ms: 84,
      code: 'COVERED',
      point: { x: 1, y: 2 },
      element: { role: 'button', name: 'Buy' },
    });
  });

  it('shows an action that runs, and an outcome whose intent is not here', () => {
    expect(toRows([event(1, { phase: 'intent' })]).map(({ state }) => state)).toEqual(['running']);
    expect(toRows([event(9, { phase: 'outcome', outcome: 'unknown' })]).map(({ state }) => state)).toEqual(['unknown']);
  });

  it('[TL2] filters by who, what and words', () => {
    const rows = toRows([
      event(1),
      event(2, { actor: ana, kind: 'control', text: 'took the wheel' }),
      event(3, { kind: 'navigate', text: 'navigate shop.example' }),
    ]);
    const line = ({ kind }: TimelineEvent) => (kind === 'navigate' ? '打开了 shop.example' : '');
    expect(filterRows(rows, { actor: 'p1', search: '' }, line).map(({ seq }) => seq)).toEqual([2]);
    expect(filterRows(rows, { kind: 'navigate', search: '' }, line).map(({ seq }) => seq)).toEqual([3]);
    expect(filterRows(rows, { search: ' BUY ' }, line).map(({ seq }) => seq)).toEqual([1, 3]);
    expect(filterRows(rows, { search: '打开' }, line).map(({ seq }) => seq)).toEqual([3]);
    expect(choicesOf(rows)).toEqual({ actors: [bot, ana], kinds: ['click', 'control', 'navigate'] });
  });
});
