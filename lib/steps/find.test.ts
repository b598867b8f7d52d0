import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { stepInText } from './parse';

const fence = '```';

describe('stepInText', () => {
  it.each([
    [`In summary, the next action I will perform is ${fence}click [1234]${fence}`, 'click [1234]'],
    [`I type.\n${fence}\ntype [3] [two\nlines] [0]\n${fence}\nDone.`, 'type [3] [two\nlines] [0]'],
    [`${fence}python\nclick [3]\n${fence}`, 'click [3]'],
    [`${fence}text\n\n  stop [done]  \n\n${fence}`, 'stop [done]'],
    ['~~~\ngo_back\n~~~', 'go_back'],
    [`${fence}\nclick [3]`, 'click [3]'],
    [`${fence}\n# go there first\nclick [3]\n${fence}`, 'click [3]'],
    [`${fence}\nclick [3]\nclick [4]\n${fence}`, 'click [3]'],
    [`${fence}json\n{"stop": 1}\n${fence}\nthen\n${fence}\nclick [5]\n${fence}`, 'click [5]'],
    [`Not \`click [1]\` and not\nclick [2]\nbut\n${fence}click [3]${fence}`, 'click [3]'],
    [`${fence}\nwait patiently\n${fence}`, 'wait patiently'],
  ])('[ST2] %j: fenced block', (text, step) => {
    expect(stepInText(text)).toMatchObject({ step, rule: 'fenced block' });
  });

  it.each([
    ['I will use `click [12]` now.', 'click [12]'],
    ['I will use ``type [12] [a] [0]`` now.', 'type [12] [a] [0]'],
    ['The value is `None`, so `click [12]`.', 'click [12]'],
    ['It is over: `stop`.', 'stop'],
    ['The `select` element is fine: `scroll down`', 'scroll down'],
  ])('[ST2] %j: inline code', (text, step) => {
    expect(stepInText(text)).toMatchObject({ step, rule: 'inline code' });
  });

  it.each([
    ['click [12]', 'click [12]'],
    ['  stop [the answer is 42]\n', 'stop [the answer is 42]'],
    ['I look at the page.\nclick [12]\nThat should do.', 'click [12]'],
    ['Thought: the button is there.\nAction: click [12]', 'click [12]'],
    ['我先看页面。\n操作：click [12]', 'click [12]'],
    ['想法：按钮在那里。\n下一步: type [3] [你好] [0]', 'type [3] [你好] [0]'],
    ['1. Open it.\n2. press [Enter]', 'press [Enter]'],
    ['- scroll down', 'scroll down'],
    ['The text:\ntype [12] [one\ntwo] [0]\nthat is all', 'type [12] [one\ntwo] [0]'],
    ['Stop looking at me.\ngo_back', 'go_back'],
    ['Check the form first, then go on.\nclick 12', 'click 12'],
    ['stop("x")', 'stop("x")'],
    [`type [12] [a ${fence}js\nx\n${fence} block] [0]`, `type [12] [a ${fence}js\nx\n${fence} block] [0]`],
  ])('[ST2] %j: bare line', (text, step) => {
    expect(stepInText(text)).toMatchObject({ step, rule: 'bare line' });
  });

  it.each([
    ['In summary, the next action I will perform is ```click [12]```', '```', 'click [12]'],
    ['Not click [1] nor `click [2]`, but <act>\n type [3] [a\nb] [0] <act>.', '<act>', 'type [3] [a\nb] [0]'],
    ['Thought. ### click [4] ### then ### click [5] ###', '###', 'click [4]'],
    ['```js\nx()\n``` ... ```click [6]```', '```', 'click [6]'],
    ['I am cut off: @@click [7]', '@@', 'click [7]'],
  ])('[ST2] %j: between two %j', (text, splitter, step) => {
    expect(stepInText(text, splitter)).toMatchObject({ step, rule: 'splitter' });
  });

  it.each([
    ['click [12]', '```'],
    ['`click [12]`', '@@'],
    ['@@@@ click [12]', '@@'],
    ['', ' '],
  ])('[ST2] %j holds no step between two %j', (text, splitter) => {
    const error = expect.objectContaining({
      code: 'STEP_SYNTAX',
      message: expect.stringContaining('The text holds no step between two'),
      hint: expect.stringContaining(splitter),
    });
    expect(() => stepInText(text, splitter)).toThrow(error);
  });

  it('[ST2] gives action and verb beside the rule', () => {
    expect(stepInText('So: `CLICK [7]`')).toEqual({
      action: { kind: 'click', ref: 'e7' },
      verb: 'click',
      step: 'CLICK [7]',
      rule: 'inline code',
    });
  });

  it.each([
    '',
    'hello',
    'Click the button.',
    'I wait for it.',
    'type something into the box',
    'Please check 3 boxes',
    'print("click [12]")',
    'a [12] b',
    `${fence}js\nconst a = b[1];\n${fence}`,
  ])('[ST2] %j holds no step', (text) => {
    expect(() => stepInText(text)).toThrow(
      expect.objectContaining({ code: 'STEP_SYNTAX', message: 'The text holds no step.' }),
    );
  });

  it.each([
    [`${fence}clik [12]${fence}\nclick [3]`, /no step "clik"/],
    [`${fence}\ntype [12] [unclosed\n${fence}\nclick [3]`, /never closed/],
    ['`click [the button]` or `click [3]`', /not the number of an element/],
    ['click [-1]\nclick [3]', /negative/],
  ])('[ST2] %j: a step with a mistake is reported, and no other step is taken instead', (text, message) => {
    expect(() => stepInText(text)).toThrow(message);
  });

  it('[ST2] never fails otherwise than with STEP_SYNTAX', () => {
    const piece = fc.constantFrom(
      'click [12]',
      'type',
      'stop',
      'wait ',
      ' ',
      '[',
      ']',
      '"',
      '\n',
      '12',
      '`',
      '``',
      '```',
      '~~~',
      '- ',
      'Action: ',
      'the',
      '\\',
      'json\n',
      '(',
      ')',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14, size: 'max' }), (pieces) => {
        const text = pieces.join('');
        try {
          return text.includes(stepInText(text).step);
        } catch (error) {
          return error instanceof WheelhouseError && error.code === 'STEP_SYNTAX';
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    'click a [',
    'click 12 [',
    'Action: ',
    '```',
    '`',
    '~~~\n',
    'a [',
    'clack [ x',
    'text ',
    'scroll ',
    '- - ',
    '\n',
    ' ',
  ])(
    '[ST2] reads 100 000 characters of %j well within the time limit of a test, which a search that grows with their square is not',
    (piece) => {
      const text = `x${piece}\n`.repeat(100_000 / (piece.length + 2));
      expect(() => stepInText(text)).toThrow(WheelhouseError);
    },
    8_000,
  );
});
