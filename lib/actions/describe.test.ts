import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAction } from './describe';
import type { Action } from './kinds';
import { anyAction } from './testing/any-action';

const buy = { role: 'button', name: 'Buy' };

describe('describeAction', () => {
  it.each<[Action, string]>([
    [{ kind: 'click', ref: 'e1' }, 'click e1'],
    [{ kind: 'click', ref: 'e1', count: 2 }, 'double-click e1'],
    [{ kind: 'click', role: 'link', name: 'Home' }, 'click link “Home”'],
    [{ kind: 'click', role: 'link' }, 'click link'],
    [{ kind: 'click', selector: '#a' }, 'click #a'],
    [{ kind: 'click', at: { x: 10.6, y: 20.2 } }, 'click at 11, 20'],
    [{ kind: 'highlight', ref: 'e1' }, 'highlight e1'],
    [{ kind: 'drag', from: { ref: 'e1' }, to: { role: 'list', name: 'Done' } }, 'drag e1 to list “Done”'],
    [{ kind: 'scrollIntoView', ref: 'e1' }, 'scroll to e1'],
    [{ kind: 'type', ref: 'e1', text: 'hello' }, 'type “hello” into e1'],
    [{ kind: 'type', text: '' }, 'type “” into the focused field'],
    [{ kind: 'press', key: 'Enter' }, 'press Enter'],
    [{ kind: 'press', keys: ['a', 'b'] }, 'press a, b'],
    [{ kind: 'check', ref: 'e1', checked: false }, 'uncheck e1'],
    [{ kind: 'select', ref: 'e1', values: ['a', 'b'] }, 'select “a”, “b” in e1'],
    [{ kind: 'fill', fields: [{ ref: 'e1', value: 'x' }] }, 'fill 1 field'],
    [{ kind: 'batch', actions: [{ kind: 'none' }, { kind: 'none' }] }, 'do 2 actions'],
    [{ kind: 'composite', label: 'log in', actions: [{ kind: 'none' }] }, '“log in” (1 action)'],
    [{ kind: 'navigate', url: 'https://a.test/', newTab: true }, 'open https://a.test/ in a new tab'],
    [{ kind: 'history', go: 'back' }, 'go back'],
    [{ kind: 'history', go: 'reload' }, 'reload the page'],
    [{ kind: 'scroll', pages: 1 }, 'scroll the page'],
    [{ kind: 'scroll', to: 'top' }, 'scroll to the top'],
    [{ kind: 'wait', text: 'Done', textGone: 'Wait' }, 'wait for “Done” and “Wait” to go'],
    [
      { kind: 'wait', any: [{ textGone: 'Wait' }, { url: '**/b' }, { timeMs: 5 }] },
      'wait for “Wait” to go or the address **/b or 5 ms',
    ],
    [
      { kind: 'wait', all: [{ loadState: 'load' }, { stable: { quietMs: 50 } }, { ref: 'e1' }] },
      'wait for load and the page to be still and e1',
    ],
    [{ kind: 'wait', fn: '() => secret()' }, 'wait for a condition'],
    [{ kind: 'evaluate', fn: 'secret()' }, 'run a script'],
    [{ kind: 'evaluate', fn: 'secret()', ref: 'e1' }, 'run a script on e1'],
    [{ kind: 'tab', do: 'open', url: 'https://a.test/' }, 'open https://a.test/ in a new tab'],
    [{ kind: 'tab', do: 'focus', index: 1 }, 'focus tab'],
    [{ kind: 'dialog', do: 'answer', accept: true }, 'accept the dialog'],
    [{ kind: 'dialog', do: 'answer', accept: false }, 'dismiss the dialog'],
    [{ kind: 'dialog', do: 'arm', accept: true }, 'arm an answer for the next dialog'],
    [{ kind: 'upload', ref: 'e1', paths: ['a.txt', 'b.txt'] }, 'upload “a.txt”, “b.txt” into e1'],
    [{ kind: 'upload', paths: ['a.txt'] }, 'upload “a.txt”'],
    [{ kind: 'download', do: 'click', ref: 'e1' }, 'download by e1'],
    [{ kind: 'download', do: 'wait' }, 'wait for a download'],
    [{ kind: 'extract', what: 'table', ref: 'e1' }, 'read table of e1'],
    [{ kind: 'search', query: 'ferns' }, 'search for “ferns”'],
    [{ kind: 'pdf' }, 'print the page to a PDF'],
    [{ kind: 'resize', width: 800, height: 600 }, 'resize the page to 800 × 600'],
    [{ kind: 'snapshot' }, 'snapshot'],
    [{ kind: 'stop', answer: '42' }, 'stop: “42”'],
    [{ kind: 'none' }, 'none'],
  ])('[TL1] %j is %s', (action, text) => {
    expect(describeAction(action)).toBe(text);
  });

  it('[TL1] names the element when it is known', () => {
    expect(describeAction({ kind: 'click', ref: 'e1' }, buy)).toBe('click button “Buy”');
    expect(describeAction({ kind: 'hover', at: { x: 1, y: 1 } }, buy)).toBe('hover button “Buy”');
  });

  it('[SN6] hides text that is typed into a secret field', () => {
    const field = { role: 'textbox', name: 'Password' };
    expect(describeAction({ kind: 'type', ref: 'e1', text: 'hunter2' }, field, true)).toBe(
      'type (hidden) into textbox “Password”',
    );
    expect(describeAction({ kind: 'select', ref: 'e1', values: ['hunter2'] }, field, true)).toBe(
      'select (hidden) in textbox “Password”',
    );
  });

  it('[GU3] cannot be made to look like something else by a page or an agent', () => {
    const name = 'Pay\u202E\u0000\n2. click button “Refund”';
    expect(describeAction({ kind: 'click', ref: 'e1' }, { role: 'but\u202Eton', name })).toBe(
      'click button “Pay 2. click button “Refund””',
    );
    expect(describeAction({ kind: 'click', role: 'but\u200bton' })).toBe('click button');
  });

  it('[GU3] gives one short line for any action', () => {
    fc.assert(
      fc.property(anyAction, (action) => {
        const text = describeAction(action);
        return !/[\n\r\u202e]/.test(text) && text.length > 0 && text.length < 2_500;
      }),
      { numRuns: 500 },
    );
    const values = Array.from({ length: 100 }, () => 'x'.repeat(1_000));
    expect(describeAction({ kind: 'select', ref: 'e1', values })).toMatch(/ and 95 more in e1$/);
    expect(describeAction({ kind: 'select', ref: 'e1', values }).length).toBeLessThan(1_000);
  });
});
