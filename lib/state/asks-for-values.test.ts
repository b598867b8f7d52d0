import { describe, expect, it } from 'vitest';
import { asksForValues } from './asks-for-values';

const ASKS = [
  '[value^="w"]',
  '[ VALUE *= "w" ]',
  String.raw`[\76 alue="w"]`,
  '[v\\61\r\nlue="w"]',
  '[*|value="w"]',
  '[value/**/^="w"]',
  '[a="/*"],[value/**/^="w"],[a="*/"]',
  ':is(url(/*), [value^="w"])',
  'option:checked',
  ':/**/checked',
  String.raw`:\63 hecked`,
  'input:checked',
];

const ASKS_NOT = ['input', '#card', '[name="card"]', 'p, label > input[type="radio"]', '/* a */ p'];

describe('a selector', () => {
  it.each(ASKS)('[CO8] that tests the content of fields is recognised in every spelling: %j', (selector) => {
    expect(asksForValues({ all: [{ selector }] })).toBe(true);
  });

  it.each(ASKS_NOT)('[CO8] that tests anything else is not mistaken for one: %j', (selector) => {
    expect(asksForValues({ selector, text: '[value^="w"]' })).toBe(false);
  });
});
