import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '@/lib/actions/kinds';
import { anyAction, anyActionOf, KINDS } from '@/lib/actions/testing/any-action';
import { parseStep, stepInText } from './parse';
import { printStep } from './print';

/** A printed `type` always states whether Enter is pressed; an action without `submit` means that it is not. */
const meaning = (action: Action): Action =>
  action.kind === 'type' ? { ...action, submit: action.submit === true } : action;

describe('printStep', () => {
  it.each(KINDS)(
    '[ST1] %s: the printed step is one line, parses to the same action, and prints the same again',
    (kind) => {
      fc.assert(
        fc.property(anyActionOf(kind), (action) => {
          const printed = printStep(action);
          const parsed = parseStep(printed).action;
          expect(printed).not.toMatch(/[\n\r]/);
          expect(parsed).toEqual(meaning(action));
          expect(printStep(parsed)).toBe(printed);
        }),
        { numRuns: 150 },
      );
    },
  );

  it('[ST2] is found again in a fenced block', () => {
    const withoutFence = anyAction.filter((action) => !printStep(action).includes('`'));
    fc.assert(
      fc.property(withoutFence, (action) => {
        const step = printStep(action);
        expect(stepInText(`So I do this:\n\`\`\`text\n${step}\n\`\`\`\n`)).toMatchObject({
          step,
          rule: 'fenced block',
        });
      }),
      { numRuns: 500 },
    );
  });

  it.each<[Action, string]>([
    [{ kind: 'click', ref: 'e12' }, 'click [12]'],
    [{ kind: 'click', role: 'button', name: 'Sign in', count: 2 }, 'click role="button" name="Sign in" count=2'],
    [{ kind: 'drag', from: { ref: 'e1' }, to: { ref: 'e2' } }, 'drag [1] [2]'],
    [
      { kind: 'drag', from: { ref: 'e1' }, to: { at: { x: 5, y: 6 } }, steps: 3 },
      'drag [1] to={"at":{"x":5,"y":6}} steps=3',
    ],
    [{ kind: 'type', ref: 'e3', text: 'a [b] c', submit: true }, 'type [3] [a [b] c]'],
    [{ kind: 'type', ref: 'e3', text: ']', submit: false }, String.raw`type [3] [\]] [0]`],
    [{ kind: 'type', ref: 'e3', text: 'x', mode: 'append' }, 'type [3] [x] [0] append=true'],
    [{ kind: 'type', text: 'x' }, 'type text="x" submit=false'],
    [{ kind: 'press', key: 'Control+A' }, 'press [Control+A]'],
    [{ kind: 'press', key: 'Meta+A' }, 'press key="Meta+A"'],
    [{ kind: 'check', ref: 'e4', checked: false }, 'uncheck [4]'],
    [{ kind: 'select', ref: 'e5', values: ['a', 'b c'] }, 'select [5] [a] [b c]'],
    [
      {
        kind: 'fill',
        fields: [
          { ref: 'e1', value: 'a ]' },
          { ref: 'e2', value: '' },
        ],
      },
      String.raw`fill [1] [a \]] [2] []`,
    ],
    [{ kind: 'fill', fields: [{ ref: 'e1', value: true }] }, 'fill fields=[{"ref":"e1","value":true}]'],
    [
      { kind: 'composite', label: 'log in', actions: [{ kind: 'none' }] },
      'composite [log in] actions=[{"kind":"none"}]',
    ],
    [{ kind: 'upload', ref: 'e1', paths: ['a b.txt', 'c'] }, 'upload [1] [a b.txt] [c]'],
    [{ kind: 'upload', paths: ['a'] }, 'upload paths=["a"]'],
    [{ kind: 'download', do: 'click', ref: 'e1', saveAs: 'b' }, 'download [1] saveAs="b"'],
    [{ kind: 'download', do: 'wait' }, 'wait_download'],
    [{ kind: 'extract', what: 'text', ref: 'e4' }, 'extract [text] [4]'],
    [{ kind: 'search', query: 'a [b]' }, 'search [a [b]]'],
    [{ kind: 'pdf', paper: 'a5' }, 'pdf paper="a5"'],
    [{ kind: 'navigate', url: 'https://example.com/', timeoutMs: 5_000 }, 'goto [https://example.com/] timeoutMs=5000'],
    [{ kind: 'scroll', pages: 1 }, 'scroll [down]'],
    [{ kind: 'scroll', pages: -0.0000010000000000000002 }, 'scroll pages=-0.0000010000000000000002'],
    [{ kind: 'scroll', ref: 'e2', by: { dy: 300 } }, 'scroll [2] by={"dy":300}'],
    [{ kind: 'wait', text: '1000' }, 'wait text="1000"'],
    [{ kind: 'evaluate', fn: 'a.join("\\n")\n' }, String.raw`evaluate [a.join("\\n")\n]`],
    [{ kind: 'tab', do: 'focus', index: 0 }, 'tab_focus [0]'],
    [{ kind: 'dialog', do: 'answer', accept: true, promptText: 'Ada' }, 'dialog [accept] [Ada]'],
    [{ kind: 'stop', answer: '42' }, 'stop [42]'],
    [{ kind: 'none' }, 'None'],
  ])('[ST1] %j is %s', (action, step) => {
    expect(printStep(action)).toBe(step);
  });
});
