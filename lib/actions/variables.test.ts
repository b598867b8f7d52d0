import { describe, expect, it } from 'vitest';
import { resolveVariables } from './variables';
import type { Action } from './kinds';

describe('resolveVariables', () => {
  it.each<[Action, Action]>([
    [
      { kind: 'type', text: '${user}@${host}' },
      { kind: 'type', text: 'ada@b.test' },
    ],
    [
      { kind: 'type', text: '$${user} $ {user} ${' },
      { kind: 'type', text: '${user} $ {user} ${' },
    ],
    [
      { kind: 'select', ref: 'e1', values: ['${user}', 'x'] },
      { kind: 'select', ref: 'e1', values: ['ada', 'x'] },
    ],
    [
      {
        kind: 'fill',
        fields: [
          { ref: 'e1', value: '${user}' },
          { ref: 'e2', value: true },
        ],
      },
      {
        kind: 'fill',
        fields: [
          { ref: 'e1', value: 'ada' },
          { ref: 'e2', value: true },
        ],
      },
    ],
    [
      { kind: 'press', key: '${user}' },
      { kind: 'press', key: 'ada' },
    ],
    [
      { kind: 'press', keys: ['a', '${user}'] },
      { kind: 'press', keys: ['a', 'ada'] },
    ],
    [
      { kind: 'clipboard', do: 'set', text: '${user}' },
      { kind: 'clipboard', do: 'set', text: 'ada' },
    ],
    [
      { kind: 'navigate', url: 'https://${host}/' },
      { kind: 'navigate', url: 'https://b.test/' },
    ],
    [
      { kind: 'dialog', do: 'answer', accept: true, promptText: '${user}' },
      { kind: 'dialog', do: 'answer', accept: true, promptText: 'ada' },
    ],
    [
      { kind: 'evaluate', fn: '`${user}`' },
      { kind: 'evaluate', fn: '`${user}`' },
    ],
    [
      { kind: 'batch', actions: [{ kind: 'type', text: '${user}' }] },
      { kind: 'batch', actions: [{ kind: 'type', text: 'ada' }] },
    ],
  ])('[AC7] %j is %j', (action, resolved) => {
    expect(resolveVariables([action], { user: 'ada', host: 'b.test' })).toEqual([resolved]);
  });

  it('[AC7] a composite inside may bring its own, and a value is never read again', () => {
    const inner: Action = {
      kind: 'composite',
      label: 'a',
      actions: [{ kind: 'type', text: '${user} ${more}' }],
      variables: { user: '${more}' },
    };
    const [resolved] = resolveVariables([inner], { user: 'ada', more: 'm' });
    expect(resolved).toMatchObject({ actions: [{ text: '${more} m' }] });
  });

  it('[AC7] names every variable that has no value', () => {
    const act = (): unknown =>
      resolveVariables(
        [
          { kind: 'type', text: '${a} ${b}' },
          { kind: 'navigate', url: '${a}${toString}' },
        ],
        { c: '' },
      );
    expect(act).toThrow(
      expect.objectContaining({
        code: 'VAR_MISSING',
        message: 'There is no value for ${a}, ${b}, ${toString}.',
        hint: 'Supply a value for each variable named in details.',
        details: { missing: ['a', 'b', 'toString'] },
      }),
    );
  });
});
