import { describe, expect, it } from 'vitest';
import { anEvent } from '@/components/testing/views';
import { eventWords } from './event-words';

describe('eventWords', () => {
  it('[ui: wall] says an action by kind, element and outcome', () => {
    const event = anEvent({ element: { role: 'button', name: 'Sign in' } });
    expect(eventWords(event)).toEqual({ sort: 'worded', kind: 'click', way: 'done', role: 'button', name: 'Sign in', host: undefined });
  });

  it('[TL1] an intent still runs; a failed and an unknown outcome did not work', () => {
    expect(eventWords(anEvent({ phase: 'intent' }))).toMatchObject({ way: 'doing' });
    expect(eventWords(anEvent({ outcome: 'failed' }))).toMatchObject({ way: 'failed' });
    expect(eventWords(anEvent({ outcome: 'unknown' }))).toMatchObject({ way: 'failed' });
  });

  it('finds the host of an opened address', () => {
    expect(eventWords(anEvent({ kind: 'navigate', text: 'navigate "http://127.0.0.1:7400/a?b=c"' }))).toMatchObject({ host: '127.0.0.1:7400' });
    expect(eventWords(anEvent({ kind: 'navigate', text: 'navigate http://' }))).toMatchObject({ host: undefined });
  });

  it('leaves a role without a word of its own to its name', () => {
    expect(eventWords(anEvent({ element: { role: 'treegrid', name: 'Orders' } }))).toMatchObject({ role: undefined, name: 'Orders' });
  });

  it('keeps the line of the server for what is no action', () => {
    expect(eventWords(anEvent({ kind: 'control', phase: 'event', text: 'Ana took the wheel' }))).toEqual({ sort: 'plain', text: 'Ana took the wheel' });
    expect(eventWords(anEvent({ kind: 'dialog', phase: 'event', text: 'confirm opened' }))).toEqual({ sort: 'plain', text: 'confirm opened' });
  });
});
