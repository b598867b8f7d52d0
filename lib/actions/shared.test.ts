import { describe, expect, it } from 'vitest';
import { canonicalRef, envelopeFields, jsonSchema, refSchema, targetOf } from './shared';

describe('refs', () => {
  it.each(['e12', 'f1e12', '@e12', 'ref=e12', '12', '@12', 'ref=f3e12', ' e12 ', 'e012'])(
    '[SN4] %j means e12',
    (spelling) => {
      expect(canonicalRef(spelling)).toBe('e12');
      expect(canonicalRef(refSchema.parse(spelling))).toBe('e12');
    },
  );

  it('[SN4] a number is the number of the snapshot', () => {
    expect(refSchema.parse(12)).toBe('e12');
    expect(refSchema.parse(0)).toBe('e0');
  });

  it.each([
    ['f1e12', 'f1e12'],
    ['ref=f3e012', 'f3e12'],
    ['@e12', 'e12'],
    ['12', 'e12'],
  ])('[SN4][AC8] %j keeps the label of its frame, by which errors name it: %j', (spelling, said) => {
    expect(refSchema.parse(spelling)).toBe(said);
  });

  it.each([
    '',
    'e',
    'button',
    'e-1',
    '-1',
    'e1.5',
    '1e3',
    'ee12',
    'f1',
    'e12 e13',
    '#e12',
    'e1234567890',
    `e${'0'.repeat(50)}1`,
    -1,
    1.5,
    Number.NaN,
    true,
    null,
    {},
    ['e1'],
  ])('[SN4] %j is not a ref', (wrong) => {
    expect(refSchema.safeParse(wrong).success).toBe(false);
  });

  it('[AC8] a wrong ref is answered with the right form', () => {
    for (const wrong of ['the button', true])
      expect(refSchema.safeParse(wrong).error?.issues[0]?.message).toBe(
        'is not a ref: write it as the snapshot shows it, for example "e12"',
      );
  });
});

describe('targetOf', () => {
  it('[AC2] reads each way of naming an element', () => {
    expect(targetOf({ ref: 'e1' })).toEqual({ by: 'ref', ref: 'e1' });
    expect(targetOf({ role: 'button', name: 'Buy', nth: 1 })).toEqual({
      by: 'role',
      role: 'button',
      name: 'Buy',
      nth: 1,
    });
    expect(targetOf({ role: 'button' })).toEqual({ by: 'role', role: 'button', name: undefined, nth: undefined });
    expect(targetOf({ selector: '#a', nth: 0 })).toEqual({ by: 'selector', selector: '#a', nth: 0 });
    expect(targetOf({ selector: '#a', frame: 'f1' })).toEqual({ by: 'selector', selector: '#a', frame: 'f1' });
    expect(targetOf({ at: { x: 1, y: 2 } })).toEqual({ by: 'point', at: { x: 1, y: 2 } });
    expect(targetOf({ node: { loaderId: 'L', backendNodeId: 4 } })).toEqual({
      by: 'node',
      node: { loaderId: 'L', backendNodeId: 4 },
    });
    expect(targetOf({})).toBeUndefined();
  });
});

describe('jsonSchema', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);

  it('[EV5] accepts any JSON value', () => {
    for (const value of [null, 1, 'a', [1, { a: [true] }], nested(40)]) expect(jsonSchema.parse(value)).toEqual(value);
  });

  it('[EV5] refuses values that JSON cannot hold, and unbounded nesting', () => {
    for (const value of [undefined, () => 1, Symbol('a'), Number.NaN])
      expect(jsonSchema.safeParse(value).success).toBe(false);
    for (const depth of [41, 1_000, 100_000])
      expect(jsonSchema.safeParse(nested(depth)).error?.issues[0]?.message).toBe('is nested more than 40 deep');
  });
});

describe('the envelope', () => {
  it('[BU5] carries a time within the limits', () => {
    expect([49, 50, 120_000, 120_001, 99.5].map((value) => envelopeFields.timeoutMs.safeParse(value).success)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('[CO10] carries an id and an epoch', () => {
    expect(
      ['', 'a', 'a'.repeat(100), 'a'.repeat(101)].map((value) => envelopeFields.id.safeParse(value).success),
    ).toEqual([false, true, true, false]);
    expect([-1, 0, 3, 1.5].map((value) => envelopeFields.epoch.safeParse(value).success)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
