import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { parseStep } from './parse';

const action = (step: string): Action => parseStep(step).action;

function outcomeOf(step: string): WheelhouseError | 'an action' {
  try {
    parseStep(step);
    return 'an action';
  } catch (error) {
    if (error instanceof WheelhouseError) return error;
    throw error;
  }
}

function mistakeIn(step: string): WheelhouseError {
  const outcome = outcomeOf(step);
  if (outcome === 'an action') throw new Error(`${JSON.stringify(step)} was accepted`);
  return outcome;
}

describe('parseStep', () => {
  it.each<[string, Action]>([
    ['click [12]', { kind: 'click', ref: 'e12' }],
    ['hover [e12]', { kind: 'hover', ref: 'e12' }],
    ['focus @e12', { kind: 'focus', ref: 'e12' }],
    ['scroll_to [f1e12]', { kind: 'scrollIntoView', ref: 'f1e12' }],
    ['scrollIntoView 12', { kind: 'scrollIntoView', ref: 'e12' }],
    ['press [Control+A]', { kind: 'press', key: 'Control+A' }],
    ['check [3]', { kind: 'check', ref: 'e3', checked: true }],
    ['uncheck [3]', { kind: 'check', ref: 'e3', checked: false }],
    ['select [12] [a] [b]', { kind: 'select', ref: 'e12', values: ['a', 'b'] }],
    ['goto [https://example.com/?q=a b]', { kind: 'navigate', url: 'https://example.com/?q=a b' }],
    ['goto http://[::1]:8080/', { kind: 'navigate', url: 'http://[::1]:8080/' }],
    ['go_back', { kind: 'history', go: 'back' }],
    ['go_forward', { kind: 'history', go: 'forward' }],
    ['reload', { kind: 'history', go: 'reload' }],
    ['scroll [down]', { kind: 'scroll', pages: 1 }],
    ['scroll [up]', { kind: 'scroll', pages: -1 }],
    ['scroll [direction=down]', { kind: 'scroll', pages: 1 }],
    ['scroll direction=up', { kind: 'scroll', pages: -1 }],
    ['scroll [bottom]', { kind: 'scroll', to: 'bottom' }],
    ['scroll [7] [down]', { kind: 'scroll', ref: 'e7', pages: 1 }],
    ['wait [1000]', { kind: 'wait', timeMs: 1000 }],
    ['wait [Order placed]', { kind: 'wait', text: 'Order placed' }],
    ['wait url="**/done" timeoutMs=5000', { kind: 'wait', url: '**/done', timeoutMs: 5000 }],
    [
      'evaluate [document.querySelectorAll("a[href]")[0].href]',
      { kind: 'evaluate', fn: 'document.querySelectorAll("a[href]")[0].href' },
    ],
    ['snapshot interactive=true', { kind: 'snapshot', interactive: true }],
    ['screenshot', { kind: 'screenshot' }],
    ['screenshot [4]', { kind: 'screenshot', ref: 'e4' }],
    ['new_tab', { kind: 'tab', do: 'open' }],
    ['new_tab [https://example.com]', { kind: 'tab', do: 'open', url: 'https://example.com' }],
    ['tab_focus [2]', { kind: 'tab', do: 'focus', index: 2 }],
    ['tab_focus [t2]', { kind: 'tab', do: 'focus', tab: 't2' }],
    ['close_tab', { kind: 'tab', do: 'close' }],
    ['dialog accept', { kind: 'dialog', do: 'answer', accept: true }],
    ['dialog [dismiss]', { kind: 'dialog', do: 'answer', accept: false }],
    ['dialog [accept] [Ada]', { kind: 'dialog', do: 'answer', accept: true, promptText: 'Ada' }],
    ['dialog [accept] do=arm', { kind: 'dialog', do: 'arm', accept: true }],
    ['resize [1280] [800]', { kind: 'resize', width: 1280, height: 800 }],
    ['click role=button name="Sign in" nth=1', { kind: 'click', role: 'button', name: 'Sign in', nth: 1 }],
    [
      'click [12] modifiers=["Shift"] note="open [beside]"',
      { kind: 'click', ref: 'e12', modifiers: ['Shift'], note: 'open [beside]' },
    ],
    ['click at={"x":10,"y":20.5}', { kind: 'click', at: { x: 10, y: 20.5 } }],
    ['None', { kind: 'none' }],
  ])('[ST1] %s', (step, expected) => {
    expect(action(step)).toEqual(expected);
  });

  it.each<[string, Action]>([
    ['type [12] [hello world]', { kind: 'type', ref: 'e12', text: 'hello world', submit: true }],
    ['type [12] [hello] [1]', { kind: 'type', ref: 'e12', text: 'hello', submit: true }],
    ['type [12] [hello] [0]', { kind: 'type', ref: 'e12', text: 'hello', submit: false }],
    ['type [12] [0]', { kind: 'type', ref: 'e12', text: '0', submit: true }],
    ['type [12] [1] [0]', { kind: 'type', ref: 'e12', text: '1', submit: false }],
    ['type [12] []', { kind: 'type', ref: 'e12', text: '', submit: true }],
    ['type [12] [more] append=true', { kind: 'type', ref: 'e12', text: 'more', mode: 'append', submit: true }],
    ['type [12] [x] submit=false', { kind: 'type', ref: 'e12', text: 'x', submit: false }],
    ['type [x] [0] role=textbox', { kind: 'type', role: 'textbox', text: 'x', submit: false }],
    ['type text="into the focus"', { kind: 'type', text: 'into the focus', submit: true }],
  ])('[ST3] %s: two arguments press Enter, a third decides', (step, expected) => {
    expect(action(step)).toEqual(expected);
  });

  it.each([
    ['press [Meta+A]', 'ControlOrMeta+A'],
    ['press [cmd+Shift+P]', 'ControlOrMeta+Shift+P'],
    ['press [Meta]', 'ControlOrMeta'],
    ['press [Shift+Meta+z]', 'Shift+ControlOrMeta+z'],
    ['press [Shift + cmd + z]', 'Shift + ControlOrMeta + z'],
    ['press [Meta++]', 'ControlOrMeta++'],
    ['press key="Shift+Meta+z"', 'Shift+Meta+z'],
    ['press key="Meta+A"', 'Meta+A'],
    ['press [Control+Meta+A]', 'Control+Meta+A'],
    [String.raw`press [\]]`, ']'],
  ])('[ST3] %s presses %s: Meta is the shortcut key of the platform', (step, key) => {
    expect(action(step)).toEqual({ kind: 'press', key });
  });

  it.each([
    ['stop [42]', '42'],
    ['stop("42")', '42'],
    ['stop [the [best] one]', 'the [best] one'],
    ['STOP "two\nlines"', 'two\nlines'],
    ['stop []', ''],
    ['stop [N/A]', 'N/A'],
  ])('[ST3] %j returns its answer', (step, answer) => {
    expect(action(step)).toEqual({ kind: 'stop', answer });
  });

  it('[ST3] stop alone has no answer', () => {
    expect(action('stop')).toEqual({ kind: 'stop' });
    expect(action('stop()')).toEqual({ kind: 'stop' });
  });

  it.each([
    [String.raw`stop [a\]b]`, 'a]b'],
    [String.raw`stop [a\[b]`, 'a[b'],
    [String.raw`stop [a\\b]`, String.raw`a\b`],
    [String.raw`stop [a\nb\tc]`, 'a\nb\tc'],
    [String.raw`stop [\d+\.]`, String.raw`\d+\.`],
    ['stop [line one\n  line two]', 'line one\n  line two'],
    ['stop [[a] and [b [c]]]', '[a] and [b [c]]'],
    [String.raw`stop "say \"hi\" A"`, 'say "hi" A'],
    ['stop [中文 🙂]', '中文 🙂'],
  ])('[ST1] %j: escapes, balanced brackets, quoted and many-line text', (step, answer) => {
    expect(action(step)).toEqual({ kind: 'stop', answer });
  });

  it.each([
    'CLICK [12]',
    'click[12]',
    '  click   [12]  ',
    'click\n[12]',
    'click(12)',
    'click( "12" )',
    'Click ref=e12',
  ])('[ST1] %j is click [12]', (step) => {
    expect(parseStep(step)).toEqual({ action: { kind: 'click', ref: 'e12' }, verb: 'click' });
  });

  it('[ST1] a call separates its arguments by commas', () => {
    expect(action('type(12, "a, (b)", 0)')).toEqual({ kind: 'type', ref: 'e12', text: 'a, (b)', submit: false });
  });
});

describe('parseStep refuses', () => {
  it.each<[string, number, RegExp]>([
    ['', 1, /empty/],
    ['   ', 4, /empty/],
    ['[12]', 1, /begins with a verb/],
    ['click', 6, /number of an element is missing/],
    ['click [-12]', 7, /"-12" is negative/],
    ['click [the button]', 7, /"the button" is not the number of an element/],
    ['click [12] [13]', 12, /"13" is one argument too many/],
    ['click [12', 7, /never closed/],
    ['click 12]', 7, /"12\]" is not the number/],
    ['type [12]', 10, /the text is missing/],
    ['type [12] [a] [yes]', 15, /third argument can only be 0 or 1/],
    ['type [12] [:]] [1]', 14, /closes nothing/],
    ['type [12] [a] append=maybe', 15, /"append" is true or false/],
    ['type [12] [a] text=b', 11, /third argument/],
    ['type [12] [a] [1] submit=true', 19, /"submit" is given twice/],
    ['scroll [sideways]', 8, /up, down, top or bottom/],
    ['select [12]', 12, /option is missing/],
    ['wait', 5, /what to wait for is missing/],
    ['wait [99999]', 6, /"timeMs" must be at most 30000/],
    ['dialog [maybe]', 8, /accept or dismiss/],
    ['resize [wide] [800]', 8, /width is a number/],
    ['resize [0] [800]', 8, /"width" must be at least 1/],
    ['click [12] count=9', 12, /"count" must be at most 3/],
    ['click [12] colour=red', 12, /"colour" is not a field/],
    ['click [12] count=1 count=2', 20, /"count" is given twice/],
    ['click [12] kind=stop', 12, /"kind" is given twice/],
    ['click [12] ref=e13', 7, /one argument too many/],
    ['click [12] note=', 17, /has no value/],
    ['click [12] note="open', 17, /never closed/],
    ['click [12] modifiers=[Shift]', 22, /not JSON/],
    ['click [12]!', 11, /leave a space before "!"/],
    ['stop("x") now', 11, /"now" is left over/],
    ['stop("x"', 9, /, or \) is missing/],
    ['stop(,)', 6, /argument is missing/],
    ['go_back [2]', 9, /too many/],
  ])('[ST1] %j at column %i', (step, column, message) => {
    const mistake = mistakeIn(step);
    expect(mistake).toMatchObject({ code: 'STEP_SYNTAX', details: { column } });
    expect(mistake.message).toMatch(message);
  });

  it('[ST1] with the right form of the verb, for people and for programs', () => {
    for (const step of ['scroll', 'scroll [left]', 'scroll [down']) {
      expect(mistakeIn(step)).toMatchObject({
        hint: 'Usage: scroll [up|down|top|bottom]',
        details: { usage: 'scroll [up|down|top|bottom]' },
      });
    }
  });

  it('[ST1] an unknown verb, naming the nearest', () => {
    const mistake = mistakeIn('clik [12]');
    expect(mistake.message).toBe('Column 1: there is no step "clik"; did you mean click?');
    expect(mistake).toMatchObject({ hint: 'Usage: click [12]', details: { column: 1, nearest: ['click'] } });
    expect(mistakeIn('frobnicate [1]').details).toMatchObject({
      nearest: [],
      verbs: expect.arrayContaining(['click', 'goto', 'stop']),
    });
  });

  it('[ST1] a verb that is a name of every object', () => {
    for (const verb of ['constructor', 'toString', 'hasOwnProperty'])
      expect(mistakeIn(`${verb} [1]`).message).toMatch(/there is no step/);
    expect(mistakeIn('click [1] __proto__={"ref":"e2"}').message).toMatch(/"__proto__" is not a field/);
  });

  it('[ST1] values nested too deep, of any length', () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    expect(mistakeIn(`evaluate [x] args=${deep}`).message).toMatch(/nested more than/);
    expect(action(`stop [${deep}]`)).toEqual({ kind: 'stop', answer: deep });
  });
});

describe('parseStep on anything', () => {
  const piece = fc.constantFrom(
    'click',
    'type',
    'stop',
    'wait',
    'dialog',
    'scroll',
    ' ',
    '[',
    ']',
    '(',
    ')',
    ',',
    '"',
    '\\',
    '\n',
    '12',
    '-3',
    'e1',
    'a=',
    'ref=',
    'append=',
    'args=',
    'at=',
    '{',
    '}',
    ':',
    'true',
    '0',
    '1',
    '🙂',
  );

  it('[ST1] gives an action, or STEP_SYNTAX with a column inside the step, and no other failure', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14, size: 'max' }), (pieces) => {
        const step = pieces.join('');
        const outcome = outcomeOf(step);
        if (outcome === 'an action') return true;
        const column = outcome.details?.['column'];
        return outcome.code === 'STEP_SYNTAX' && typeof column === 'number' && column >= 1 && column <= step.length + 1;
      }),
      { numRuns: 15_000 },
    );
  });
});
