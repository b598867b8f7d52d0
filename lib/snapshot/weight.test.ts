import { describe, expect, it } from 'vitest';
import { readMode, WEIGHT_LIMITS } from './weight';

const small = { elements: 1_000, nodes: 3_000, chars: 50_000, hidden: 0 };
const kind = (weight: Partial<typeof small>, patienceMs = 20_000): string =>
  readMode({ ...small, ...weight }, patienceMs).kind;

describe('readMode', () => {
  it('[SN10] reads an ordinary page whole', () => expect(kind({})).toBe('full'));
  it('[SN10] reads only the part in view above 20 000 elements', () =>
    expect([kind({ elements: 20_000 }), kind({ elements: 20_001 })]).toEqual(['full', 'in-view']));
  it('[SN10] does so where a few elements hold very many texts', () =>
    expect(kind({ nodes: 100_001 })).toBe('in-view'));
  it('[SN10] does so where few elements hold very much text', () =>
    expect(kind({ chars: WEIGHT_LIMITS.chars + 1 })).toBe('in-view'));
  it('[SN10] does so where closed shadow roots hold very many nodes', () =>
    expect([kind({ hidden: 200_000 }), kind({ hidden: 200_001 })]).toEqual(['full', 'in-view']));
  it('[SN10] does so where counting failed', () =>
    expect(kind({ elements: Number.POSITIVE_INFINITY })).toBe('in-view'));
  it('[SN10] does so where the nodes of closed shadow roots could not be counted, and does not say that there are many', () =>
    expect(readMode({ ...small, hidden: Number.POSITIVE_INFINITY }, 20_000)).toEqual({
      kind: 'in-view',
      reason: 'its nodes could not be counted',
    }));
  it('[SN10] does so when the time left is too short, and says so', () => {
    expect(readMode({ ...small, elements: 10_000 }, 3_000)).toEqual({
      kind: 'in-view',
      reason: '3000 ms are too short for its 10000 elements',
    });
  });
});
