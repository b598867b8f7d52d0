import { expect, it } from 'vitest';
import { matchOptions } from './options';

const options = [
  { value: '1', label: 'Two', disabled: false },
  { value: '2', label: 'One', disabled: false },
  { value: 'x', label: ' Big\n  one ', disabled: true },
];

it.each([
  ['auto', '2', { indexes: [1] }],
  ['auto', 'One', { indexes: [1] }],
  ['auto', 'one', { indexes: [1] }],
  ['value', 'One', { missing: 'One' }],
  ['label', '1', { missing: '1' }],
  ['index', '0', { indexes: [0] }],
  ['index', '7', { missing: '7' }],
  ['index', '-1', { missing: '-1' }],
  ['label', 'big one', { disabled: 'big one' }],
] as const)('[AC1] by %s, %j is %j', (by, want, expected) => {
  expect(matchOptions(options, [want], by)).toEqual(expected);
});
