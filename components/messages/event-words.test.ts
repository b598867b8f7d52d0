import { describe, expect, it } from 'vitest';
import { describeAction } from '@/lib/actions/describe';
import { parseAction } from '@/lib/actions/parse';
import { anEvent } from '@/components/testing/views';
import { eventWords } from './event-words';
import type { TimelineEvent } from '@/lib/protocol/views';

const element = { role: 'textbox', name: 'City' };

/** The outcome row of an action, with the line that the server writes for it. */
function acted(action: { kind: string; [field: string]: unknown }, over: Partial<TimelineEvent> = {}): TimelineEvent {
  return anEvent({ kind: action.kind, element, text: describeAction(parseAction(action), element), ...over });
}

describe('eventWords', () => {
  it('[ui: wall] says an action by kind, element and outcome', () => {
    const event = anEvent({ element: { role: 'button', name: 'Sign in' } });
    expect(eventWords(event)).toEqual({ sort: 'worded', word: 'click', way: 'done', role: 'button', name: 'Sign in', host: undefined, value: undefined });
  });

  it('[TL1] an intent still runs; a failed and an unknown outcome did not work', () => {
    expect(eventWords(anEvent({ phase: 'intent' }))).toMatchObject({ way: 'doing' });
    expect(eventWords(anEvent({ outcome: 'failed' }))).toMatchObject({ way: 'failed' });
    expect(eventWords(anEvent({ outcome: 'unknown' }))).toMatchObject({ way: 'failed' });
  });

  it('finds in the line of the server what was typed, pressed, chosen and waited for', () => {
    expect(eventWords(acted({ kind: 'type', ref: 'e1', text: 'Bristol' }))).toMatchObject({ word: 'typeText', value: 'Bristol', name: 'City' });
    expect(eventWords(acted({ kind: 'press', key: 'Control+A' }))).toMatchObject({ word: 'pressText', value: 'Control+A' });
    expect(eventWords(acted({ kind: 'select', ref: 'e1', values: ['24 Nov'] }))).toMatchObject({ word: 'selectText', value: '24 Nov' });
    expect(eventWords(acted({ kind: 'wait', text: 'All done' }))).toMatchObject({ word: 'waitText', value: 'All done' });
    expect(eventWords(acted({ kind: 'wait', timeMs: 50 }))).toMatchObject({ word: 'wait', value: undefined });
  });

  it('[SN6] has nothing to show of what the server keeps hidden', () => {
    const text = describeAction(parseAction({ kind: 'type', ref: 'e1', text: 'hunter2' }), element, true);
    expect(eventWords(anEvent({ kind: 'type', element, text }))).toMatchObject({ word: 'type', value: undefined });
  });

  it('finds the host of an opened address', () => {
    expect(eventWords(acted({ kind: 'navigate', url: 'http://127.0.0.1:7400/a?b=c' }))).toMatchObject({ word: 'navigate', host: '127.0.0.1:7400' });
    expect(eventWords(anEvent({ kind: 'navigation', phase: 'event', text: 'page: about:blank' }))).toMatchObject({ sort: 'plain' });
    expect(eventWords(anEvent({ kind: 'navigation', phase: 'event', text: 'page: https://shop.example/cart?x=1' }))).toMatchObject({ word: 'navigation', host: 'shop.example/cart' });
  });

  it('leaves a role without a word of its own to its name', () => {
    expect(eventWords(anEvent({ element: { role: 'treegrid', name: 'Orders' } }))).toMatchObject({ role: undefined, name: 'Orders' });
  });

  it('[TL1] words changes of control', () => {
    const words = ['took the wheel', 'started driving', 'let go of the wheel (left)', 'handed the wheel back to buyer-bot: “go on”'].map((text) => eventWords(anEvent({ kind: 'control', phase: 'event', text })));
    expect(words.map((each) => each.sort === 'worded' && each.word)).toEqual(['took', 'started', 'letGo', 'handedBackNote']);
    expect(words[3]).toMatchObject({ value: 'go on' });
  });

  it('keeps the line of the server for what has no words here, with who did it', () => {
    expect(eventWords(anEvent({ kind: 'session', phase: 'event', text: 'renamed the session to “x”' }))).toEqual({ sort: 'plain', text: 'renamed the session to “x”', who: true });
    const system = { id: 'system', name: 'Wheelhouse', kind: 'system' } as const;
    expect(eventWords(anEvent({ kind: 'dialog', phase: 'event', actor: system, text: 'confirm opened' }))).toEqual({ sort: 'plain', text: 'confirm opened', who: false });
  });
});
