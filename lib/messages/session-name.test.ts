import { describe, expect, it } from 'vitest';
import { sessionNameMessage } from './session-name';
import { formatMessage } from './format';
import type { Message } from './message';

describe('saidOfSessionName', () => {
  it.each<Message>([
    { code: 'sessionNumbered', number: 12 },
    { code: 'sessionAttached' },
    { code: 'sessionAttachedOwn' },
  ])('knows again what the server called a session: %j', (said) => {
    expect(sessionNameMessage(formatMessage(said).text)).toEqual(said);
  });

  it('leaves a name that somebody gave', () => {
    expect(['Fern & Field checkout', 'Session', 'Session 1a', 'My Session 2', ''].map(sessionNameMessage)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
