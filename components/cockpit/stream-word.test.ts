import { describe, expect, it } from 'vitest';
import { streamWord } from './stream-word';

const status = (state: 'live' | 'still' | 'behind' | 'paused' | 'lost', behindMs?: number) => ({
  stream: 's',
  tab: 't',
  state,
  ...(behindMs === undefined ? {} : { behindMs }),
});

describe('streamWord', () => {
  it('[FR5] tells live, still, behind, paused and lost apart', () => {
    const words = (['live', 'still', 'behind', 'paused', 'lost'] as const).map((state) =>
      streamWord('online', status(state)),
    );
    expect(words.map(({ word, stale }) => [word, stale])).toEqual([
      ['live', false],
      ['still', false],
      ['behind', false],
      ['paused', false],
      ['lost', true],
    ]);
    expect(streamWord('online', status('behind', 3_400)).seconds).toBe(3);
  });

  it('[FR5] puts a lost line before what the stream said last, and dims the picture', () => {
    expect(streamWord('reconnecting', status('live'))).toMatchObject({ word: 'reconnecting', stale: true });
    expect(streamWord('signed-out', status('live'))).toMatchObject({ word: 'offline', stale: true });
  });

  it('waits quietly until the stream has said anything', () => {
    expect(streamWord('online', undefined)).toMatchObject({ word: 'waiting', stale: false });
    expect(streamWord('connecting', undefined).word).toBe('waiting');
  });
});
