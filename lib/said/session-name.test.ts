import { describe, expect, it } from 'vitest';
import { saidOfSessionName } from './session-name';
import { say } from './say';
import type { Said } from './said';

describe('saidOfSessionName', () => {
  it.each<Said>([{ code: 'sessionNumbered', number: 12 }, { code: 'sessionAttached' }, { code: 'sessionAttachedOwn' }])(
    'knows again what the server called a session: %j',
    (said) => {
      expect(saidOfSessionName(say(said).text)).toEqual(said);
    },
  );

  it('leaves a name that somebody gave', () => {
    expect(['Fern & Field checkout', 'Session', 'Session 1a', 'My Session 2', ''].map(saidOfSessionName)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
