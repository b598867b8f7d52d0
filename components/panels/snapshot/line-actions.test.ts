import { describe, expect, it } from 'vitest';
import { parseAction } from '@/lib/actions/parse';
import { actionOf, lineActionsOf } from './line-actions';

describe('deeds of a snapshot line', () => {
  it('offers what the role allows, the likeliest first', () => {
    const first = ['button', 'textbox', 'checkbox', 'radio', 'combobox', 'link'].map((role) => lineActionsOf(role)[0]);
    expect(first).toEqual(['click', 'type', 'check', 'check', 'select', 'click']);
    expect(lineActionsOf('radio')).not.toContain('uncheck');
  });

  it('[AC1] makes actions that every door accepts', () => {
    for (const deed of ['click', 'type', 'select', 'check', 'uncheck', 'focus', 'hover', 'scrollIntoView'] as const) {
      const action = actionOf(deed, 'e12', 'Bristol');
      expect(parseAction(action)).toEqual(action);
    }
  });
});
