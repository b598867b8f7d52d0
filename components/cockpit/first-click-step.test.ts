import { describe, expect, it } from 'vitest';
import type { ControlView } from '@/lib/protocol/views';
import { firstClickStep } from './first-click-step';

const ADA = { id: 'p1', name: 'Ada', kind: 'human' } as const;
const BEN = { id: 'p2', name: 'Ben', kind: 'human' } as const;
const HELD: ControlView = {
  state: 'held',
  holder: ADA,
  epoch: 3,
  since: '2026-01-01T00:00:00.000Z',
  reason: 'taken',
  takenFrom: null,
};
const ASKED: ControlView = { ...HELD, asked: { by: BEN, ms: 4_000, passes: false } };

describe('firstClickStep', () => {
  it('[CO4] waits while the question is on its way, shown, or the wheel changes hands', () => {
    expect([
      firstClickStep(HELD, 'p2', false),
      firstClickStep(ASKED, 'p2', true),
      firstClickStep({ ...HELD, state: 'draining', holder: BEN }, 'p2', true),
    ]).toEqual(['wait', 'wait', 'wait']);
  });

  it('[CO4] makes the click when the wheel is there', () => {
    expect(firstClickStep({ ...HELD, holder: BEN }, 'p2', true)).toBe('make');
  });

  it('[CO4] drops it when the question is over without an answer, or somebody else asks now', () => {
    expect([
      firstClickStep(HELD, 'p2', true),
      firstClickStep({ ...ASKED, asked: { by: { ...BEN, id: 'p3' }, ms: 4_000, passes: false } }, 'p2', true),
    ]).toEqual(['drop', 'drop']);
  });
});
