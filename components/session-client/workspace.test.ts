import { expect, it } from 'vitest';
import { samePageIn } from './workspace';

it.each([
  ['/w/w_1', '/w/w_2'],
  ['/w/w_1/', '/w/w_2'],
  ['/w/w_1/settings/keys', '/w/w_2/settings/keys'],
  ['/w/w_1/settings/workspace/', '/w/w_2/settings/workspace'],
  ['/w/w_1/sessions/s_1', '/w/w_2'],
  ['/nowhere', '/w/w_2'],
])('[AU6] another workspace opens with the same kind of page: %s leads to %s', (from, to) => {
  expect(samePageIn('w_2', from)).toBe(to);
});
