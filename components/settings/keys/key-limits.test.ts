import { describe, expect, it } from 'vitest';
import type { KeyView } from '../api';
import { limitsOf, mayRotate } from './key-limits';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const KEY: KeyView = {
  ...{ id: 'k_1', name: 'Bot', hint: 'abcd', person: 'p_ada', grants: ['watch', 'clipboard:copy'], preset: false },
  ...{ sessions: 'own', createdAt: null, expiresAt: null, lastUsedAt: null, lastUsedFrom: null },
};

describe('what the page of keys offers', () => {
  it('[AU2] a new text only to the person of the key, never of the preset one', () => {
    expect([mayRotate(KEY, 'p_ada'), mayRotate(KEY, 'p_eve'), mayRotate(KEY, undefined)]).toEqual([true, false, false]);
    expect(mayRotate({ ...KEY, preset: true }, 'p_ada')).toBe(false);
  });

  it('[AU2] everything to the person of the key, and for a new key', () => {
    for (const all of [limitsOf(KEY, 'p_ada', NOW), limitsOf(undefined, 'p_ada', NOW)])
      expect([all.grant('manage'), all.scope('workspace'), all.session('s_1'), all.life('never')]).toEqual(
        Array(4).fill(true),
      );
  });

  it('[AU2] of the key of somebody else no grant, session or time that it has not', () => {
    const narrow = limitsOf(KEY, 'p_eve', NOW);
    expect([narrow.grant('watch'), narrow.grant('clipboard'), narrow.grant('drive')]).toEqual([true, false, false]);
    expect([narrow.scope('own'), narrow.scope('named'), narrow.scope('workspace')]).toEqual([true, false, false]);
    const named = limitsOf({ ...KEY, sessions: ['s_1'] }, 'p_eve', NOW);
    expect([named.scope('named'), named.session('s_1'), named.session('s_2')]).toEqual([true, true, false]);
    const wide = limitsOf({ ...KEY, sessions: 'workspace' }, 'p_eve', NOW);
    expect([wide.scope('named'), wide.session('s_2'), wide.scope('workspace')]).toEqual([true, true, true]);
    const week = limitsOf({ ...KEY, expiresAt: '2026-11-30T11:00:00Z' }, 'p_eve', NOW);
    expect([week.life('same'), week.life('day'), week.life('week'), week.life('never')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([narrow.life('never'), narrow.life('year')]).toEqual([true, true]);
  });
});
