import { describe, expect, it } from 'vitest';
import type { Holder, Lease } from './lease';
import { controlSchema } from '@/lib/protocol/views';
import { controlView } from './view';

const ada: Holder = { id: 'p1', name: 'Ada', kind: 'human' };
const ben: Holder = { id: 'p2', name: 'Ben', kind: 'human' };
const bot: Holder = { id: 'a1', name: 'Bot', kind: 'agent' };
const base = { epoch: 4, since: 10, reason: 'taken' };
const shown = { epoch: 4, since: 'at 10', reason: 'taken' };

describe('controlView', () => {
  it.each<[Lease, object]>([
    [
      { ...base, state: 'free' },
      { ...shown, state: 'free', holder: null, takenFrom: null },
    ],
    [
      { ...base, state: 'held', holder: bot, takenFrom: undefined, privateHold: undefined },
      { ...shown, state: 'held', holder: bot, takenFrom: null },
    ],
    [
      { ...base, state: 'parked', holder: ada, takenFrom: bot, privateHold: undefined, until: 15_000 },
      { ...shown, state: 'held', holder: ada, takenFrom: bot, parkedMs: 14_000 },
    ],
    [
      { ...base, state: 'held', holder: ada, takenFrom: bot, privateHold: undefined },
      { ...shown, state: 'held', holder: ada, takenFrom: bot },
    ],
    [
      { ...base, state: 'draining', from: bot, to: ada, back: bot, given: false, privateHold: undefined },
      { ...shown, state: 'draining', holder: ada, takenFrom: bot },
    ],
    [
      { ...base, state: 'draining', from: ben, to: ada, back: undefined, given: true, privateHold: undefined },
      { ...shown, state: 'draining', holder: ada, takenFrom: null },
    ],
    [
      {
        ...base,
        state: 'asked',
        holder: ada,
        takenFrom: undefined,
        privateHold: undefined,
        asker: bot,
        until: 4_000,
        atEnd: 'stays',
      },
      { ...shown, state: 'held', holder: ada, takenFrom: null, asked: { by: bot, ms: 3_000, passes: false } },
    ],
    [
      { ...base, state: 'draining', from: bot, to: undefined, back: undefined, given: false, privateHold: undefined },
      { ...shown, state: 'draining', holder: null, takenFrom: bot },
    ],
    [
      {
        ...base,
        state: 'held',
        holder: ada,
        takenFrom: bot,
        privateHold: { by: ada, reason: 'a code', until: 'field', since: 12 },
      },
      {
        ...shown,
        state: 'held',
        holder: ada,
        takenFrom: bot,
        private: { by: ada, reason: 'a code', until: 'field', since: 'at 12' },
      },
    ],
  ])('[CO1] [CO8] %j', (lease, view) => {
    expect(controlSchema.parse(controlView(lease, (ms) => `at ${ms}`, 1_000))).toEqual(view);
  });
});
