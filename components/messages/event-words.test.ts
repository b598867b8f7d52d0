import { describe, expect, it } from 'vitest';
import { verbPhraseOf } from '@/lib/actions/verb-phrase';
import { parseAction } from '@/lib/actions/parse';
import { formatMessage } from '@/lib/messages/format';
import { anEvent } from '@/components/testing/views';
import { eventWords } from './event-words';
import type { TimelineEvent } from '@/lib/protocol/views';

const element = { role: 'textbox', name: 'City' };

/** The outcome row of an action, as the server records it. */
function acted(action: { kind: string; [field: string]: unknown }, over: Partial<TimelineEvent> = {}): TimelineEvent {
  return anEvent({ kind: action.kind, element, deed: verbPhraseOf(parseAction(action)), ...over });
}

describe('eventWords', () => {
  it('[ui: wall] says an action by what was done, element and outcome', () => {
    const event = acted({ kind: 'click', ref: 'e1' }, { element: { role: 'button', name: 'Sign in' } });
    expect(eventWords(event)).toEqual({
      kind: 'worded',
      word: 'click',
      way: 'done',
      role: 'button',
      name: 'Sign in',
      url: undefined,
      value: undefined,
    });
  });

  it('[TL1] an intent still runs; a failed, an unknown and a refused one did not work', () => {
    const click = { kind: 'click', ref: 'e1' };
    expect(eventWords(acted(click, { phase: 'intent' }))).toMatchObject({ way: 'doing' });
    expect(eventWords(acted(click, { outcome: 'failed' }))).toMatchObject({ way: 'failed' });
    expect(eventWords(acted(click, { outcome: 'unknown' }))).toMatchObject({ way: 'failed' });
    expect(eventWords(acted(click, { kind: 'refused', phase: 'event' }))).toMatchObject({
      word: 'click',
      way: 'failed',
    });
  });

  it('says what was typed, pressed, chosen and waited for, where that is known', () => {
    expect(eventWords(acted({ kind: 'type', ref: 'e1', text: 'Bristol' }))).toMatchObject({
      word: 'typeText',
      value: 'Bristol',
      name: 'City',
    });
    expect(eventWords(acted({ kind: 'press', key: 'Control+A' }))).toMatchObject({
      word: 'pressText',
      value: 'Control+A',
    });
    expect(eventWords(acted({ kind: 'select', ref: 'e1', values: ['24 Nov'] }))).toMatchObject({
      word: 'selectText',
      value: '24 Nov',
    });
    expect(eventWords(acted({ kind: 'wait', text: 'All done' }))).toMatchObject({
      word: 'waitText',
      value: 'All done',
    });
    expect(eventWords(acted({ kind: 'wait', timeMs: 50 }))).toMatchObject({ word: 'wait', value: undefined });
  });

  it('[SN6] has nothing to show of what the server keeps hidden', () => {
    const deed = verbPhraseOf(parseAction({ kind: 'type', ref: 'e1', text: 'hunter2' }), true);
    expect(eventWords(anEvent({ kind: 'type', element, deed }))).toMatchObject({ word: 'type', value: undefined });
  });

  it('[TL1] an element that was not found is told by what was named for it, one that was by itself', () => {
    const deed = verbPhraseOf(parseAction({ kind: 'click', ref: 'e99' }), true, true);
    expect(eventWords(anEvent({ kind: 'refused', element: undefined, deed }))).toMatchObject({
      word: 'click',
      way: 'failed',
      target: 'e99',
    });
    expect(eventWords(anEvent({ kind: 'click', element, deed }))).toMatchObject({ name: 'City', target: undefined });
  });

  it('leaves a role without a word of its own to its name', () => {
    expect(
      eventWords(acted({ kind: 'click', ref: 'e1' }, { element: { role: 'treegrid', name: 'Orders' } })),
    ).toMatchObject({ role: undefined, name: 'Orders' });
  });

  it('[TL1] leaves to the messages what the server says', () => {
    const { text, said } = formatMessage({ code: 'wheelBackNote', name: 'buyer-bot', note: 'go on' });
    expect(eventWords(anEvent({ kind: 'control', phase: 'event', text, said }))).toEqual({ kind: 'said', said });
  });

  it('a row of an older server keeps its line', () => {
    expect(eventWords(anEvent({ text: 'click button “Buy”' }))).toEqual({ kind: 'stored', text: 'click button “Buy”' });
  });
});
