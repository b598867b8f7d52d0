import { describe, expect, it } from 'vitest';
import { asksForValues } from './asks-for-values';

const ASKS = [
  '[value^="w"]',
  '[ VALUE *= "w" ]',
  String.raw`[\76 alue="w"]`,
  '[v\\61\r\nlue="w"]',
  '[*|value="w"]',
  '[value/**/^="w"]',
  '[value/*]*/^="w"]',
  '[a="/*"], [value^="w"], [b="*/"]',
  '[a="/*"],[value/**/^="w"],[a="*/"]',
  `[a='"'],[value^="w"]`,
  String.raw`[a="\"/*"],[value^="w"],[b="*/"]`,
  '[a="/*"], option:checked, [b="*/"]',
  String.raw`.\"a, [value^="w"], .\"`,
  // The line end ends the string, and :is() passes over what is wrong.
  ':is([a="/*\n], [value^="w"])',
  ':is(url(/*), [value^="w"])',
  String.raw`:is(u\72l("), [value^="w"])`,
  'option:checked',
  ':/**/checked',
  String.raw`:\63 hecked`,
  'option[class*=" input"]:checked',
  'option/* input*/:checked',
  String.raw`option.a\,input:checked`,
];

const ASKS_NOT = [
  '#value',
  '.value',
  'input',
  '[value]',
  '[data-value="w"]',
  '[name="value"]',
  '[title="[value=1]"]',
  '/* [value=1] */ p',
  'input:checked',
  'p, label > input[type="radio"]:checked',
  "input[name='a b, c']:checked",
  '[title=":checked"]',
];

describe('a selector', () => {
  it.each(ASKS)('[CO8] that asks what fields hold is known in every spelling: %j', (selector) => {
    expect(asksForValues({ all: [{ selector }] })).toBe(true);
  });

  it.each(ASKS_NOT)('[CO8] that asks something else is not taken for one: %j', (selector) => {
    expect(asksForValues({ selector, text: '[value^="w"]' })).toBe(false);
  });
});
