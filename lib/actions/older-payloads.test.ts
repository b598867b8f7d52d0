import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromOlder } from './older-payloads';
import { parseAction } from './parse';
import { anyAction } from './testing/any-action';

const ref = 'e12';

describe('older payloads', () => {
  it.each<[object, object]>([
    [
      { kind: 'click', ref: '12', doubleClick: true, targetId: 'ABC' },
      { kind: 'click', ref, doubleClick: true, tab: 'ABC' },
    ],
    [
      { kind: 'clickCoords', x: 5, y: 6, button: 'right' },
      { kind: 'click', at: { x: 5, y: 6 }, button: 'right' },
    ],
    [
      { kind: 'drag', startRef: '12', endRef: 13 },
      { kind: 'drag', from: { ref }, to: { ref: 'e13' } },
    ],
    [
      { kind: 'dragCoords', startX: 1, startY: 2, endX: 3, endY: 4 },
      { kind: 'drag', from: { at: { x: 1, y: 2 } }, to: { at: { x: 3, y: 4 } } },
    ],
    [
      { kind: 'type', ref, text: 'a', submit: true, slowly: true },
      { kind: 'type', ref, text: 'a', submit: true, slowly: true },
    ],
    [
      {
        kind: 'fill',
        fields: [
          { ref: '12', type: 'text', value: 'a' },
          { target: { selector: '#b' }, value: true },
        ],
      },
      {
        kind: 'fill',
        fields: [
          { ref, type: 'text', value: 'a' },
          { selector: '#b', value: true },
        ],
      },
    ],
    [
      { kind: 'select', ref, values: ['a'] },
      { kind: 'select', ref, values: ['a'] },
    ],
    [
      { kind: 'evaluate', fn: '() => 1', ref, timeoutMs: 5_000 },
      { kind: 'evaluate', fn: '() => 1', ref, timeoutMs: 5_000 },
    ],
    [
      { kind: 'evaluate', code: '1' },
      { kind: 'evaluate', fn: '1' },
    ],
    [
      { kind: 'wait', timeMs: 10, text: 'a' },
      { kind: 'wait', timeMs: 10, text: 'a' },
    ],
    [
      { kind: 'wait', seconds: 2 },
      { kind: 'wait', timeMs: 2_000 },
    ],
    [
      { kind: 'hooks/file-chooser', paths: ['a.txt'], inputRef: '12' },
      { kind: 'upload', paths: ['a.txt'], ref },
    ],
    [
      { kind: 'hooks/dialog', accept: true, promptText: 'x' },
      { kind: 'dialog', do: 'arm', accept: true, promptText: 'x' },
    ],
    [
      { kind: 'download', ref, path: 'a.txt' },
      { kind: 'download', do: 'click', ref, saveAs: 'a.txt' },
    ],
    [
      { kind: 'wait/download', path: 'a.txt' },
      { kind: 'download', do: 'wait', saveAs: 'a.txt' },
    ],
    [{ kind: 'text' }, { kind: 'extract', what: 'text' }],
    [
      { kind: 'close', targetId: 't2' },
      { kind: 'tab', do: 'close', tab: 't2' },
    ],
    [
      { kind: 'tabs/open', url: 'https://a.test/' },
      { kind: 'tab', do: 'open', url: 'https://a.test/' },
    ],
    [
      { kind: 'goto', url: 'https://a.test/' },
      { kind: 'navigate', url: 'https://a.test/' },
    ],
    [{ kind: 'go_back' }, { kind: 'history', go: 'back' }],
    [
      { kind: 'tab_focus', index: 1 },
      { kind: 'tab', do: 'focus', index: 1 },
    ],
    [{ kind: 'None' }, { kind: 'none' }],
    [
      { kind: 'click_element', index: 12 },
      { kind: 'click', ref },
    ],
    [
      { kind: 'input_text', index: 12, text: 'a' },
      { kind: 'type', ref, text: 'a' },
    ],
    [
      { action: 'click', index: 12, tab_id: 't2', goal: 'to buy it' },
      { kind: 'click', ref, tab: 't2', note: 'to buy it' },
    ],
    [
      { action: 'go_to_url', url: 'https://a.test/', goal: 'start' },
      { kind: 'navigate', url: 'https://a.test/', note: 'start' },
    ],
    [
      { kind: 'type', index: '12', text: 'a', note: 'mine' },
      { kind: 'type', ref, text: 'a', note: 'mine' },
    ],
    [
      { kind: 'hover', index: 12 },
      { kind: 'hover', ref },
    ],
    [
      { action: 'switch_tab', page_id: 2 },
      { kind: 'tab', do: 'focus', index: 2 },
    ],
    [
      { kind: 'batch', actions: [{ action: 'check', index: 12, checked: true, goal: 'agree' }] },
      { kind: 'batch', actions: [{ kind: 'check', ref, checked: true, note: 'agree' }] },
    ],
    [
      { kind: 'click', backendDOMNodeId: 12 },
      { kind: 'click', node: { backendNodeId: 12 } },
    ],
    [
      { action: 'type', backendDOMNodeId: 12, text: 'a' },
      { kind: 'type', node: { backendNodeId: 12 }, text: 'a' },
    ],
    [
      { kind: 'fill', fields: [{ backendDOMNodeId: 12, value: 'a' }] },
      { kind: 'fill', fields: [{ node: { backendNodeId: 12 }, value: 'a' }] },
    ],
    [
      { kind: 'batch', actions: [{ kind: 'hover', backendDOMNodeId: 12 }] },
      { kind: 'batch', actions: [{ kind: 'hover', node: { backendNodeId: 12 } }] },
    ],
    [
      { kind: 'send_keys', keys: 'Control+A' },
      { kind: 'press', key: 'Control+A' },
    ],
    [
      { kind: 'scroll_down', amount: 300 },
      { kind: 'scroll', by: { dy: 300 } },
    ],
    [{ kind: 'scroll_up' }, { kind: 'scroll', pages: -1 }],
    [{ kind: 'extract_content' }, { kind: 'extract', what: 'markdown' }],
    [
      { kind: 'web_search', query: 'a' },
      { kind: 'search', query: 'a' },
    ],
    [
      { kind: 'switch_tab', page_id: 2 },
      { kind: 'tab', do: 'focus', index: 2 },
    ],
    [
      { kind: 'batch', actions: [{ kind: 'click_element', index: 12 }] },
      { kind: 'batch', actions: [{ kind: 'click', ref }] },
    ],
    [
      { kind: 'composite', label: 'a', actions: [{ kind: 'None' }], atomic: true, rollback: [{ kind: 'go_back' }] },
      {
        kind: 'composite',
        label: 'a',
        actions: [{ kind: 'none' }],
        atomic: true,
        rollback: [{ kind: 'history', go: 'back' }],
      },
    ],
  ])('[AC9] %j is %j', (older, action) => {
    expect(parseAction(older)).toEqual(action);
  });

  it("[AC9] leaves a payload of today's form unchanged", () => {
    fc.assert(
      fc.property(anyAction, (action) => {
        expect(fromOlder(action)).toEqual(action);
      }),
      { numRuns: 1_000 },
    );
  });

  it("[AC9] fields of today's form win; a field that is given twice is refused by name", () => {
    expect(() => parseAction({ kind: 'click', action: 'hover', ref })).toThrow('"action"');
    expect(() => parseAction({ kind: 'click', ref, note: 'a', goal: 'b' })).toThrow('"goal"');
    expect(() => parseAction({ kind: 'click', ref, index: 3 })).toThrow('"index"');
    expect(() => parseAction({ kind: 'click', ref, backendDOMNodeId: 3 })).toThrow('"node"');
  });

  it('[AC8] a mistake in an older payload names the field', () => {
    expect(() => parseAction({ kind: 'clickCoords', x: 'a', y: 1 })).toThrow('"at.x" must be a number');
    expect(() => parseAction({ kind: 'drag', startRef: '12' })).toThrow('"to"');
    for (const kind of ['constructor', '__proto__', 'toString'])
      expect(() => parseAction({ kind })).toThrow(expect.objectContaining({ code: 'UNKNOWN_KIND' }));
  });
});
