import { expect, it } from 'vitest';
import { withCrash } from './crash-log';

const MINUTE = 60_000;

it('[CO9][F2] crashes of more than ten minutes ago no longer count', () => {
  let crashes: readonly number[] = [];
  const counts = [0, 10, 15, 20, 25].map((minute) => (crashes = withCrash(crashes, minute * MINUTE)).length);

  expect(counts).toEqual([1, 1, 2, 2, 2]);
});
