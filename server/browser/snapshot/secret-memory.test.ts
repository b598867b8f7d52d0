import { expect, it } from 'vitest';
import type { DomFact } from '@/lib/snapshot/facts';
import { SecretMemory } from './secret-memory';

const plain: DomFact = {
  clickable: 'no',
  offscreen: false,
  secret: false,
  inline: false,
  choice: undefined,
  frameId: undefined,
};
const facts = new Map<number, DomFact>([
  [1, plain],
  [2, { ...plain, field: true }],
  [3, { ...plain, field: true }],
]);
const secretIn = (memory: SecretMemory, loaderId: string): number[] =>
  [...memory.apply(loaderId, facts)].flatMap(([id, { secret }]) => (secret ? [id] : []));

it('[CO8] masked fields stay masked while the document is unknown, and until their document ends', () => {
  const memory = new SecretMemory();
  memory.remember('first', [2]);
  expect([
    secretIn(memory, ''),
    secretIn(memory, 'first'),
    secretIn(memory, 'second'),
    secretIn(memory, 'first'),
  ]).toEqual([[2], [2], [], []]);
});

it('[CO8] all fields are masked when more were typed into than are remembered, and nothing else', () => {
  const memory = new SecretMemory();
  memory.remember('first', [2], true);
  memory.remember('first', [2]);
  expect([secretIn(memory, 'first'), secretIn(memory, 'second')]).toEqual([[2, 3], []]);
});
